# What: hotuser finds the function in which a program spends its time.  Needs: btf.
. "$LIB"
tool hotuser -c "$TRIGGERS/spin 500"
sum=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) samples were in programs$/\1 \2/p' out)
[ "${sum% *}" -ge 50 ] && [ "${sum% *}" -le "${sum#* }" ] || fail "samples: $sum"
same "$(awk '/^spin / { n += $NF } END { print n }' out)" "${sum% *}" "the sum of the table"
[ "$(awk '$1 == "spin" && $2 == "spin`spin_inner" { print $3 }' out)" -ge 10 ] || fail "hardly any in spin_inner"
# A run without a sample in a program: the closing line says 0 of how many.
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	tool hotuser -c "$TRIGGERS/spin 15 kernel"
	grep -q '`' out || break
done
grep -q '`' out || contains '^0 of [1-9][0-9]* samples were in programs$'
for value in 0 1000000001 word; do
	tool_misused "hotuser: -n takes a number from 1 to 1000000000, not '$value'" -s hotuser -n "$value"
done
