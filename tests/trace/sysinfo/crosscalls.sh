# What: requests to other CPUs are counted: those that membarrier(2) sends to a process that runs there.  Needs: btf python3 two-cpus.
. "$LIB"
"$DTRACE" -ln sysinfo:::xcalls >out 2>&1
grep -q ' xcalls$' out || skip "this kernel does not report requests to other CPUs"
cat >child.py <<'E2'
import ctypes, os, platform, time
libc = ctypes.CDLL(None)
def membarrier(command):
    return libc.syscall({"x86_64": 324, "aarch64": 283}[platform.machine()], command, 0, 0)
def on(cpu):
    os.sched_setaffinity(0, {cpu})
cpus = sorted(os.sched_getaffinity(0))
child = os.fork()
if child == 0:
    on(cpus[1])
    membarrier(4)
    while os.getppid() != 1:
        pass
    os._exit(0)
on(cpus[0])
end = time.monotonic() + 20
os.chdir("/")
while time.monotonic() < end:
    for _ in range(100):
        membarrier(2)
    time.sleep(0.001)
    if os.times().system > 0.3:
        break
os.chdir("/")
os.kill(child, 9)
E2
raw=rawtp:::ipi_send_cpu,rawtp:::ipi_send_cpumask
"$DTRACE" -ln rawtp:::ipi_send_cpu 2>err | grep -q ipi_send_cpu || raw=rawtp:::ipi_raise # before 6.4, aarch64
# An interrupt may send a request while our program is running: that one is reported as missed.
trace -n 'int on; syscall::chdir:entry /pid == $target/ { on = !on; }
	sysinfo:::xcalls /pid == $target && on/ { @n["xcalls"] = sum(arg0); }
	'"$raw"' /pid == $target && on/ { @n["events"] = sum(1); }' -c "$(command -v python3) child.py"
[ "$status" -eq 0 ] || fail "status $status"
grep -v 'firings* missed' err && fail "something on standard error"
[ "$(value_of xcalls)" -ge 10 ] || fail "only $(value_of xcalls) requests"
same "$(value_of xcalls)" "$(value_of events)" "requests"
