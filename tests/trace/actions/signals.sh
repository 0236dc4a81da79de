# What: stop() and raise() act on the process that fires; bad numbers are faults.  Executors: kernel (its probes are of system calls).
. "$LIB"
cat >when-stopped <<'SH'
# The signal is on its way: the process stops when its system call ends.
until grep 'State:.T (stopped)' "/proc/$1/status" || ! kill -0 "$1"; do sleep 0.02; done
cat f
kill -CONT "$1"
SH
trace -w -c 'sh -c "echo a >f; echo b >>f; echo c >>f"' -n '
	syscall::write:entry /pid == $target && ++n == 2/ { stop(); stopped = 1; }
	tick-50ms /stopped/ { system("sh when-stopped %d", $target); stopped = 0; }'
same "$status" 0 status
contains 'T (stopped)'
contains '^a$'
same "$(tr '\n' ' ' <f)" "a b c " "what the process wrote"

"$DTRACE" -w -c 'sleep 20' -n 'syscall::clock_nanosleep:entry /pid == $target/ { raise(10); }' >out 2>err
contains 'terminated by SIGUSR1$' err

trace -w -c 'sleep 0.1' -n 'syscall::clock_nanosleep:entry /pid == $target/ { raise(0); }
	syscall::clock_nanosleep:entry /pid == $target/ { raise(65); }
	syscall::clock_nanosleep:entry /pid == $target/ { raise(-1); }
	ERROR { printf("fault %d\n", arg4); }'
same "$(grep -c '^fault 3$' out)" 3 "faults of bad signals"

# At a timer, at a function's entry and return, in ERROR, and to dtrace itself where BEGIN fires in it.
for probe in 'profile-997 /pid == $target/' 'pid$target::step:entry' 'pid$target::step:return'; do
	"$DTRACE" -w -c "$TRIGGERS/threads 1 2000000000" -n "$probe { raise(10); }" >out 2>err
	contains 'terminated by SIGUSR1$' err
done
"$DTRACE" -w -c 'sleep 20' -n 'syscall::clock_nanosleep:entry /pid == $target/ { x = *(int *)0; } ERROR /pid == $target/ { raise(12); }' >out 2>err
contains 'terminated by SIGUSR2$' err
must_trace -w -n 'BEGIN { raise(15); } tick-60s { exit(1); } END { printf("ended\n"); }'
contains '^ended$'
