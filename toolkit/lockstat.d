/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lockstat - locks of the kernel that threads wait for
 *
 * Usage: [-p PID | -c COMMAND] [-n ROWS]
 *
 * Counts waits for mutexes, reader-writer locks and spin locks of the kernel, until ^C or until the
 * command has ended, by lock and by the place in the kernel that waited. Locks that are free cost
 * nothing and are not counted. Those with most time are last.
 *
 * Columns:
 *   KIND         mutex, reader or writer of a lock that sleeps, or a lock that spins
 *   LOCK         address of the lock
 *   COUNT        number of waits
 *   SUM(us)      their time, in microseconds
 *   AVERAGE(us)  average time
 *   LONGEST(us)  longest time
 *
 * See: lockbyproc, plockstat, offcpu, dtrace-provider-lockstat
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1
#pragma D argument rows "-n ROWS" "stacks that are shown" default 20 from 1 to 1000000000

inline int is_ours = !$target || target;
inline string kind = probename == "adaptive-block" ? "mutex" : probename == "adaptive-spin" ? "mutex, spinning" :
	probename == "rw-block" ? (arg2 == RW_WRITER ? "writer" : "reader") :
	probename == "rw-spin" ? "rwlock, spinning" : "spin lock";

BEGIN
{
	printf("Measuring waits for locks of the kernel. ^C ends it.\n");
}

lockstat:::adaptive-block, lockstat:::adaptive-spin, lockstat:::rw-block, lockstat:::rw-spin,
lockstat:::spin-spin
/is_ours/
{
	@count[kind, arg0] = count();
	@sum[kind, arg0] = sum(arg1);
	@average[kind, arg0] = avg(arg1);
	@longest[kind, arg0] = max(arg1);
	@places[kind, stack()] = sum(arg1);
	@all = count();
	@all_time = sum(arg1);
}

END
{
	trunc(@places, $rows);
	normalize(@sum, 1000);
	normalize(@places, 1000);
	normalize(@average, 1000);
	normalize(@longest, 1000);
	normalize(@all_time, 1000);
	printa("\n%s: %@d us%k", @places);
	printf("\n%-18s %-18s %9s %12s %12s %12s\n", "KIND", "LOCK", "COUNT", "SUM(us)", "AVERAGE(us)",
	    "LONGEST(us)");
	printa("%-18s %-18p %@9d %@12d %@12d %@12d\n", @count, @sum, @average, @longest);
	printa("\n%@d waits", @all);
	printa(", %@d us\n", @all_time);
}
