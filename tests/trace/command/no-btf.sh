# What: without the kernel's type data: simple programs run or one message names what is missing. Needs: unshare btf.
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

# System calls are traced by the type data of their tracepoints.
unshare -m sh inside 'syscall::getppid:entry { n++; } tick-1ms { exit(0); }' >out 2>err
same "$?" 1 "status of system calls"
contains "syscall-entry: this needs the kernel's type data (CONFIG_DEBUG_INFO_BTF): .*/sys/kernel/btf/vmlinux" err

# A program that depends on a module does so on its types, too: those of one that is built in are the kernel's.
for module in vmlinux kernel printk $(ls /sys/kernel/btf | grep -v '^vmlinux$' | head -n 1); do
	[ "$module" = printk ] && [ ! -d /sys/module/printk ] && continue
	depends="#pragma D depends_on module $module
BEGIN { printf(\"hello\"); exit(0); }"
	must_trace -n "$depends"
	same "$(cat out)" hello "with the types of $module"
	unshare -m sh inside "$depends" >out 2>err
	same "$?" 1 "status without the types of $module"
	contains "needs the module $module, which is missing or has no types" err
done
