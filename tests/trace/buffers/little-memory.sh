# What: where memory is short, buffers are smaller (bufresize=auto) or a message says so (manual); nothing is lost unsaid.
. "$LIB"
[ "$(nproc)" -ge 2 ] || skip "only one CPU: there is room for one buffer in all of these"
books() {
	same "$status" 0 "status with $1"
	contains '^dtrace: buffer size lowered to [1-9]' err
	same $(($(grep -c '^r$' out) + $(drops))) "$(counted getppid)" "printed and dropped with $1"
	rm -f counts
}
program='syscall::getppid:entry /pid == $target/ { printf("r\n"); }'

# Of address space: our process may have 300 MB, and maps twice 64 MB and more of each CPU.
for policy in switch fill; do
	(
		ulimit -v 300000
		trace -b 64m -x bufpolicy=$policy -n "$program" -c "$TRIGGERS/burst 1000"
		books "little address space, $policy"
	) || exit 1
done
(
	ulimit -v 300000
	trace -b 64m -x bufresize=manual -n "$program" -c "$TRIGGERS/burst 1000"
	same "$status" 1 "status with bufresize=manual"
	contains 'cannot make a buffer of 67108864 bytes for each CPU: .*Cannot allocate memory' err
) || exit 1

# Of a control group: it allows one buffer of 64 MB, but not two.
memory_group 110M
TRIGGER_COUNTS=$PWD/counts sh inside "$group" -q -b 64m -n "$program" -c "$TRIGGERS/burst 1000" >out 2>err
status=$?
books "a control group"
