# What: threads that wait for a mutex, here that of the reader of a terminal, and are interrupted by a signal, fire adaptive-acquire-error
# with the mutex and EINTR.  Needs: btf kprobe python3.
. "$LIB"
cat >child.py <<'E2'
import os, pty, signal, threading, time
own, terminal = pty.openpty()
signal.signal(signal.SIGUSR1, lambda *_: None)
def wait_until_asleep(pid):
    while open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0] != "S":
        time.sleep(0.01)
def reader():
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        os.read(terminal, 1)
        os._exit(0)
    wait_until_asleep(pid)
    return pid
holder = reader()                   # it has the mutex, and waits for a key
time.sleep(0.1)
for i in range(7):
    waiting = reader()
    time.sleep(0.05)                # asleep in read(2) for the mutex, not before
    wait_until_asleep(waiting)
    os.kill(waiting, signal.SIGUSR1)
    os.waitpid(waiting, 0)
os.kill(holder, signal.SIGUSR1)
os.waitpid(holder, 0)
E2
must_trace -n 'lockstat:::adaptive-acquire-error /progenyof($target)/ { @n[arg0 != 0 && arg1 == (uint64_t)args[1], args[1]] = count(); @m[arg0] = count(); }
	END { printa("%d errno %d: %@d\n", @n); printa("mutex %@d\n", @m); }' -c "$(command -v python3) child.py"
contains '^1 errno 4: 7$'
contains '^mutex 7$'
