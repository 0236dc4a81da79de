# What: any instruction of a function is probed by its offset; what is not the begin of one is refused; above fbtmax arg0 of returns is -1.  Needs: kprobe btf
. "$LIB"
command='/usr/bin/dd if=/dev/zero of=/dev/null bs=123 count=57 status=none'
must_trace -n 'fbt:vmlinux:vfs_read:return /pid == $target && arg1 == 123/ { @[arg0] = count(); } END { printa("%x %@d\n", @); }' -c "$command"
read -r offset count <out || fail "no return has an offset"
[ "$count" -ge 1 ] || fail "no return has an offset"
must_trace -n "fbt:vmlinux:vfs_read:0x$offset /pid == \$target && arg1 == 123/ { @n[probename, arg0 == 0x$offset] = count(); }
	fbt::vfs_read:0 /pid == \$target/ { @zero = count(); @at[stackdepth > 0, arg0] = count(); }" -c "$command"
contains "^ *0x$offset  *1  *$count\$"
contains '^ *1  *0  *[1-9]'
"$DTRACE" -n 'fbt::vfs_read:1 { @ = count(); }' >out 2>err && fail "in the middle of an instruction"
grep -q 'cannot probe offset 1 of vmlinux`vfs_read: no instruction begins there' err || fail "$(cat err)"
"$DTRACE" -n 'fbt::vfs_read:0xffffff { @ = count(); }' >out 2>err && fail "outside of the function"
grep -q 'cannot probe offset 0xffffff of vmlinux`vfs_read: it is outside of the function' err || fail "$(cat err)"
# Some functions have entries and returns, but the kernel forbids probes at their instructions.
tracing=/sys/kernel/tracing debug=/sys/kernel/debug
[ -e $tracing/available_filter_functions ] || mount -t tracefs none $tracing || fail "no tracefs"
[ -e $debug/kprobes ] || mount -t debugfs none $debug || fail "no debugfs"
closed=$(awk 'NR == FNR { listed[$1] = 1; next } $2 in listed { print $2; exit }' $tracing/available_filter_functions $debug/kprobes/blacklist)
if [ -n "$closed" ]; then
	"$DTRACE" -n "fbt:vmlinux:$closed:0 { @ = count(); }" >out 2>err && fail "$closed:0 is probed"
	grep -q "cannot probe offset 0 of vmlinux.$closed: the kernel forbids probes at instructions of this function" err || fail "$(cat err)"
fi
# More returning instructions than may be probed, of functions that are not too many: none is, which is said at once.
functions=$("$DTRACE" -ln 'fbt::vfs_*:return' | grep -c ' return$')
trace -n 'fbt::vfs_*:return /pid == $target/ { @n[probename, arg0] = count(); } END { printa("%s %d %@d\n", @n); }' -xfbtmax="$functions" -c "$command"
same "$status" 0 "status of many returns"
grep -q "arg0 of [0-9]* return probes of the kernel is -1: more than $functions instructions would be probed for it.*-x fbtmax=N" err || fail "nothing is said"
contains '^return -1 [1-9]'
"$DTRACE" -n 'fbt::vfs_*:0 { @[arg0] = count(); }' -xfbtmax=20 >out 2>err && fail "not refused"
grep -q "[0-9]* instructions of the kernel's functions are probed, .* some [0-9]* s in all.*-x fbtmax=" err || fail "$(cat err)"
exit 0
