# What: stack(), caller, func() and sym() name the functions of the kernel that lead to a probe.  Needs: kprobe btf
. "$LIB"
must_trace -n 'fbt::vfs_open:entry /pid == $target/ { stack(3); @s[sym(caller)] = count(); @f[func(caller)] = count(); exit(0); }
	END { printa("sym %a\n", @s); printa("func %a\n", @f); }' -c '/bin/cat /etc/passwd'
contains '^ *vmlinux`vfs_open'
contains '^ *vmlinux`do_.*open\|^ *vmlinux`path_openat'
calling=$(awk '/vmlinux`vfs_open/ { getline; sub(/\+.*/, "", $1); print $1; exit }' out) # the second frame
contains "^sym $calling\(+0x[0-9a-f]*\)\? *\$"
contains "^func $calling *\$"
