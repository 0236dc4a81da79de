/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * softirqs - what the kernel does after interrupts
 *
 * Usage: [-p PID | -c COMMAND] [SECONDS]
 *
 * Counts soft interrupts (network, disks, timers) by kind and sums their time, until ^C or until the
 * command has ended, or prints a table every so many seconds. With -p and -c the tool ends when the
 * process does, and shows the whole system all the same.
 *
 * Arguments:
 *   SECONDS  time of a table; 0, the default: one table at the end
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

int64_t seconds;
inline string kind[int n] = n == 0 ? "HI" : n == 1 ? "TIMER" : n == 2 ? "NET_TX" : n == 3 ? "NET_RX" :
	n == 4 ? "BLOCK" : n == 5 ? "IRQ_POLL" : n == 6 ? "TASKLET" : n == 7 ? "SCHED" : n == 8 ? "HRTIMER" :
	n == 9 ? "RCU" : lltostr(n);

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	seconds = $$1 == "" ? 0 : strtoll($$1);
	is_refused = $$1 != "" && (seconds < 0 || seconds > 1000000000 || lltostr(seconds) != $$1);
}

BEGIN
/is_refused/
{
	printf("softirqs needs SECONDS as a number from 0 to 1000000000\n");
	exit(1);
}

BEGIN
/!is_refused/
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
/seconds && ++n % seconds == 0/
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
/!is_refused && !seconds/
{
	normalize(@time, 1000);
	printf("\n%-12s %10s %12s %12s %12s\n", "KIND", "COUNT", "TIME(us)", "AVERAGE(ns)", "LONGEST(ns)");
	printa("%-12s %@10d %@12d %@12d %@12d\n", @count, @time, @average, @longest);
}
