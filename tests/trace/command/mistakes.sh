# What: all mistakes of a program in one run, with tag, line and caret; nothing is enabled.
. "$LIB"
cat >bad.d <<'D'
BEGIN
{
	printf("enabled\n");
	4 = 5;
	nonsense(1);
	exit(0);
}
D
trace -x errtags -s bad.d
same "$status" 1 status
[ -s out ] && fail "something was traced"
contains '^dtrace: failed to compile script bad.d: \[D_OP_LVAL\] line 4: ' err
contains '\[D_FUNC_UNDEF\] line 5: ' err
contains '\^' err
trace -x errtags -n 'BEGIN { exit('
same "$status" 1 "status of a syntax error"
contains '\[D_SYNTAX\]' err
# The missing part of a backquoted name: the module, or the symbol in it.
trace -n 'BEGIN { trace(&nosuchmodule`x); }'
contains 'nosuchmodule`x is unknown: the kernel has no module nosuchmodule (a symbol of the target has two backquotes: nosuchmodule``x)' err
trace -n 'BEGIN { trace(&vmlinux`no_such_symbol); }'
contains 'vmlinux has no symbol no_such_symbol' err
