# What: fileslower shows reads that take long, with their time, and no others.  Needs: btf.
. "$LIB"
tool fileslower -c "$TRIGGERS/deeds read 20 slow 3 write 20" -m 25
same "$(awk '$3 == "deeds" && $4 == "R" && $5 == 1 && $6 >= 25' out | wc -l)" 3 "slow reads"
same "$(awk 'NR > 1 && NF == 7' out | awk '$6 < 25' | wc -l)" 0 "fast ones"
sum=$(sed -n 's/^ *\([0-9]*\) of \([0-9]*\) reads and writes were slow$/\1 \2/p' out)
[ "${sum% *}" -ge 3 ] && [ "${sum#* }" -ge 46 ] || fail "sums: $sum"
# None of them slow: the closing line says 0 of how many.
tool fileslower -c "$TRIGGERS/deeds read 20 write 5" -m 100000
contains '^ *0 of [1-9][0-9]* reads and writes were slow$'
# 0 is a least time, not a missing one: all are shown.
tool fileslower -c "$TRIGGERS/deeds read 20 write 5" -m 0
same "$(awk '$3 == "deeds" && $4 == "R" && $5 == 100' out | wc -l)" 20 "reads of any time"
sum=$(sed -n 's/^ *\([0-9]*\) of \([0-9]*\) reads and writes were slow$/\1 \2/p' out)
[ -n "$sum" ] || fail "no closing line"
same "${sum% *}" "${sum#* }" "those that are shown, and all"
for value in -1 1000000001 word; do
	tool_misused "fileslower: -m takes a number from 0 to 1000000000, not '$value'" -s fileslower -m "$value"
done
