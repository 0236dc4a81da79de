# What: a kernel without kprobes is the reason why there is no probe of fbt.
. "$LIB"
[ -e /sys/bus/event_source/devices/kprobe ] && skip "this kernel has kprobes"
"$DTRACE" -n 'fbt::vfs_read:entry { @ = count(); }' >out 2>err && fail "there is one"
grep -q 'no fbt probes: .*kprobes' err || fail "$(cat err)"
"$DTRACE" -n 'rawfbt::vfs_read:entry { @ = count(); }' >out 2>err && fail "there is one"
grep -q 'no rawfbt probes: .*kprobes' err || fail "$(cat err)"
"$DTRACE" -l >out 2>err || fail "$(cat err)"
exit 0
