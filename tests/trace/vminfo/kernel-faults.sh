# What: a page that the kernel is the first to write, for a process, is a fault of the kernel.  Needs: btf python3
. "$LIB"
"$DTRACE" -ln vminfo:::kernel_asflt >out 2>&1
grep -q ' kernel_asflt$' out || skip "this kernel does not report its own faults"
cat >child.py <<'E2'
import ctypes, mmap, os
pages = mmap.mmap(-1, 20 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
pages.madvise(15)                                       # MADV_NOHUGEPAGE
views = [memoryview(pages)[i * mmap.PAGESIZE:i * mmap.PAGESIZE + 1] for i in range(20)]
zero = os.open("/dev/zero", os.O_RDONLY)
os.sched_get_priority_max(0)
for view in views:
    os.readv(zero, [view])
os.sched_get_priority_max(0)
E2
must_trace -n 'syscall::sched_get_priority_max:entry /pid == $target/ { on++; }
	vminfo:::kernel_asflt /pid == $target && on == 1/ { @ = sum(arg0); }
	END { printa("faults %@d\n", @); }' -c "$(command -v python3) child.py"
same "$(value_of faults)" 20 "faults of the kernel"
