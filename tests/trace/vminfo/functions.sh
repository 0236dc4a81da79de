# What: what functions of the kernel show: new pages, pages copied after fork, paths looked up (python writes some pages, too).
# Needs: btf kprobe python3
. "$LIB"
cat >child.py <<'E2'
import mmap, os
def area():
    pages = mmap.mmap(-1, 200 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    pages.madvise(15)                                   # MADV_NOHUGEPAGE
    return pages
def touch(pages):
    for i in range(200):
        pages[i * mmap.PAGESIZE] = 1
pages = area()
os.sched_get_priority_max(0)                                            # 1: new pages
touch(pages)
os.sched_get_priority_max(0)                                            # 2
child = os.fork()
if child == 0:
    os.sched_get_priority_max(0)                                        # 3: pages that both have
    touch(pages)
    os.sched_get_priority_max(0)                                        # 4
    os._exit(0)
os.waitpid(child, 0)
os.sched_get_priority_max(0)                                            # 5: paths
for i in range(10):
    try:
        os.stat("/nonexistent")
    except FileNotFoundError:
        pass
os.sched_get_priority_max(0)                                            # 6
E2
"$DTRACE" -ln vminfo:::zfod 2>&1 | grep -q ' zfod$' || zfod=none # 6.1 has no function of its own for it
must_trace -Zn 'syscall::sched_get_priority_max:entry /progenyof($target)/ { on++; }
	vminfo:::zfod /pid == $target && on == 1/ { @n["zfod"] = sum(arg0); }
	vminfo:::cow_fault /progenyof($target) && pid != $target && on == 3/ { @n["cow"] = sum(arg0); }
	sysinfo:::namei /pid == $target && on == 5/ { @n["namei"] = sum(arg0); }
	END { printa("%s %@d\n", @n); }' -c "$(command -v python3) child.py"
same "$(value_of namei)" 10 "paths"
[ "${zfod-}" ] || { [ "$(value_of zfod)" -ge 200 ] && [ "$(value_of zfod)" -le 210 ]; } || fail "$(value_of zfod) new pages"
[ "$(value_of cow)" -ge 200 ] && [ "$(value_of cow)" -le 240 ] || fail "$(value_of cow) copied pages"
