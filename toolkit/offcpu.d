/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offcpu - time that threads do not run, by stacks
 *
 * Usage: [-p PID | -c COMMAND] [-m US]
 *
 * Sums, until ^C or until the command has ended, the time that threads are off the CPUs: asleep, or
 * waiting for a CPU. Times have the kernel's stack and the user's, so that one sees what they wait
 * for. Stacks with most time are last.
 *
 * Columns:
 *   PID       process number
 *   COMM      name of the program
 *   COUNT     how often its threads were off
 *   TIME(us)  how long in sum, in microseconds
 *
 * See: runqlat, cpudist, procsystime, lockstat, dtrace-provider-sched
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsize=16m
#pragma D argument slower "-m US" "only times that are at least so long; 0 shows all" default 1 from 0 to 1000000000

BEGIN
{
	printf("Measuring time off the CPUs. ^C ends it.\n");
}

sched:::off-cpu
/curthread->pid && (!$target || target)/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since && timestamp - self->since >= $slower * 1000/
{
	@time[stack(), ustack(), pid, execname] = sum(timestamp - self->since);
	@programs[pid, execname] = sum(timestamp - self->since);
	@count[pid, execname] = count();
}

sched:::on-cpu
{
	self->since = 0;
}

END
{
	normalize(@time, 1000);
	normalize(@programs, 1000);
	printa("%k    -%kprocess %d, %s: %@d us\n\n", @time);
	printf("%7s %-16s %10s %14s\n", "PID", "COMM", "COUNT", "TIME(us)");
	printa("%7d %-16s %@10d %@14d\n", @count, @programs);
}
