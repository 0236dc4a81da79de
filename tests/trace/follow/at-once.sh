# What: processes that execute programs at once on one CPU each wait for their own probes, none for another's.  Needs: uprobe.
. "$LIB"
cat >many.sh <<'S'
for i in 1 2 3 4 5 6 7 8; do
	for k in 1 2 3 4 5; do "$TRIGGERS/calls" 1 >/dev/null; done &
done
wait
S
command -v taskset >/dev/null || skip "no taskset"
export TRIGGERS
must_trace -Z -x follow=all -n 'pid$target:calls:some_function:entry { @ = count(); } END { printa("%@u\n", @); }' \
	-c "taskset -c 0 sh many.sh"
same "$(grep . out)" 40 "calls of 40 programs"
