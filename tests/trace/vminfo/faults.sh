# What: a program that touches fresh pages has a fault for each: as many as the kernel counts for it.  Needs: btf python3.
. "$LIB"
"$DTRACE" -ln vminfo:::as_fault >out 2>&1
grep -q ' as_fault$' out || skip "this kernel does not report faults of programs"
cat >child.py <<'E2'
import mmap, os, resource
size = mmap.PAGESIZE
memory = mmap.mmap(-1, 1000 * size)
memory.madvise(mmap.MADV_NOHUGEPAGE)
def faults():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_minflt + use.ru_majflt
out = open("kernel", "w")
before = faults()
os.chdir("/")
for i in range(1000):
    memory[i * size] = 1
os.chdir("/")
print(faults() - before, file=out)
E2
names=as_fault
"$DTRACE" -ln sysinfo:::trap 2>&1 | grep -q ' trap$' && names='as_fault trap'
must_trace -Zn 'int on; syscall::chdir:entry /pid == $target/ { on = !on; }
	vminfo:::as_fault /pid == $target && on/ { @["as_fault"] = sum(arg0); }
	sysinfo:::trap /pid == $target && on/ { @["trap"] = sum(arg0); }' -c "$(command -v python3) child.py"
for name in $names; do
	more=$(($(cat kernel) - $(value_of $name))) # some may be just before or after
	[ "$(value_of $name)" -ge 1000 ] && [ "$more" -ge 0 ] && [ "$more" -le 5 ] || fail "$(value_of $name) faults ($name), $(cat kernel) for the kernel"
done
[ "$names" = as_fault ] || [ "$(value_of trap)" -ge "$(value_of as_fault)" ] || fail "more faults than traps"
