# What: who runs: pid, ppid, tid, uid, gid, execname, threadname, execargs, zonename, as the process itself says.  Needs: python3.
. "$LIB"
cat >child.py <<'PY'
import os, threading # os.getgid() is the real one
def work():
    open('/proc/self/task/%d/comm' % threading.get_native_id(), 'w').write('a worker')
    print(os.getpid(), os.getppid(), threading.get_native_id(), os.getuid(), os.getgid(), flush=True)
    os.getpriority(os.PRIO_PROCESS, 0)
os.setresgid(65534, 65533, 65533)
t = threading.Thread(target=work)
t.start()
t.join()
PY
must_trace -o said -n 'syscall::getpriority:entry /pid == $target/ {
	printf("%d %d %d %d %d\n%s|%s|%s|%s\n", pid, ppid, tid, uid, gid, execname, threadname, execargs, zonename); }' \
	-c "python3 child.py 'two words' ''"
same "$(sed -n 1p said)" "$(sed -n 1p out)" "numbers"
same "$(sed -n '2s|[^|]*python3 |python3 |p' said)" "a worker|a worker|python3 child.py two words|global" "names"

must_trace -n 'syscall::getppid:entry /pid == $target/ { printf("%s:%s:%s:%s %d %d %d\n", probeprov, probemod, probefunc,
	probename, id > 0, errno, ipl); }' -c "python3 -c 'import os; os.getppid()'"

contains '^syscall:vmlinux:getppid:entry 1 0 0$'
before=$(date +%s)
must_trace -n 'BEGIN { printf("%d", walltimestamp / 1000000000); exit(0); }'
now=$(head -n 1 out)
[ "$now" -ge "$before" ] && [ "$now" -le "$(date +%s)" ] || fail "walltimestamp is $now, the time $before"
cat >fail.py <<'PY'
import os
try:
    os.chdir("/nowhere")
except OSError:
    pass
PY
# One that fails, with errno positive; elsewhere errno is 0.
must_trace -n 'syscall::chdir:entry /pid == $target/ { printf("%d ", errno); } syscall::chdir:return /pid == $target/
	{ printf("%d %d %d\n", errno, arg0, arg1); exit(0); } BEGIN { printf("%d ", errno); }' \
	-c "python3 fail.py"
contains '^0 0 2 -1 -2$'
