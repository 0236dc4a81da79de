/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscount - system calls by process and by call
 *
 * Usage: [-p PID | -c COMMAND] [-n ROWS]
 *
 * Counts system calls until ^C, or until the command has ended, and prints two tables: programs and
 * calls, those with most calls last.
 *
 * Columns:
 *   PID    process number
 *   COMM   name of the program
 *   CALL   name of the call
 *   COUNT  number of calls
 *
 * See: procsystime, errinfo, dtruss, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument rows "-n ROWS" "rows of each table" default 20 from 1 to 1000000000

inline int is_ours = $target ? target : pid != $pid;

BEGIN
{
	printf("Counting system calls. ^C ends it.\n");
}

syscall:::entry
/is_ours/
{
	@programs[pid, execname] = count();
	@calls[probefunc] = count();
}

END
{
	trunc(@programs, $rows);
	trunc(@calls, $rows);
	printf("\n%7s %-24s %10s\n", "PID", "COMM", "COUNT");
	printa("%7d %-24s %@10d\n", @programs);
	printf("\n%-32s %10s\n", "CALL", "COUNT");
	printa("%-32s %@10d\n", @calls);
}
