# What: a function's calls are counted exactly, with typed arguments at the entry and the result at the return.  Needs: kprobe btf
. "$LIB"
command='/usr/bin/dd if=/dev/zero of=/dev/null bs=123 count=57 status=none'
must_trace -n 'fbt::vfs_read:entry /pid == $target && args[2] == 123/ { @n["entries"] = count(); @f[stringof(args[0]->f_path.dentry->d_name.name)] = count(); }
	fbt:vmlinux:vfs_read:return /pid == $target && args[1] == 123 && arg1 == 123/ { @n["returns"] = count(); @q = quantize(arg1); }
	fbt:vmlinux:vfs_read:return /pid == $target && arg0 != -1/ { @n["offsets"] = count(); }
	rawfbt::vfs_read:entry /pid == $target && arg2 == 123/ { @n["raw"] = count(); }' -c "$command"
contains '^ *entries  *57$'
contains '^ *returns  *57$'
contains '^ *raw  *57$'
contains '^ *zero  *57$'
contains '^ *64 |@* *57 *$'
grep -q offsets out && fail "the offset of a return is unknown"
exit 0
