# What: kill -9 of anon=run at any moment leaves either all or what anon=stop and the next run take away.  Needs: unshare.
. "$LIB"
own_pins
trace -A -o saved -n 'BEGIN { trace("one"); } profile-97 { @a[cpu] = count(); } syscall:::entry /pid == $1/ { @[probefunc] = count(); n++; }' $$
same "$status" 0 "status of -A"
for round in $(seq 1 40); do
	"$DTRACE" -x anonfile=saved -x anon=run 2>err &
	runner=$!
	sleep "0.0$((round % 3))$((round % 10))"
	kill -9 "$runner" 2>/dev/null
	wait "$runner" 2>/dev/null
	if [ -e /sys/fs/bpf/dtrace/anon ]; then
		must_trace -ae
		contains one
	elif [ -e /sys/fs/bpf/dtrace/anon-making ] && [ $((round % 2)) -eq 0 ]; then
		must_trace -x anon=stop
	fi
	[ -e /sys/fs/bpf/dtrace/anon ] && fail "claimed and still there"
done
trace -x anon=stop
must_trace -x anonfile=saved -x anon=run
must_trace -ae
contains one
same "$(find /sys/fs/bpf -mindepth 1 -not -name '*.debug')" "" "what is left"
