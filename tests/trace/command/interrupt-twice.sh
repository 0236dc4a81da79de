# What: the second ^C ends it, even if nobody reads our output any more.
. "$LIB"
mkfifo pipe
sleep 100 <pipe &
reader=$!
env --default-signal=INT "$DTRACE" -q -n 'syscall:::entry, syscall:::return { printf("%d %s %s of many records that fill the pipe\n", timestamp, execname, probefunc); }' >pipe 2>err &
pid=$!
trap 'kill -9 $reader $pid 2>/dev/null' EXIT
blocked() {
	ls / >/dev/null
	grep -qs pipe_write "/proc/$pid/stack" || grep -qs pipe_w "/proc/$pid/wchan"
}
until_true 10 blocked || skip "could not see dtrace wait for the pipe"
kill -INT "$pid"
sleep 0.2
kill -INT "$pid"
until_true 5 gone "$pid" || fail "still there"
