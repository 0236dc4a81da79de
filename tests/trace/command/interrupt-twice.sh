# What: a second ^C, half a second after the first, ends dtrace even if its output is not read; losses are reported.
. "$LIB"
mkfifo pipe
sleep 100 <pipe &
reader=$!
program='syscall:::entry, syscall:::return { printf("%d %s %s of many records that fill the pipe\n", timestamp, execname, probefunc); @ = count(); } END { trace(1); }'
trap 'kill -9 $reader $pid 2>/dev/null' EXIT
blocked() {
	ls / >/dev/null
	grep -qs pipe_write "/proc/$pid/stack" || grep -qs pipe_w "/proc/$pid/wchan"
}
stop_twice() {
	until_true 10 blocked || skip "could not see dtrace wait for the pipe"
	begin=$(date +%s%N)
	kill -INT "$pid"
	sleep 0.1
	kill -INT "$pid"
	sleep 0.2
	# On a busy machine more time may have passed.
	gone "$pid" && [ $((($(date +%s%N) - begin) / 1000000)) -lt 500 ] && fail "the second one counted too soon"
	until_true 5 interrupted || fail "still there"
}

env --default-signal=INT "$DTRACE" -q -n "$program" >pipe 2>err &
pid=$!
stop_twice
contains '^dtrace: left at once: END has not run$' err
contains '^dtrace: left at once: not printed: [1-9][0-9]* records, 1 aggregation, [1-9][0-9]* bytes$' err

# Nor does it wait if its messages are not read, either.
env --default-signal=INT "$DTRACE" -q -n "$program" >pipe 2>&1 &
pid=$!
stop_twice
