# What: kill -9 while 2,000 places are attached or detached leaves no breakpoint in the target.  Needs: uprobe_multi python3.
# Executors: kernel (jumps of a tracer that was killed stay, and do nothing).
. "$LIB"
TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/calls" 1000000 1000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target calls

until_true 15 text_is_clean "$target" || fail "the target before anything: $(cat why)"
for moment in 0.006 0.012 0.018 0.024 0.03 0.04 0.06; do
	background -n 'pid$target:libc::entry { @ = count(); }' -p "$target"
	sleep "$moment"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	until_true 10 text_is_clean "$target" || fail "killed after $moment s: $(cat why)"
done
for moment in 0.001 0.005 0.02; do
	background -o log -n 'BEGIN { printf("ready\n"); } pid$target:libc::entry { @ = count(); }' -p "$target"
	until_true 15 grep -qs ready log || fail "never started"
	kill -INT "$pid"
	sleep "$moment"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	until_true 10 text_is_clean "$target" || fail "killed $moment s after the interrupt: $(cat why)"
	rm -f log
done
gone "$target" && fail "the target died"
true
