# What: more functions than the kernel detaches quickly are refused with the time; kprobe.multi takes all.  Needs: kprobe btf
. "$LIB"
if has_feature kprobe_multi; then
	must_trace -n 'fbt::tcp_*:entry, fbt::vfs_*: { @[probename] = count(); }' -c '/bin/cat /etc/passwd'
	contains '^ *entry  *[1-9]'
	contains '^ *return  *[1-9]'
	exit 0
fi
"$DTRACE" -n 'fbt::tcp_*: { @ = count(); }' >out 2>err && fail "not refused"
grep -q '[0-9]* functions of the kernel are probed.* some [0-9]* s in all.*-x fbtmax=' err || fail "$(cat err)"
