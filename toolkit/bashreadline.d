/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bashreadline - commands that are typed in a shell
 *
 * Usage: -p PID | -c COMMAND
 *
 * A line for each line that a process reads by readline: a shell, or another program with it (a.out or
 * libreadline). A line that a process waits for when the tool begins is not shown. It needs -p or -c;
 * with -x follow=all it shows the descendants of the process, too.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   LINE     what was typed
 *
 * Compiles with: -c /bin/true
 *
 * See: execsnoop, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %s\n", "TIME(s)", "PID", "COMM", "LINE");
}

pid$target:a.out:readline:return, pid$target:libreadline*:readline:return
/arg1/
{
	printf("%5d.%03d %7d %-16s %s\n", ms / 1000, ms % 1000, pid, execname, copyinstr(arg1));
	@lines = count();
}

END
{
	printa("\n%@8d lines\n", @lines);
}
