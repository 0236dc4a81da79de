# What: a kernel that lists only functions: their addresses are known, and for variables the reason is reported.
. "$LIB"
grep -q ' init_task$' /proc/kallsyms && skip "this kernel lists data symbols too"
must_trace -n 'BEGIN { printf("%a %d\n", (uintptr_t)`schedule, &`schedule == `schedule); exit(0); }'
contains '^vmlinux`schedule 1$'
trace -x errtags -n 'BEGIN { trace(`jiffies); }'
same "$status" 1 "status of an unknown symbol"
contains 'D_IDENT_UNDEF.*CONFIG_KALLSYMS_ALL' err
must_trace -x knodefs -n 'BEGIN { printf("%d\n", (uint64_t)&`jiffies); exit(0); }'
contains '^0$'
