# What: up to 20 entries and returns are programs that trampolines call, with the same values and counts as the kernel probes of more.  Needs: kprobe btf
. "$LIB"
"$DTRACE" -x debug -qn 'fbt:vmlinux:vfs_read:entry {} BEGIN { exit(0); }' >out 2>err
why=$(sed -n 's/.*the kernel refuses fentry: //p' err | head -n 1)
[ -z "$why" ] || skip "no fentry: $why"
# The command is a child of dtrace, whose descriptors it looks at: types of attachments are those of the kernel's bpf.h.
cat >links <<'END'
#!/bin/sh
for type in 24 25; do
	cat /proc/"$PPID"/fdinfo/* 2>/dev/null | grep -c "^attach_type:[[:space:]]*$type$"
done
END
chmod +x links
links_of() { # DESCRIPTION
	timeout 200 "$DTRACE" -qn "$1 { @ = count(); }" -o counts -c ./links >out 2>err || fail "$1: $(cat err)"
	tr '\n' ' ' <out
}
same "$(links_of 'fbt:vmlinux:vfs_read:entry, fbt:vmlinux:vfs_write:entry')" "2 0 " "fentry and fexit of two entries"
same "$(links_of 'fbt:vmlinux:vfs_read:, fbt:vmlinux:vfs_write:')" "2 2 " "fentry and fexit of two functions"
same "$(links_of 'fbt:vmlinux:vfs_*:entry')" "0 0 " "fentry and fexit of many entries"
command='/usr/bin/dd if=/dev/zero of=/dev/null bs=123 count=57 status=none'
for functions in vfs_read 'vfs_*'; do
	must_trace -n "fbt:vmlinux:$functions:entry /pid == \$target && probefunc == \"vfs_read\" && arg2 == 123/ { @n[\"entries\"] = count(); @b[\"bytes\"] = sum(arg2); @s[stack(1)] = count(); }" \
		-c "$command"
	same "$(value_of entries)" 57 "entries of $functions"
	same "$(value_of bytes)" 7011 "bytes of $functions"
	contains '^ *vmlinux`vfs_read'
done
# A negative int, and a pointer that a member is read from.
must_trace -n 'fbt:vmlinux:do_filp_open:entry /pid == $target && args[0] == -100/ { @[stringof(args[1]->name)] = count(); }' -c '/bin/cat /etc/passwd'
contains '^ */etc/passwd  *1$'
# More than one program can have: parts, for the same function.
for i in $(seq 400); do
	echo "fbt:vmlinux:vfs_read:entry /pid == \$target && arg2 == 123/ { @n[\"clause\"] = count(); @t[strjoin(execname, probefunc), $i] = sum(arg2); }"
done >many.d
"$DTRACE" -xaggsize=8m -s many.d -S 2>&1 -c true | grep -q 'kernel-fentry, part 2 of' || fail "not in parts"
must_trace -xaggsize=8m -s many.d -c "$command"
same "$(value_of clause)" $((400 * 57)) "firings of 400 clauses at one function"
exit 0
