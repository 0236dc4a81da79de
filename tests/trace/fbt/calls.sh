# What: a function's calls are counted exactly, with typed arguments at the entry, the result and the returning instruction at the return.  Needs: kprobe btf
. "$LIB"
command='/usr/bin/dd if=/dev/zero of=/dev/null bs=123 count=57 status=none'
must_trace -n 'fbt::vfs_read:entry /pid == $target && args[2] == 123/ { @n["entries"] = count(); @f[stringof(args[0]->f_path.dentry->d_name.name)] = count(); }
	fbt:vmlinux:vfs_read:return /pid == $target && args[1] == 123 && arg1 == 123/ { @n["returns"] = count(); @q = quantize(arg1); }
	rawfbt::vfs_read:entry /pid == $target && arg2 == 123/ { @n["raw"] = count(); }' -c "$command"
contains '^ *entries  *57$'
contains '^ *returns  *57$'
contains '^ *raw  *57$'
contains '^ *zero  *57$'
contains '^ *64 |@* *57 *$'
must_trace -n 'fbt:vmlinux:vfs_read:return /pid == $target && args[1] == 123/ { @[arg0 > 0 ? "known" : "unknown", args[0] == arg0] = count(); }' -c "$command"
contains '^ *known  *1  *57$'
exit 0
