# What: a dtrace without CPU time ends tracing while it has none, and says so; a reader that does not read, and deadman=0, do not
. "$LIB"

# The milliseconds from BEGIN to the last firing. The target calls kill(2) all the time.
program='BEGIN { start = timestamp; } syscall::kill:entry /pid == $target/ { last = timestamp; n++; }
	tick-100ms /n/ { printf("lives\n"); } END { printf("last %d\n", (last - start) / 1000000); }'
target="sh -c 'while :; do kill -0 \$\$; done'"

# stopped SECONDS OPTION... - dtrace is stopped for so long once it traces
stopped() {
	seconds=$1
	shift
	background "$@" -n "$program" -c "$target"
	until_true 30 grep -q lives out || fail "nothing is traced"
	kill -STOP "$pid"
	sleep "$seconds"
	kill -CONT "$pid"
}

stopped 5 -w -x deadman=2s
wait "$pid"
same "$?" 1 "status"
grep -q 'Abort due to systemic unresponsiveness: dtrace got no CPU for 2 seconds, so its probes' err || fail "the end is not explained"
[ "$(sed -n 's/^last //p' out)" -lt 4900 ] || fail "the probes went on: $(grep last out)"

stopped 4 -x deadman=0
until_true 30 interrupted
[ ! -s err ] || fail "something on standard error"
[ "$(sed -n 's/^last //p' out)" -gt 4000 ] || fail "the probes ended: $(grep last out)"

# Records are many, and dtrace waits for the reader of the pipe, which takes none for 5 s.
"$DTRACE" -qx deadman=2 -n 'syscall::kill:entry /pid == $target/ { printf("%200d\n", n++); } tick-4s { exit(0); }' \
	-c "$target" 2>err | { sleep 5; cat; } >out
grep -q unresponsive err && fail "its reader was meant"
[ "$(wc -l <out)" -gt 1000 ] || fail "few lines"
