/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqueue - metrics of threads that wait for a CPU
 *
 * dtrace_runqueue_seconds        from when a thread is ready until it runs (histogram)
 * dtrace_context_switches_total  threads that began to run
 */
#pragma D option quiet
#pragma D option oformat=openmetrics
#pragma D option listen=9402
#pragma D option dynvarsize=8m

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
/ready[curthread->pid] && curthread->pid/
{
	@runqueue_seconds = quantize(timestamp - ready[curthread->pid]);
	@context_switches = count();
}

sched:::on-cpu, sched:::sleep
{
	ready[curthread->pid] = 0;
}
