/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqlat - how long threads wait for a CPU
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Measures the time from when a thread becomes ready to run, because it is woken up, created or
 * preempted, until it runs, until ^C or until the command has ended. Long times mean that there are
 * more threads than CPUs.
 *
 * Columns:
 *   COMM         name of the thread
 *   COUNT        how often such threads began to run
 *   AVERAGE(us)  how long they waited for it, in microseconds
 *   LONGEST(us)  the longest wait
 *
 * See: cpudist, offcpu, dtrace-provider-sched
 */
#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("Measuring waits for a CPU. ^C ends it.\n");
}

/* A thread that changes its CPU while it waits enters another queue, too. */
sched:::enqueue
/!ready[args[0]->pr_lwpid]/
{
	ready[args[0]->pr_lwpid] = timestamp;
}

sched:::preempt
{
	ready[curthread->pid] = timestamp;
}

sched:::on-cpu
/ready[curthread->pid] && curthread->pid && (!$target || target)/
{
	this->us = (timestamp - ready[curthread->pid]) / 1000;
	@waits = quantize(this->us);
	@count[execname] = count();
	@average[execname] = avg(this->us);
	@longest[execname] = max(this->us);
}

sched:::on-cpu, sched:::sleep
{
	ready[curthread->pid] = 0;
}

END
{
	printf("\nwaits in us:");
	printa("%@d", @waits);
	printf("\n%-16s %10s %12s %12s\n", "COMM", "COUNT", "AVERAGE(us)", "LONGEST(us)");
	printa("%-16s %@10d %@12d %@12d\n", @count, @average, @longest);
}
