# What: of many threads that are in a function at once each return is seen, with its result, caller and a stack without trampolines.  Needs: kprobe btf python3.
. "$LIB"
cat >sleepers.py <<'END'
import threading, time
threads = [threading.Thread(target=time.sleep, args=(1,)) for _ in range(40)]
for t in threads: t.start()
for t in threads: t.join()
END
sleepers="$(command -v python3) sleepers.py"
"$DTRACE" -x debug -qn 'fbt:vmlinux:hrtimer_nanosleep:return {} BEGIN { exit(0); }' >out 2>err
why=$(sed -n 's/.*the kernel refuses fexit: //p' err | head -n 1)
[ -z "$why" ] || skip "no fexit: $why"
must_trace -n 'fbt:vmlinux:hrtimer_nanosleep:entry, fbt:vmlinux:hrtimer_nanosleep:return /pid == $target/ { @n[probename] = count(); }
	fbt:vmlinux:hrtimer_nanosleep:return /pid == $target && arg1 == 0/ { @c[func(caller)] = count(); }' -c "$sleepers"
same "$(value_of entry)" 40 "entries"
same "$(value_of return)" 40 "returns"
contains 'vmlinux`.*nsleep.* 40$'
# A function whose result is a pointer, and one of its callees: between them in the stack is a trampoline, which is not shown.
must_trace -n 'fbt:vmlinux:vfs_open:return, fbt:vmlinux:do_filp_open:return /pid == $target/ { @n[probefunc] = count(); @s[stack(9)] = count(); }
	fbt:vmlinux:do_filp_open:return /pid == $target && arg1 < 0 && arg1 < -4095/ { @f[stringof(args[1]->f_path.dentry->d_name.name)] = count(); }' \
	-c '/bin/cat /etc/passwd'
contains '^ *passwd  *1$'
contains '^ *vmlinux`vfs_open'
contains '^ *vmlinux`do_filp_open'
grep -q 'bpf_trampoline\|bpf_prog' out && fail "frames of a trampoline"
exit 0
