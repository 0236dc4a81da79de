# What: where functions of the kernel can be probed, locks that are free are seen to be taken and released: the mutex of a pipe,
# and the lock of a file, once for each call, by the same number.  Needs: btf kprobe python3.
. "$LIB"
cat >child.py <<'E2'
import os
ends = os.pipe()
file = os.open("file", os.O_RDWR | os.O_CREAT)
os.pwrite(file, b"x", 0)
os.chdir("/")
for i in range(211):
    os.write(ends[1], b"x")
for i in range(223):
    os.pwrite(file, b"x", 0)
os.chdir("/")
E2
must_trace -n 'int on; syscall::chdir:entry /pid == $target/ { on = !on; }
	lockstat:::adaptive-acquire,lockstat:::adaptive-release /pid == $target && on/ { @n[arg0, probename] = count(); }
	lockstat:::rw-acquire,lockstat:::rw-release /pid == $target && on && args[1] == RW_WRITER/ { @n[arg0, probename] = count(); }
	END { printa("%x %s %@d\n", @n); }' -c "$(command -v python3) child.py"
taken=$(awk '$2 == "adaptive-acquire" && $3 == 211 { print $1 }' out)
[ -n "$taken" ] || fail "no mutex was taken 211 times"
contains "^$taken adaptive-release 211\$"
taken=$(awk '$2 == "rw-acquire" && $3 == 223 { print $1; exit }' out)
[ -n "$taken" ] || fail "no lock was taken 223 times"
contains "^$taken rw-release 223\$"
