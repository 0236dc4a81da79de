# What: in a control group with little memory sizes are lowered so that all keys that were kept are printed, and the limit is named.
. "$LIB"
memory_group 32M

# What fits is as everywhere.
sh inside "$group" -q -x aggsize=1m -n 'BEGIN { @[1] = count(); exit(0); }' >out 2>err
same "$? $(cat err)" "0 " "a small program"

# inside_with OPTION... PROGRAM - rows and drops are together the keys
inside_with() {
	rm -f counts
	TRIGGER_COUNTS=$PWD/counts sh inside "$group" -q "$@" -c "$TRIGGERS/burst 100000" >out 2>err
	status=$?
	same "$status" 0 "status of $*"
	keys=$(grep -c . out)
	same $((keys + $(drops))) "$(counted getppid)" "printed and dropped, $*"
}
lowered() { # lowered WHAT OPTION
	contains "^dtrace: $1 size lowered to [1-9][0-9]*[a-z ]* (-x $2): control group [^ ]*/dtrace-test-$$ has [0-9]*[mk] of its 32m of memory left\$" err
}
inside_with -n 'syscall::getppid:entry /pid == $target/ { @[n++] = count(); }'
lowered aggregation aggsize
[ "$keys" -gt 20000 ] || fail "$keys keys"
inside_with -x aggsize=1g -n 'syscall::getppid:entry /pid == $target/ { @[n++] = count(); }'
lowered aggregation aggsize
[ "$keys" -gt 20000 ] || fail "$keys keys"
inside_with -x aggsize=64m -n 'syscall::getppid:entry /pid == $target/ { @[execname, n++] = quantize(n); } END { printa("%s %d\n", @); }'
lowered aggregation aggsize
inside_with -x aggsize=64m -x bufsize=64m -n 'syscall::getppid:entry /pid == $target/ { @[n++] = sum(1); printf("%d", n); } END { printa("%d\n", @); printf("\n"); }'
lowered buffer bufsize
lowered aggregation aggsize
TRIGGER_COUNTS=$PWD/counts sh inside "$group" -q -x dynvarsize=64m -n 'syscall::getppid:entry /pid == $target/ { x[n++] = 1; }
	END { printf("%d\n", n); }' -c "$TRIGGERS/burst 100000" >out 2>err
same "$?" 0 "status with an array"
lowered "dynamic variable" dynvarsize

sh inside "$group" -q -x bufresize=manual -x aggsize=64m -n 'BEGIN { @[1] = count(); exit(0); }' >out 2>err
same "$?" 1 "status with bufresize=manual"
contains 'aggsize of 64m is too large: control group [^ ]* has [0-9]*[mk] of its 32m of memory left (bufresize=auto lowers it)' err
