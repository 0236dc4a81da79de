/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * softirqs - what the kernel does after interrupts
 *
 * Usage: [-p PID | -c COMMAND] [-i SECONDS]
 *
 * Counts soft interrupts (network, disks, timers) by kind and sums their time, until ^C or until the
 * command has ended, or prints a table every so many seconds. With -p and -c the tool ends when the
 * process does, and shows the whole system all the same.
 *
 * Columns:
 *   KIND         which soft interrupt
 *   COUNT        how often it ran
 *   TIME(us)     its time, in microseconds
 *   AVERAGE(ns)  average time of a run, in nanoseconds
 *   LONGEST(ns)  longest run
 *
 * See: intrstat, hotkernel, dtrace-provider-rawtp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument seconds "-i SECONDS" "time of a table; 0: one table at the end" default 0 from 0 to 1000000000

inline string kind[int n] = n == 0 ? "HI" : n == 1 ? "TIMER" : n == 2 ? "NET_TX" : n == 3 ? "NET_RX" :
	n == 4 ? "BLOCK" : n == 5 ? "IRQ_POLL" : n == 6 ? "TASKLET" : n == 7 ? "SCHED" : n == 8 ? "HRTIMER" :
	n == 9 ? "RCU" : lltostr(n);

BEGIN
{
	printf("Measuring soft interrupts. ^C ends it.\n");
}

rawtp:::softirq_entry
{
	begun[cpu] = timestamp;
}

rawtp:::softirq_exit
/begun[cpu]/
{
	this->ns = timestamp - begun[cpu];
	@count[kind[arg0]] = count();
	@time[kind[arg0]] = sum(this->ns);
	@average[kind[arg0]] = avg(this->ns);
	@longest[kind[arg0]] = max(this->ns);
	begun[cpu] = 0;
}

tick-1s
/$seconds && ++n % $seconds == 0/
{
	normalize(@time, 1000);
	printf("\n%-12s %10s %12s %12s %12s\n", "KIND", "COUNT", "TIME(us)", "AVERAGE(ns)", "LONGEST(ns)");
	printa("%-12s %@10d %@12d %@12d %@12d\n", @count, @time, @average, @longest);
	clear(@count);
	clear(@time);
	clear(@average);
	clear(@longest);
}

END
/!$seconds/
{
	normalize(@time, 1000);
	printf("\n%-12s %10s %12s %12s %12s\n", "KIND", "COUNT", "TIME(us)", "AVERAGE(ns)", "LONGEST(ns)");
	printa("%-12s %@10d %@12d %@12d %@12d\n", @count, @time, @average, @longest);
}
