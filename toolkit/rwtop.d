/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rwtop - processes that read and write most
 *
 * Usage: [-p PID | -c COMMAND] [-i SECONDS]
 *
 * Prints a table every few seconds, and one at the end, of the bytes that processes have read and
 * written since the table before: by read, write, and their forms with an offset or several buffers,
 * of files, pipes, terminals and sockets.
 *
 * Columns:
 *   PID         process number
 *   COMM        name of the program
 *   CALLS       reads and writes that did not fail
 *   READ(B)     bytes that it read
 *   WRITTEN(B)  bytes that it wrote
 *
 * See: rwsnoop, fileslower, iosnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument seconds "-i SECONDS" "time of a table" default 5 from 1 to 1000000000

inline int is_ours = $target ? target : pid != $pid;

BEGIN
{
	printf("Counting reads and writes: a table every %d s. ^C ends it.\n", $seconds);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return
/is_ours && !errno/
{
	@calls[pid, execname] = count();
	@read[pid, execname] = sum(arg1);
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/is_ours && !errno/
{
	@calls[pid, execname] = count();
	@written[pid, execname] = sum(arg1);
}

tick-1s
/++n % $seconds == 0/
{
	printf("\n%Y\n%7s %-16s %9s %14s %14s\n", walltimestamp, "PID", "COMM", "CALLS", "READ(B)", "WRITTEN(B)");
	printa("%7d %-16s %@9d %@14d %@14d\n", @calls, @read, @written);
	trunc(@calls);
	trunc(@read);
	trunc(@written);
}

END
{
	printf("\n%Y\n%7s %-16s %9s %14s %14s\n", walltimestamp, "PID", "COMM", "CALLS", "READ(B)", "WRITTEN(B)");
	printa("%7d %-16s %@9d %@14d %@14d\n", @calls, @read, @written);
}
