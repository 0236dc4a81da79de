# What: two processes that fight for a spin lock spin for it as often as the kernel says, and no wait is left open.  Needs: btf two-cpus python3.
. "$LIB"
cat >child.py <<'E2'
import os
ends = [os.pipe() for i in range(2)]
def fight():
    for i in range(30000):
        os.dup2(ends[0][0], 77)
        os.write(ends[0][1], b"x")
        os.read(ends[0][0], 1)
child = os.fork()
fight()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
E2
trace_often -n 'lockstat:::spin-spin /progenyof($target)/ { @["spins"] = count(); @most = max(arg1); }
	lockstat:::rw-spin /progenyof($target)/ { @["spins"] = count(); }
	rawtp:::contention_begin /progenyof($target) && (arg1 & 33) == 1/ { begun[arg0, cpu] = 1; }
	rawtp:::contention_end /progenyof($target) && begun[arg0, cpu]/ { @["ends"] = count(); begun[arg0, cpu] = 0; }
	END { printa("most %@d\n", @most); }' -c "$(command -v python3) child.py"
difference=$(($(value_of spins) - $(value_of ends)))
[ "${difference#-}" -le "$missed" ] || fail "$(value_of spins) times of spinning, wanted $(value_of ends); $missed firings were missed"
[ "$(value_of spins)" != 0 ] || skip "nobody spun"
# A wait of 0 ns is none of ours: the clock of a virtual machine (kvm-clock) may show one time twice.
[ "$(value_of most)" -lt 10000000000 ] || fail "a wait of $(value_of most) ns"
