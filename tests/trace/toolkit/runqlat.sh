# What: runqlat measures the waits of a process's threads: as many as it is woken up, at least.  Needs: btf.
. "$LIB"
sees_switches
tool runqlat -c "$TRIGGERS/lives sleep 50"
[ "$(awk '$1 == "lives" { print $2 }' out)" -ge 50 ] || fail "less waits than sleeps"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" "$(awk 'go { n += $2 } /^COMM/ { go = 1 } END { print n }' out)" "waits in the histogram and in the table"
awk '$1 == "lives" { exit !($4 >= $3 && $3 >= 0) }' out || fail "times"
same "$(awk 'go && NF { print $1 } /^COMM/ { go = 1 }' out)" lives "only this program"
