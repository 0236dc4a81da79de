# What: stack(), caller and stackdepth are the same whether another tracer has the tracepoint or not.
. "$LIB"
frames() {
	must_trace -n 'syscall::getppid:entry, syscall::getppid:return /pid == $target/
		{ @a[probename, stack()] = count(); @b[probename, sym(caller)] = count(); @c[probename, stackdepth] = count(); }
		END { printa(@a); printa(@b); printa(@c); }' -c "$TRIGGERS/syscalls $1"
}
# The kernel distinguishes one tracer of a system call and several; ours come and go meanwhile, too.
frames 100
[ "$(grep -c '^ *entry\|^ *return' out)" -eq 6 ] || fail "not one stack, caller and depth each"
mv out alone
env --default-signal=INT "$DTRACE" -q -n 'BEGIN { trace("on"); } syscall:::entry, syscall:::return { @ = count(); }' >other &
other=$!
until_true 10 test -s other || fail "the other tracer does not begin"
frames 100
kill -INT "$other"
wait "$other"
cmp -s alone out || fail "$(diff alone out)"
