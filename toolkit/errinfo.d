/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * errinfo - system calls that fail, by error
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Counts system calls that return an error until ^C, or until the command has ended.
 *
 * Columns:
 *   COMM   name of the program
 *   CALL   name of the call
 *   ERR    name of the error
 *   ERRNO  its number
 *   COUNT  how often it was returned
 *
 * See: syscount, opensnoop, dtruss, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;

BEGIN
{
	printf("Counting system calls that fail. ^C ends it.\n");
}

syscall:::return
/is_ours && errno/
{
	@[execname, probefunc, errname[errno], errno] = count();
}

END
{
	printf("\n%-16s %-24s %-16s %5s %9s\n", "COMM", "CALL", "ERR", "ERRNO", "COUNT");
	printa("%-16s %-24s %-16s %5d %@9d\n", @);
}
