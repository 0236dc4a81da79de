# What: the entries of all functions at once are counted, as two links; their cost is said before; firings inside of our own work are reported, and the machine goes on.  Needs: kprobe btf
. "$LIB"
if ! has_feature kprobe_multi; then
	"$DTRACE" -n 'fbt:::entry { @ = count(); }' >out 2>err && fail "not refused"
	grep -q '[0-9]* functions of the kernel are probed.* s in all' err || fail "$(cat err)"
	exit 0
fi
timeout 200 "$DTRACE" -n 'fbt:::entry { @[probemod] = count(); } tick-3s { exit(0); }' >out 2>err || fail "status $?"
contains '^ *vmlinux  *[1-9][0-9][0-9]'
grep -q "[1-9][0-9]* entries and 0 returns of the kernel's functions are probed: .* of locks, [0-9]* of the scheduler" err || fail "$(cat err)"
grep -q '[0-9]* probes that a pattern matches are left out' err || fail "$(cat err)"
grep 'aggregation drop' err && fail "no memory for new keys"
/bin/true || fail "no process can be started"
