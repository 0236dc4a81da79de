# What: the kernel's thread that looks for free pages begins to do so: as often as the kernel counts.  Only in a machine of
# make check-vm, which for a moment wants more pages free than there are.  Needs: btf python3.
. "$LIB"
need_guest "makes free memory scarce"
cat >scarce.py <<'END'
import os, re, time


def number(path, name):
    with open(path) as file:
        return int(re.search(r"^%s:?\s+(\d+)" % name, file.read(), re.M)[1])


def setting(name):
    with open("/proc/sys/vm/" + name) as file:
        return int(file.read())


def settings(new):
    for name, value in new.items():
        with open("/proc/sys/vm/" + name, "w") as file:
            file.write(str(value))


def rounds():
    return number("/proc/vmstat", "pageoutrun")


def wait(goal):
    end = time.monotonic() + 60
    while not goal() and time.monotonic() < end:
        os.urandom(1 << 20)  # memory is asked for
        time.sleep(0.05)


def is_quiet():
    before = rounds()
    time.sleep(1)
    return rounds() == before


before = rounds()
old = {name: setting(name) for name in ("watermark_scale_factor", "min_free_kbytes")}
free, total = number("/proc/meminfo", "MemFree"), number("/proc/meminfo", "MemTotal")
# The thread is woken below the lowest number of pages and 30 % of all, and others wait only below the lowest number.
settings({"watermark_scale_factor": 3000, "min_free_kbytes": max(free - total * 15 // 100, old["min_free_kbytes"])})
wait(lambda: rounds() > before)
settings(old)
wait(is_quiet)
print("kernel", rounds() - before)
END
must_trace -n 'vminfo:::pgrrun { @n["probe"] = sum(arg0); }' -c "/usr/bin/python3 scarce.py"
[ "$(value_of kernel)" -ge 1 ] || fail "the thread was not woken"
same "$(value_of probe)" "$(value_of kernel)" "rounds"
