# What: pidpersec counts new processes and threads, executions and ends, in each second and in all.  Needs: btf.
. "$LIB"
tool pidpersec -c "$TRIGGERS/lives exit 6 threads 4 exec 3 sleep 1500"
same "$(awk '$1 == "all" { print $2, $3, $4, $5 }' out)" "9 4 3 10" "the sums"
[ "$(awk 'NR > 1 && NF == 8' out | wc -l)" -ge 1 ] || fail "no second"
same "$(awk 'NR > 1 && NF && NF != 8 { print $1 }' out)" all "lines that are no second"
tool pidpersec -c 'sleep 2.5' # a second without any
same "$(awk 'NR > 1 && $5 == 0 && $6 == 0 && $7 == 0 && $8 == 0' out | wc -l)" 2 "lines of zeros"
for value in 0 1000000001 word; do
	tool_misused "pidpersec: -i takes a number from 1 to 1000000000, not '$value'" -s pidpersec -i "$value"
done
