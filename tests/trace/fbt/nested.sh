# What: functions that programs call while they hold a lock, named in full beside probes of other kinds: the machine goes on, firings inside of ours are counted.  Needs: kprobe btf
. "$LIB"
# The buffer's lock is held when its function is called, and a map's: a program there that waits for the same lock would wait for ever.
tried=0
# has_function NAME - some are not functions on every machine
has_function() {
	"$DTRACE" -ln "fbt::$1:entry" 2>/dev/null | grep -q "$1 entry"
}
for outer in 'syscall::getppid:entry' 'fbt:vmlinux:vfs_read:entry' 'rawtp:::sys_enter'; do
	for function in _raw_spin_unlock_irqrestore _raw_spin_unlock _raw_spin_lock_irqsave; do
		has_function "$function" || continue
		tried=$((tried + 1))
		for statement in 'trace(1)' '@[probefunc, pid, stack(3)] = count()'; do
			trace -n "$outer /pid == \$target/ { $statement; } fbt::$function:entry { $statement; }" -o counts -c "$TRIGGERS/syscalls 200"
			[ "$status" -eq 0 ] || fail "$outer, $function, $statement: status $status"
			grep -v '^dtrace: .*\(firings* missed: the program was already\|drops* on CPU\|aggregation drop\)' err && fail "$outer, $function, $statement"
		done
	done
done
[ "$tried" -gt 0 ] || skip "no function of locks is traced here"
# Each record of 200 system calls is written under the lock; others may run on this CPU meanwhile.
if has_feature kprobe_multi && has_function _raw_spin_unlock_irqrestore; then
	trace -n 'syscall::getppid:entry /pid == $target/ { trace(1); @n = count(); } fbt::_raw_spin_unlock_irqrestore:entry { @all = count(); }' \
		-o counts -c "$TRIGGERS/syscalls 200"
	missed=$(sed -n 's/^dtrace: \([0-9]*\) firings missed: the program was already running on that CPU$/\1/p' err | awk '{ n += $1 } END { print n + 0 }')
	[ "$missed" -ge 200 ] || fail "$missed of 200 firings are reported as missed"
fi
exit 0
