# What: pages of a process that are written to a swap area and come back: as many as the process gives away and touches.  Only
# in a machine of make check-vm, whose swap area is in memory.  Needs: kprobe btf python3.
. "$LIB"
need_guest "turns on a swap area"
need_zram 64M
mkswap /dev/zram0 >/dev/null && swapon /dev/zram0 || fail "no swap area"
trap 'swapoff /dev/zram0 && module unload zram' EXIT
cat >swaps.py <<'END'
import mmap, os, re, sys
MADV_PAGEOUT = 21
page, count = mmap.PAGESIZE, int(sys.argv[1])
memory = mmap.mmap(-1, count * page, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.madvise(mmap.MADV_NOHUGEPAGE)
memory.write(os.urandom(count * page))
memory.madvise(MADV_PAGEOUT)
with open("/proc/self/status") as status:
    gone = int(re.search(r"VmSwap:\s*(\d+) kB", status.read())[1]) * 1024 // page
sum(memory[i * page] for i in range(count))
sys.exit(0 if gone == count else "%d pages of %d were swapped" % (gone, count))
END
"$DTRACE" -lqn vminfo::: >list 2>&1
for probe in swapin anonpgin swapout anonpgout; do
	grep -q "$probe" list && echo "vminfo:::$probe /pid == \$target/ { @n[probename] = sum(arg0); }"
done >test.d
must_trace -s test.d -c "/usr/bin/python3 swaps.py 83"
same "$(value_of swapin) $(value_of anonpgin)" "83 83" "pages swapped in"
grep -q swapout list && same "$(value_of swapout) $(value_of anonpgout)" "83 83" "pages swapped out"
exit 0
