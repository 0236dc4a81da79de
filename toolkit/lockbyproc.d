/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lockbyproc - time that programs wait for locks of the kernel
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Sums waits for mutexes, reader-writer locks and spin locks of the kernel by process, until ^C or
 * until the command has ended. Those with most time are last.
 *
 * Columns:
 *   PID          process number
 *   COMM         name of the program
 *   COUNT        number of waits
 *   SLEPT(us)    time asleep for locks, in microseconds
 *   SPUN(us)     time on a CPU for locks
 *   LONGEST(us)  the longest wait
 *
 * See: lockstat, plockstat, offcpu, dtrace-provider-lockstat
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

inline int is_ours = !$target || target;

BEGIN
{
	printf("Measuring waits for locks of the kernel. ^C ends it.\n");
}

lockstat:::adaptive-block, lockstat:::rw-block
/is_ours/
{
	@slept[pid, execname] = sum(arg1);
}

lockstat:::adaptive-spin, lockstat:::rw-spin, lockstat:::spin-spin
/is_ours/
{
	@spun[pid, execname] = sum(arg1);
}

lockstat:::adaptive-block, lockstat:::rw-block, lockstat:::adaptive-spin, lockstat:::rw-spin,
lockstat:::spin-spin
/is_ours/
{
	@count[pid, execname] = count();
	@longest[pid, execname] = max(arg1);
}

END
{
	normalize(@slept, 1000);
	normalize(@spun, 1000);
	normalize(@longest, 1000);
	printf("\n%7s %-16s %10s %12s %12s %12s\n", "PID", "COMM", "COUNT", "SLEPT(us)", "SPUN(us)", "LONGEST(us)");
	printa("%7d %-16s %@10d %@12d %@12d %@12d\n", @count, @slept, @spun, @longest);
}
