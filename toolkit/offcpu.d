/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offcpu - time that threads do not run, by stacks
 *
 * Usage: [-p PID | -c COMMAND] [MICROSECONDS]
 *
 * Sums, until ^C or until the command has ended, the time that threads are off the CPUs: asleep, or
 * waiting for a CPU. Times have the kernel's stack and the user's, so that one sees what they wait
 * for. Stacks with most time are last.
 *
 * Arguments:
 *   MICROSECONDS  only times that are at least so long, by default 1; 0 shows all
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

int64_t least;

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	least = $$1 == "" ? 1 : strtoll($$1);
	is_refused = $$1 != "" && (least < 0 || least > 1000000000 || lltostr(least) != $$1);
}

BEGIN
/is_refused/
{
	printf("offcpu needs MICROSECONDS as a number from 0 to 1000000000\n");
	exit(1);
}

BEGIN
/!is_refused/
{
	printf("Measuring time off the CPUs. ^C ends it.\n");
}

sched:::off-cpu
/curthread->pid && (!$target || target)/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since && timestamp - self->since >= least * 1000/
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
/!is_refused/
{
	normalize(@time, 1000);
	normalize(@programs, 1000);
	printa("%k    -%kprocess %d, %s: %@d us\n\n", @time);
	printf("%7s %-16s %10s %14s\n", "PID", "COMM", "COUNT", "TIME(us)");
	printa("%7d %-16s %@10d %@14d\n", @count, @programs);
}
