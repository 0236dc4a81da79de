# What: a run on a system call that the C library no longer makes recorded nothing: a message at the end names the other one.
# Nothing is said once something was recorded, of calls that are made, and where a program has the other call as well.
. "$LIB"
try() {
	trace -n "$1" -c 'cat /etc/hostname'
	same "$status" 0 "status of $1"
	same "$(sed -n 's/.*warning: nothing was recorded: //p' err)" "$2" "$1"
}
try 'syscall::open:entry' "the C library's open() makes openat"
try 'syscall::open:entry { @[execname] = count(); }' "the C library's open() makes openat"
try 'BEGIN { trace(1); } syscall::time:entry { self->t = 1; } END { trace(2); }' "the C library's time() makes no system call"
try 'syscall::open:entry, syscall::openat:entry /0/ { trace(1); }' ''
try 'syscall::openat:entry /0/ { trace(1); }' ''
try 'syscall::exit:entry /pid == $target/ { trace(1); }' 'a process ends by exit_group; exit ends one of several threads'
# The command's own execve() is before tracing.
early="the execve() that starts the command begins before tracing (-c 'sh -c \"exec COMMAND\"' shows one)"
for of in proc:::exec-success syscall::execve:entry; do
	for when in exec preinit; do
		trace -x evaltime=$when -n "$of"' /pid == $target/ { trace(execname); }' -c 'cat /etc/hostname'
		same "$(sed -n 's/.*warning: nothing was recorded: //p' err)" "$early" "$of, $when"
	done
done
must_trace -n 'proc:::exec-success /pid == $target/ { trace(execname); }' -c 'sh -c "exec cat /etc/hostname"'
try 'proc:::exec-failure /pid == $target/ { trace(execname); }' ''
# One that is made all the same.
trace -n 'syscall::exit:entry /pid == $target/ { @ = count(); }' -c "$TRIGGERS/threads 2 10"
grep 'nothing was recorded' err && fail 'threads ended'
exit 0
