/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shortlived - time spent on processes that live shortly
 *
 * Usage: [-p PID | -c COMMAND] [-m MS]
 *
 * Sums, until ^C or until the command has ended, how many processes started and ended within some
 * milliseconds, for whom, and how much CPU time they used: a machine may be busy with many processes
 * that no list shows. With -p and -c only this process and its descendants count.
 *
 * Columns:
 *   COMM              name of the program
 *   COUNT             number of processes
 *   AVERAGE LIFE(us)  how long they lived
 *   CPU(us)           CPU time that they used
 *   PPID              process number of the parent
 *   PARENT            its name
 *
 * See: execsnoop, exitsnoop, pidpersec, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument limit "-m MS" "how long a process may live" default 1000 from 1 to 1000000000

uint64_t began;
inline uint64_t age = timestamp - curthread->group_leader->start_time;
inline uint64_t used = curthread->signal->sum_sched_runtime + vtimestamp;

BEGIN
{
	began = timestamp;
	printf("Counting processes that live less than %d ms. ^C ends it.\n", $limit);
}

proc:::exit
/age < $limit * 1000000 && (!$target || target)/
{
	@programs[execname] = count();
	@life[execname] = avg(age);
	@cpu[execname] = sum(used);
	@parents[ppid, stringof(curthread->real_parent->comm)] = count();
	@total = count();
	@total_cpu = sum(used);
}

END
{
	this->ms = (timestamp - began) / 1000000;
	normalize(@life, 1000);
	normalize(@cpu, 1000);
	normalize(@total_cpu, 1000);
	printf("\n%-16s %8s %16s %12s\n", "COMM", "COUNT", "AVERAGE LIFE(us)", "CPU(us)");
	printa("%-16s %@8d %@16d %@12d\n", @programs, @life, @cpu);
	printf("\n%8s %-16s %8s\n", "PPID", "PARENT", "COUNT");
	printa("%8d %-16s %@8d\n", @parents);
	printa("\n%@d processes", @total);
	printa(" with %@d us of CPU time", @total_cpu);
	printf(" in %d.%03d s\n", this->ms / 1000, this->ms % 1000);
}
