# What: each change of a thread's priority by nice(1), setpriority, sched_setscheduler, sched_setparam and sched_setattr is seen once, with the old and the new one; calls that change nothing, or are refused, are not. Where there are kprobes, the thread may be another one.  Needs: btf python3.
. "$LIB"
python=$(command -v python3)
# What the kernel says before and after each call is written to ./wanted, if it differs.
cat >child.py <<'END'
import ctypes, os, platform, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
setattr_number = {"x86_64": 314, "aarch64": 274}[platform.machine()]
def set_nice(pid, nice):
    if libc.syscall(setattr_number, pid, struct.pack("IIQiIQQQ", 48, 0, 0, nice, 0, 0, 0, 0), 0):
        raise OSError(ctypes.get_errno())
def change(what, call, *arguments):
    before = priority()
    try:
        call(*arguments)
    except OSError as error:
        print(what, error, file=sys.stderr)
    if priority() != before:
        print(what, whose, before, priority(), file=wanted)
def priority():
    with open("/proc/%d/stat" % (pid or os.getpid())) as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[15]) + 100
def changes():
    nice = os.getpriority(os.PRIO_PROCESS, pid)
    low, lower = min(nice + 3, 18), 19
    for i in range(2):
        change("nice", os.setpriority, os.PRIO_PROCESS, pid, low)
    change("batch", os.sched_setscheduler, pid, os.SCHED_BATCH, os.sched_param(0))
    change("fifo", os.sched_setscheduler, pid, os.SCHED_FIFO, os.sched_param(7))
    change("nice of fifo", os.setpriority, os.PRIO_PROCESS, pid, low + 1) # for later
    for i in range(2):
        change("param", os.sched_setparam, pid, os.sched_param(9))
    change("other", os.sched_setscheduler, pid, os.SCHED_OTHER, os.sched_param(0))
    for i in range(2):
        change("attr", set_nice, pid, lower)
    change("wrong", os.sched_setscheduler, pid, 77, os.sched_param(0))
wanted = open("wanted", "w")
pid, whose = 0, "own"
changes()
if sys.argv[1] == "both":
    ends = os.pipe()
    whose = "other"
    pid = os.fork()
    if pid == 0:
        os.close(ends[1])
        os.read(ends[0], 1)
        os._exit(0)
    changes()
    os.close(ends[1])
    os.waitpid(pid, 0)
END
whose=own
"$DTRACE" -lvvn sched:::change-pri >events 2>err
grep -q 'by system calls of the thread itself' events || whose=both
trace -n 'sched:::change-pri /pid == $target/ { printf("%s %d %d\n", args[1]->pr_pid == pid ? "own" : "other", args[0]->pr_pri, args[2]); }
	sched:::change-pri /pid == $target && args[1]->pr_pid == pid/ { @["same", args[0]->pr_lwpid == tid, arg0 == (long)curthread, arg2 == args[2]] = count(); }' -c "$python child.py $whose"
[ "$status" -eq 0 ] || fail "status $status"
[ "$(wc -l <wanted)" -ge 2 ] || fail "no priority was changed"
cut -d ' ' -f 2- wanted >pairs
grep -E '^(own|other) ' out >seen
diff pairs seen >differences || { cat wanted differences; fail "other changes"; }
contains "^ *same  *1  *1  *1  *$(grep -c own pairs)\$"
# The child says which calls were refused.
grep -q '^dtrace:' err && fail "something on standard error"
exit 0
