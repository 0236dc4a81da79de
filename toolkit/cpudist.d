/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpudist - how long threads run before they leave a CPU
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Measures each stay of a thread on a CPU, from when it begins to run until it sleeps or is preempted,
 * until ^C or until the command has ended.
 *
 * Columns:
 *   COMM         name of the thread
 *   COUNT        how often such threads left a CPU
 *   AVERAGE(us)  how long they had run, in microseconds
 *   SUM(ms)      the sum in milliseconds
 *
 * See: runqlat, offcpu, hotuser, dtrace-provider-sched
 */
#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("Measuring stays on CPUs. ^C ends it.\n");
}

sched:::on-cpu
/curthread->pid && (!$target || target)/
{
	self->since = timestamp;
}

sched:::off-cpu
/self->since/
{
	this->us = (timestamp - self->since) / 1000;
	@stays = quantize(this->us);
	@count[execname] = count();
	@average[execname] = avg(this->us);
	@sum[execname] = sum(timestamp - self->since);
	self->since = 0;
}

END
{
	normalize(@sum, 1000000);
	printf("\nstays in us:");
	printa("%@d", @stays);
	printf("\n%-16s %10s %12s %12s\n", "COMM", "COUNT", "AVERAGE(us)", "SUM(ms)");
	printa("%-16s %@10d %@12d %@12d\n", @count, @average, @sum);
}
