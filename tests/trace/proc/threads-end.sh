# What: threads that end because another one ends the process, or executes a program, handle no signal; those of a process that is killed do.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import os, signal, sys, threading, time
def threads():
    begun = threading.Barrier(6)
    for _ in range(5):
        threading.Thread(target=lambda: (begun.wait(), time.sleep(60)), daemon=True).start()
    begun.wait()
    time.sleep(0.05)
def child(end):
    pid = os.fork()
    if pid == 0:
        threads()
        end()
    os.waitpid(pid, 0)
child(lambda: os._exit(3))
child(lambda: os.execv("/bin/true", ["true"]))
child(lambda: (os.kill(os.getpid(), signal.SIGTERM), time.sleep(60)))
E2
must_trace -n 'proc:::signal-handle /progenyof($target) && args[0] != SIGCHLD/ { @[args[0]] = count(); } END { printa("%d %@d\n", @); }' -c "$(command -v python3) child.py"
awk 'NF && $1 != 15' out >others
[ ! -s others ] || fail "signals that nobody sent: $(cat others)"
contains '^15 [1-6]$'
