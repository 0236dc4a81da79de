# What: firings inside of our own programs are skipped by the kernel, and each is counted and reported; the firings of these programs are all there.  Needs: kprobe btf
. "$LIB"
has_feature kprobe_multi || skip "this kernel does not count what it skips (without kprobe.multi)"
# A program copies a string of the kernel: at each of its firings the function that does so is called, and cannot fire.
name=r$$
cp "$TRIGGERS/syscalls" "$name" || fail "no trigger"
trace -n 'fbt::strncpy_from_kernel_nofault:entry { @n["inside"] = count(); }
	fbt::__*_sys_getppid:entry /pid == $target/ { @[stringof(&curthread->comm[0])] = count(); }' -c "./$name 211"
[ "$status" -eq 0 ] || fail "status $status"
contains "^ *$name  *211\$"
missed=$(sed -n 's/^dtrace: \([0-9]*\) firings missed: the program was already running on that CPU$/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
[ "$missed" -ge 211 ] || fail "$missed of 211 firings are reported as missed"
# Others may copy strings, too; nobody copied so many.
[ "$missed" -lt 300 ] || fail "$missed firings are reported as missed, wanted 211"
