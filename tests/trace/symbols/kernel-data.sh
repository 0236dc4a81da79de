# What: variables of the kernel by backquote: typed by an extern, of each CPU, without a type.  Needs: btf.
. "$LIB"
grep -q ' init_task$' /proc/kallsyms || skip "this kernel lists no data symbols (CONFIG_KALLSYMS_ALL)"
cat >data.d <<'END'
extern struct task_struct init_task;
extern unsigned long jiffies;
BEGIN
{
	this->before = `jiffies;
	printf("%s %d\n", init_task.comm, `init_task.pid);
	printf("cpu %d\n", `runqueues.cpu == cpu);
	printf("current %d\n", `runqueues.curr == curthread);
	sym((uintptr_t)&vmlinux`jiffies);
	printf("\n%a\n", (uintptr_t)`schedule);
}
tick-100ms { printf("moves %d\n", `jiffies > this->before && `jiffies); exit(0); }
END
must_trace -s data.d
contains '^swapper/0 0$'
contains '^cpu 1$'
contains '^current 1$'
contains 'vmlinux`jiffies'
contains 'vmlinux`schedule'
contains '^moves 1$'
trace -x errtags -n 'BEGIN { trace(`jiffies); exit(0); }'
same "$status" 1 "status of a symbol without a type"
contains D_SYM_NOTYPES err
must_trace -n 'BEGIN { printf("%d\n", *(uint64_t *)&`jiffies != 0); exit(0); }'
contains '^1$'
