# What: pidpersec counts new processes and threads, executions and ends, in each second and in all.  Needs: btf.
. "$LIB"
tool pidpersec -c "$TRIGGERS/lives exit 6 threads 4 exec 3 sleep 1500"
same "$(awk '$1 == "all" { print $2, $3, $4, $5 }' out)" "9 4 3 10" "the sums"
awk '$1 == "all" { exit !(n <= $6 && lines >= 1) } NR > 1 { n += $5; lines++ }' out || :
[ "$(awk 'NR > 1 && NF == 8' out | wc -l)" -ge 1 ] || fail "no second"
