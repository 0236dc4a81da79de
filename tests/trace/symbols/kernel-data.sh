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
# Without a type it is an unsigned integer, if its size is that of one.
must_trace -n 'BEGIN { printf("%d %d\n", sizeof(`max_pfn), `max_pfn > 1000 && `max_pfn == *(uint64_t *)&`max_pfn); exit(0); }'
contains '^8 1$'
must_trace -n 'BEGIN { @[`max_pfn] = max(`max_pfn); printa("%d %@d\n", @); exit(0); }'
grep -q '^\([0-9]*\) \1$' out || fail "as a key and as a value it differs"
must_trace -n 'BEGIN { x = `jiffies; printf("%d %d %d\n", sizeof(`jiffies), x == *(uint64_t *)&`jiffies_64 || x + 1 == `jiffies, `panic_timeout == *(int *)&`panic_timeout); exit(0); }'
contains '^8 1 1$'
trace -x errtags -n 'BEGIN { trace(`init_mm); exit(0); }'
same "$status" 1 "status of a symbol without a type"
contains D_SYM_NOTYPES err
