# What: kill -9 in mid-trace leaves no breakpoint, no stopped process, no event, no pinned object.  Needs: uprobe python3.
# Executors: kernel (jumps of a tracer that was killed stay, and do nothing).
. "$LIB"
TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/calls" 1000000 1000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target calls
pinned=$(ls /sys/fs/bpf 2>/dev/null)
background -o log -n 'BEGIN { printf("ready\n"); }
	pid$target:a.out::entry, pid$target:a.out::return { @[probefunc] = count(); }
	syscall:::entry { @calls[probefunc] = count(); } profile-97 { @p = count(); }
	tick-100ms { printf("fired\n"); }' -p "$target"
until_true 15 grep -qs fired log || fail "never started"
kill -9 "$pid"
wait "$pid" 2>/dev/null

until_true 10 text_is_clean "$target" || fail "after kill -9: $(cat why)"
gone "$target" && fail "the target died"
last=$(tail -n 1 counts)
goes_on() {
	[ "$(tail -n 1 counts)" != "$last" ]
}
until_true 5 goes_on || fail "the target stands still"
# others on this machine may pin and trace, too
same "$(ls /sys/fs/bpf 2>/dev/null)" "$pinned" "pinned objects"
for events in /sys/kernel/tracing/uprobe_events /sys/kernel/debug/tracing/uprobe_events; do
	[ -s "$events" ] && grep -i "dtrace.*$pid" "$events" && fail "an event is left"
done
true
