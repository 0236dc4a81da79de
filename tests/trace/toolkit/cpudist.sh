# What: cpudist measures the stays of a process on CPUs: as many as its sleeps, and their sum is its CPU time.  Needs: btf.
. "$LIB"
"$DTRACE" -lvvn sched:::on-cpu >out 2>err || fail "$(cat err)"
grep -q 'Note: after the switch' out || skip "neither the tracepoint sched_exit_tp nor kprobes"
tool cpudist -c "$TRIGGERS/lives sleep 40 spin 200 sleep 2"
awk '$1 == "lives" { exit !($2 >= 41 && $4 >= 190) }' out || fail "less stays than sleeps, or less time than was used"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" "$(awk '$1 == "lives" { print $2 }' out)" "stays in the histogram"
