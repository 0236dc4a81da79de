/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscount - system calls by process and by call
 *
 * Usage: [-p PID | -c COMMAND] [ROWS]
 *
 * Counts system calls until ^C, or until the command has ended, and prints two tables: programs and
 * calls, those with most calls last.
 *
 * Arguments:
 *   ROWS  rows of each table, by default 20
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

inline int is_ours = $target ? target : pid != $pid;

int64_t rows;

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	rows = $$1 == "" ? 20 : strtoll($$1);
	is_refused = $$1 != "" && (rows < 1 || rows > 1000000000 || lltostr(rows) != $$1);
}

BEGIN
/is_refused/
{
	printf("syscount needs ROWS as a number from 1 to 1000000000\n");
	exit(1);
}

BEGIN
/!is_refused/
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
/!is_refused/
{
	trunc(@programs, rows);
	trunc(@calls, rows);
	printf("\n%7s %-24s %10s\n", "PID", "COMM", "COUNT");
	printa("%7d %-24s %@10d\n", @programs);
	printf("\n%-32s %10s\n", "CALL", "COUNT");
	printa("%-32s %@10d\n", @calls);
}
