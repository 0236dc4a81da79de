# What: pages of a file that are not in memory are major faults, as many as the kernel counts for the process.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import mmap, os, resource
size = mmap.PAGESIZE
with open("file", "wb") as f:
    f.write(bytes(64 * size))
    f.flush()
    os.fsync(f.fileno())
data = os.open("file", os.O_RDONLY)
os.posix_fadvise(data, 0, 0, os.POSIX_FADV_DONTNEED)
memory = mmap.mmap(data, 64 * size, mmap.MAP_SHARED, mmap.PROT_READ)
memory.madvise(mmap.MADV_RANDOM)
def major():
    return resource.getrusage(resource.RUSAGE_SELF).ru_majflt
out = open("kernel", "w")
before = major()
os.chdir("/")
total = sum(memory[i * size] for i in range(64))
os.chdir("/")
print(major() - before, file=out)
E2
must_trace -n 'int on; syscall::chdir:entry /pid == $target/ { on = !on; }
	vminfo:::maj_fault /pid == $target && on/ { @["maj_fault"] = sum(arg0); }
	vminfo:::as_fault /pid == $target && on/ { @["as_fault"] = sum(arg0); }' -c "$(command -v python3) child.py"
same "$(value_of maj_fault)" "$(cat kernel)" "major faults"
# a fault may map pages of the neighbourhood that are in memory, too
[ "$(value_of as_fault)" -ge "$(value_of maj_fault)" ] && [ "$(value_of as_fault)" -ge 4 ] || fail "$(value_of as_fault) faults for 64 pages"
[ "$(stat -f -c %T .)" != ext2/ext3 ] || [ "$(value_of maj_fault)" -ge 32 ] || fail "only $(value_of maj_fault) major faults"
