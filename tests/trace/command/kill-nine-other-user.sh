# What: kill -9 ends a -c child that changed its user, too, which makes the kernel forget PR_SET_PDEATHSIG; no process remains. Needs: setpriv.
. "$LIB"
command -v setpriv >/dev/null || skip "no setpriv"
nobody=$(id -u nobody)
changed() {
	grep -qs "^Uid:	$nobody	$nobody" "/proc/$1/status"
}
# supervisors PID - all children of PID but the one of -c, which is $child
supervisors() {
	for each in $(cat "/proc/$1/task/$1/children"); do
		[ "$each" = "$child" ] || echo "$each"
	done
}
background -o log -n 'BEGIN { printf("ready %d\n", $target); } syscall:::entry /pid == $target/ { @ = count(); }' -c "setpriv --reuid $nobody sleep 100"
until_true 10 grep -qs ready log || fail "never started"
child=$(sed -n 's/^ready //p' log)
until_true 10 changed "$child" || fail "the child has not changed its user"
others=$(supervisors "$pid")
[ "$others" ] || fail "no supervisor"
kill -9 "$pid"
wait "$pid" 2>/dev/null
until_true 10 gone "$child" || {
	kill -9 "$child"
	fail "the child goes on"
}
for each in $others; do
	until_true 10 gone "$each" || fail "process $each goes on"
done
rm log

# A whole group may be ended, with the supervisor in another one; the descriptors of the rest are free.
setsid "$DTRACE" -qo log -n 'BEGIN { printf("ready %d\n", $target); } tick-1s { }' -c "setpriv --reuid $nobody setsid sleep 100" 2>err | cat &
reader=$!
until_true 10 grep -qs ready log || fail "never started"
child=$(sed -n 's/^ready //p' log)
until_true 10 changed "$child" || fail "the child has not changed its user"
parent=$(awk '$1 == "PPid:" { print $2 }' "/proc/$child/status")
until_true 10 grep -qs sleep "/proc/$child/comm" || fail "the child has not made its session"
kill -9 "-$parent"
until_true 10 gone "$child" || {
	kill -9 "$child"
	fail "the child goes on"
}
until_true 10 gone "$reader" || fail "the pipe is still open"

# After a usual end, too.
must_trace -n 'BEGIN { printf("%d\n", $target); } tick-100ms { exit(0); }' -c "setpriv --reuid $nobody sleep 100"
until_true 10 gone "$(head -n 1 out)" || fail "the child goes on"
# It does not appear in the trace: its calls are not the command's.
# (Another child of dtrace closes in the first 100 ms what held the command: kernel/link/stop_point.c.)
must_trace -n 'tick-1s { closed = 1; } syscall:::entry /closed && ppid == $pid && pid != $target/ { @n = count(); }
	tick-1500ms { exit(0); } END { printa("%@d\n", @n); }' -c "sleep 100"
[ ! -s out ] || [ "$(cat out)" = "" ] || fail "the supervisor was traced"
