# What: processes that fork and end, and others that look for processes, spin for the kernel's lock of its list of tasks: as often as
# the kernel says, readers and writers apart, and no wait is left open.  Needs: btf two-cpus python3.
. "$LIB"
cat >child.py <<'E2'
import os, time
end = time.monotonic() + 1
def forks():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
def looks():
    os.getpriority(os.PRIO_PGRP, 0)
    os.setpgid(0, 0)
for work in forks, forks, looks, looks:
    if os.fork() == 0:
        while time.monotonic() < end:
            work()
        os._exit(0)
for i in range(4):
    os.wait()
E2
trace_often -n 'lockstat:::rw-spin /progenyof($target)/ { @[args[2] ? "reads" : "writes"] = count(); @least = min(args[1]); @most = max(args[1]); }
	rawtp:::contention_begin /progenyof($target) && (arg1 & 7) == 3/ { @["reading"] = count(); }
	rawtp:::contention_begin /progenyof($target) && (arg1 & 7) == 5/ { @["writing"] = count(); }
	END { printa("least %@d\n", @least); printa("most %@d\n", @most); }' -c "$(command -v python3) child.py"
for way in reads:reading writes:writing; do
	difference=$(($(value_of "${way%:*}") - $(value_of "${way#*:}")))
	[ "${difference#-}" -le "$missed" ] || fail "$(value_of "${way%:*}") ${way%:*}, wanted $(value_of "${way#*:}"); $missed firings were missed"
done
[ $(($(value_of reads) + $(value_of writes))) != 0 ] || skip "nobody spun"
[ "$(value_of least)" -gt 0 ] || fail "a wait of $(value_of least) ns"
[ "$(value_of most)" -lt 10000000000 ] || fail "a wait of $(value_of most) ns"
