# What: without privileges the process of -c, or dtrace itself, runs what it can (executor=auto); for all else one message names the
# missing privilege.  -l does not report files of providers that the kernel's hidden addresses make wrong.  Needs: setpriv.
# Executors: usual (it tests how dtrace chooses).
. "$LIB"
cp "$DTRACE" dtrace && chmod 755 dtrace
as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all ./dtrace "$@" >out 2>err
	status=$?
}
as_nobody -q -n 'BEGIN { printf("begun\n"); exit(0); }'
same "$status $(cat out)" "0 begun" "BEGIN alone"
as_nobody -q -n 'pid$target::malloc:entry { @ = quantize(arg0); } tick-1s { }' -c 'ls /'
same "$status" 0 "status of malloc"
contains 'Distribution'
[ -s err ] && fail "messages"
as_nobody -q -n 'pid$target::malloc:return { @[ustack(), entry(arg0)] = count(); }' -c 'ls /'
same "$status" 0 "status of stacks"
contains 'ls`'
[ -s err ] && fail "messages"
# What needs the kernel: one message, with what the other would have said.
needs_kernel() {
	why=$1
	shift
	as_nobody -q "$@"
	same "$status" 1 "status: $*"
	same "$(wc -l <err)" 1 "lines of message: $*"
	contains 'CAP_\|root' err
	contains "(without them: .*$why" err
}
needs_kernel 'the interpreter runs BEGIN' -n 'syscall:::entry { @ = count(); }'
needs_kernel 'outside of processes' -n 'pid$target::malloc:entry, syscall::read:entry { @ = count(); }' -c 'ls /'
needs_kernel 'a function that only the kernel has' -n 'pid$target::malloc:entry { @[stack()] = count(); }' -c 'ls /'
as_nobody -q -x bufpolicy=ring -n 'pid$target::malloc:entry { @ = count(); }' -c 'ls /'
same "$status" 0 "status of a flight recorder"
as_nobody -q -x executor=kernel -n 'BEGIN { exit(0); }'
same "$status" 1 "status of the kernel"
grep -q without err && fail "another executor is named"
as_nobody -V
same "$status $(cat out)" "0 dtrace: D 2.0" "-V"
as_nobody -e -n 'BEGIN { trace(1); }'
same "$status" 0 "-e"
as_nobody -l -n 'syscall::read:'
same "$status" 0 "-l"
contains 'syscall.*read entry$'
as_nobody -l
same "$status" 0 "-l of all"
grep '^dtrace: provider file\|^dtrace: failed to compile' err && fail "-l reports files of providers"
exit 0
