# What: a clause of a call that only 32-bit programs make, such as Solaris's sigaction, is warned of once; others are not. Needs: btf.
. "$LIB"
warned() {
	trace -n "$1" -n 'BEGIN { exit(0); }'
	same "$status" 0 "status of $1"
	same "$(cat err)" "$2" "messages of $1"
}
build=$("$DTRACE" -ln 'syscall::sigaction:' | wc -l)
[ "$build" -gt 1 ] || skip "32-bit programs have no call sigaction here"
warned 'syscall::sigaction:entry, syscall::sigaction:return { n++; }' \
	'dtrace: warning: line 1: only 32-bit programs make the system call sigaction: of 64-bit ones it is rt_sigaction'
warned 'syscall::sigaction:entry, syscall::rt_sigaction:entry { n++; }' ''
"$DTRACE" -ln syscall::socketcall:entry 2>&1 | grep -q 'socketcall  *entry$' || exit 0 # aarch64
warned 'syscall::sigact*:entry, syscall::read:entry { n++; }
	syscall::socketcall:entry { n++; }' 'dtrace: warning: line 2: only 32-bit programs make the system call socketcall'
