# What: cpudist measures the stays of a process on CPUs: as many as its sleeps, and their sum is its CPU time.  Needs: btf.
. "$LIB"
sees_switches
tool cpudist -c "$TRIGGERS/lives sleep 40 spin 200 sleep 2"
awk '$1 == "lives" { exit !($2 >= 41 && $4 >= 190) }' out || fail "less stays than sleeps, or less time than was used"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" "$(awk '$1 == "lives" { print $2 }' out)" "stays in the histogram"
