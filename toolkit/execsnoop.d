/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * execsnoop - programs that are executed, with their arguments
 *
 * Usage: [-p PID | -c COMMAND] [TEXT]
 *
 * A line for each program that a process executes, when the new program begins, and for each attempt
 * that fails: a shell that searches a command tries its directories one after the other. With -p or
 * -c only this process and its descendants are shown. ^C ends the tool; it then prints how many
 * lines of each kind there were.
 *
 * Arguments:
 *   TEXT  only lines whose ARGS contain it
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user who executes the program
 *   PPID     process number of the parent
 *   PID      process number
 *   ERR      error number by which it failed, or 0
 *   ARGS     the program with its arguments, at most 79 characters; of one that failed its path
 *
 * See: shortlived, exitsnoop, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;
inline int is_ours = !$target || target;

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %7s %3s %s\n", "TIME(s)", "UID", "PPID", "PID", "ERR", "ARGS");
}

proc:::exec-success
/is_ours && ($$1 == "" || strstr(curpsinfo->pr_psargs, $$1) != NULL)/
{
	printf("%5d.%03d %6d %7d %7d %3d %s\n", ms / 1000, ms % 1000, uid, ppid, pid, 0,
	    curpsinfo->pr_psargs);
	@executed = count();
}

/* The path is read when it has failed: it may be absent from memory before. */
proc:::exec
/is_ours/
{
	self->path = arg0;
	self->executes = 1;
}

proc:::exec-failure
/self->executes/
{
	self->given = args[0] == EFAULT ? "<bad address>" : copyinstr(self->path);
}

proc:::exec-failure
/self->executes && ($$1 == "" || strstr(self->given, $$1) != NULL)/
{
	printf("%5d.%03d %6d %7d %7d %3d %s\n", ms / 1000, ms % 1000, uid, ppid, pid, args[0],
	    self->given);
	@failed = count();
}

proc:::exec-success, proc:::exec-failure
{
	self->executes = 0;
	self->path = 0;
	self->given = 0;
}

END
{
	printf("\n");
	printa("%@8d programs executed\n", @executed);
	printa("%@8d attempts failed\n", @failed);
}
