/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidpersec - new processes and threads in each second
 *
 * Usage: [-p PID | -c COMMAND] [-i SECONDS]
 *
 * A line for each second, or each time of so many seconds: how many processes began, threads too, and
 * how many processes executed a program and ended.
 *
 * Columns:
 *   TIME     the time of day
 *   NEW      processes that began
 *   THREADS  threads that began, but those first in their process
 *   EXECS    programs that were executed
 *   ENDS     processes that ended
 *
 * See: execsnoop, threadsnoop, shortlived, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument seconds "-i SECONDS" "time of a line" default 1 from 1 to 1000000000

BEGIN
{
	printf("%-20s %8s %8s %8s %8s\n", "TIME", "NEW", "THREADS", "EXECS", "ENDS");
	/* A line has zeros, too. */
	@new = sum(0);
	@threads = sum(0);
	@execs = sum(0);
	@ends = sum(0);
	@all_new = sum(0);
	@all_threads = sum(0);
	@all_execs = sum(0);
	@all_ends = sum(0);
}

proc:::create
/!$target || target/
{
	@new = sum(1);
	@all_new = sum(1);
}

proc:::lwp-create
/(!$target || target) && args[1]->pr_pid != args[0]->pr_lwpid/
{
	@threads = sum(1);
	@all_threads = sum(1);
}

proc:::exec-success
/!$target || target/
{
	@execs = sum(1);
	@all_execs = sum(1);
}

proc:::exit
/!$target || target/
{
	@ends = sum(1);
	@all_ends = sum(1);
}

tick-1s
/++n % $seconds == 0/
{
	printf("%Y", walltimestamp);
	printa(" %@8d %@8d %@8d %@8d\n", @new, @threads, @execs, @ends);
	clear(@new);
	clear(@threads);
	clear(@execs);
	clear(@ends);
}

END
{
	printf("%-20s", "all");
	printa(" %@8d %@8d %@8d %@8d\n", @all_new, @all_threads, @all_execs, @all_ends);
	trunc(@new);
	trunc(@threads);
	trunc(@execs);
	trunc(@ends);
}
