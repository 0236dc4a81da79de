# What: what happens in an interrupt is not about the process that was interrupted: rawtp leaves it out and reports it.
. "$LIB"
[ -e /sys/kernel/btf/vmlinux ] || skip "no type data of the kernel"
need_cgroups
trace -x target=cgroup:/ -n 'rawtp:::softirq_entry { @ = count(); } rawtp:::sched_switch { @switches = count(); } tick-500ms { exit(0); }
	END { printa("%@u\n", @); printa("switched\n", @switches); }'
same "$status $(echo $(cat out))" "0 switched" "soft interrupts"
contains '^dtrace: [0-9]* firings of rawtp in interrupts are left out: they are not about the process that was interrupted (-x target)$' err
