# What: without the kernel's type data: simple programs run or one message says what is missing.  Needs: unshare btf.
. "$LIB"
cat >inside <<'SH'
mount --bind /dev/null /sys/kernel/btf/vmlinux || exit 77
exec "$DTRACE" -q -n "$1"
SH
unshare -m sh inside 'BEGIN { printf("%s\n", ((struct task_struct *)curthread)->comm); exit(0); }' >out 2>err
status=$?
[ "$status" -eq 77 ] && skip "cannot cover /sys/kernel/btf/vmlinux"
same "$status" 1 status
contains 'BTF\|/sys/kernel/btf/vmlinux' err
unshare -m sh inside 'BEGIN { printf("hello\n"); exit(0); }' >out 2>err
[ "$?" -eq 0 ] || contains 'BTF\|/sys/kernel/btf/vmlinux' err
