# What: a program that touches fresh pages has a fault for each.  Needs: btf python3.
. "$LIB"
"$DTRACE" -ln vminfo:::as_fault >out 2>&1
grep -q as_fault out || skip "this kernel does not report faults of programs"
cat >child.py <<'E2'
import mmap, os
size = mmap.PAGESIZE
memory = mmap.mmap(-1, 1000 * size)
memory.madvise(mmap.MADV_NOHUGEPAGE)
os.chdir("/")
for i in range(1000):
    memory[i * size] = 1
os.chdir("/")
E2
names=as_fault
"$DTRACE" -ln sysinfo:::trap 2>&1 | grep -q ' trap$' && names='as_fault trap'
must_trace -Zn 'int on; syscall::chdir:entry /pid == $target/ { on = !on; }
	vminfo:::as_fault /pid == $target && on/ { @["as_fault"] = sum(arg0); }
	sysinfo:::trap /pid == $target && on/ { @["trap"] = sum(arg0); }' -c "$(command -v python3) child.py"
for name in $names; do
	[ "$(value_of $name)" -ge 1000 ] && [ "$(value_of $name)" -le 1100 ] || fail "$(value_of $name) faults for 1000 pages ($name)"
done
[ "$names" = as_fault ] || [ "$(value_of trap)" -ge "$(value_of as_fault)" ] || fail "more faults than traps"
