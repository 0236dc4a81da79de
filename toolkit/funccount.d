/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funccount - how often functions are called
 *
 * Usage: PROVIDER MODULE FUNCTION [-p PID | -c COMMAND]
 *
 * Counts calls of functions until ^C, or until the command has ended. Patterns are fine: 'str*'.
 * PROVIDER is 'pid$target' (in quotes) for functions of the process of -p or -c, pid1234 for those of
 * a process, and fbt for those of the kernel, where it has kprobes. MODULE is a.out for the program
 * itself, libc for a library, vmlinux for the kernel. Functions of the kernel are counted for all
 * programs, with -x target=exec:NAME only for those of this name.
 *
 * Arguments:
 *   PROVIDER  pid$target, a pid with a number, or fbt
 *   MODULE    program, library or module; empty for all
 *   FUNCTION  function; a pattern stands for several
 *
 * Columns:
 *   MODULE    program, library or module
 *   FUNCTION  the function
 *   COUNT     number of calls
 *
 * Compiles with: syscall vmlinux read
 *
 * See: funclatency, hotuser, dtrace-provider-pid, dtrace-provider-fbt
 */
#pragma D option quiet

/* An empty provider means all providers: system calls of the whole machine would count, too. */
inline int is_refused = $$1 == "";

BEGIN
/is_refused/
{
	printf("funccount needs PROVIDER: pid$target, a pid with a number, or fbt\n");
	exit(1);
}

BEGIN
/!is_refused/
{
	printf("Counting calls. ^C ends it.\n");
}

$1:$2:$3:entry
{
	@calls[probemod, probefunc] = count();
	@all = count();
}

END
/!is_refused/
{
	printf("\n%-24s %-40s %12s\n", "MODULE", "FUNCTION", "COUNT");
	printa("%-24s %-40s %@12d\n", @calls);
	printa("\n%@d calls\n", @all);
}
