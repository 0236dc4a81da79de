/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bashreadline - commands that are typed in shells
 *
 * Usage: [-p PID | -c COMMAND] [-f FILE] [-l LIBRARY]
 *
 * A line for each line that a process reads by readline: a shell, or another program with it. The
 * function is in the program (bash of most systems has it), or in the library of that name. All processes
 * are shown, in containers, too, and those that start later. A line that a process waits for when the tool
 * begins is not shown.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   LINE     what was typed
 *
 * See: execsnoop, sslsniff, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D argument file "-f FILE" "the program, as each process sees it" default "/bin/bash"
#pragma D argument library "-l LIBRARY" "the library that other programs use" default "libreadline*"

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %s\n", "TIME(s)", "PID", "COMM", "LINE");
}

pid*:$$file:readline:return, pid*:$$library:readline:return
/is_ours && arg1/
{
	printf("%5d.%03d %7d %-16s %s\n", ms / 1000, ms % 1000, pid, execname, copyinstr(arg1));
	@lines = count();
}

END
{
	printa("\n%@8d lines\n", @lines);
}
