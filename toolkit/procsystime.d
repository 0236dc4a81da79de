/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procsystime - time in system calls, by call
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Sums the time between entry and return of each system call until ^C, or until the command has ended.
 * Calls that take most are last. Time that a call waits counts; the column CPU has what it computes.
 *
 * Columns:
 *   CALL         name of the call
 *   COUNT        number of calls
 *   TIME(us)     time in them, in microseconds
 *   AVERAGE(us)  the same for one call
 *   LONGEST(us)  time of the longest call
 *   CPU(us)      time on a CPU in them
 *
 * See: syscount, errinfo, dtruss, offcpu, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int is_ours = $target ? target : pid != $pid;

BEGIN
{
	printf("Measuring system calls. ^C ends it.\n");
}

syscall:::entry
/is_ours/
{
	self->from = timestamp;
	self->cpu_from = vtimestamp;
}

syscall:::return
/self->from/
{
	this->ns = timestamp - self->from;
	@time[probefunc] = sum(this->ns);
	@calls[probefunc] = count();
	@average[probefunc] = avg(this->ns);
	@longest[probefunc] = max(this->ns);
	@cpu[probefunc] = sum(vtimestamp - self->cpu_from);
	@total["TOTAL"] = sum(this->ns);
	@total_calls["TOTAL"] = count();
	self->from = 0;
	self->cpu_from = 0;
}

END
{
	normalize(@time, 1000);
	normalize(@average, 1000);
	normalize(@longest, 1000);
	normalize(@cpu, 1000);
	normalize(@total, 1000);
	printf("\n%-24s %9s %12s %12s %12s %12s\n", "CALL", "COUNT", "TIME(us)", "AVERAGE(us)",
	    "LONGEST(us)", "CPU(us)");
	printa("%-24s %@9d %@12d %@12d %@12d %@12d\n", @calls, @time, @average, @longest, @cpu);
	printa("%-24s %@9d %@12d\n", @total_calls, @total);
}
