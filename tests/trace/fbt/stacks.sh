# What: stack(), caller, func() and sym() name the functions of the kernel that lead to a probe.  Needs: kprobe btf
. "$LIB"
must_trace -n 'fbt::vfs_open:entry /pid == $target/ { stack(3); sym(caller); func(caller); exit(0); }' -c '/bin/cat /etc/passwd'
contains '^ *vmlinux`vfs_open'
contains '^ *vmlinux`do_.*open\|^ *vmlinux`path_openat'
exit 0
