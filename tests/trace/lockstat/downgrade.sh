# What: a lock for writing becomes one for reading: that of the process's memory, at each munmap(2).  Needs: kprobe btf python3.
. "$LIB"
cat >unmap.py <<'END'
import mmap, sys
for i in range(int(sys.argv[1])):
    mmap.mmap(-1, 37 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
END
must_trace -n "syscall::munmap:entry /pid == \$target && arg1 == 37 * $(getconf PAGESIZE)/ { self->on = 1; @n[\"unmapped\"] = count(); }
	lockstat:::rw-downgrade /self->on/ { @n[args[0] == &curthread->mm->mmap_lock && arg0 == (uint64_t)args[0] ? \"own\" : \"other\"] = count(); }
	syscall::munmap:return { self->on = 0; }" -c "/usr/bin/python3 unmap.py 29"
same "$(value_of own) of $(value_of unmapped), $(value_of other) others" "29 of 29, 0 others" "locks downgraded"
