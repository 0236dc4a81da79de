/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sigsnoop - signals that are sent, also by the kernel
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each signal, by the sender: a process, or the kernel in the process that is running (of a
 * fault: the process itself; of SIGCHLD: the one that ends). With -p and -c the sender is one of these
 * processes, or the receiver is the process or a child of it. A signal that the receiver ignores is not shown.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process that sends
 *   COMM     its name
 *   SIGNAL   name of the signal
 *   TARGET   process that gets it
 *   TCOMM    its name
 *
 * See: killsnoop, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-10s %7s %s\n", "TIME(s)", "PID", "COMM", "SIGNAL", "TARGET", "TCOMM");
}

proc:::signal-send
/!$target || target || args[1]->pr_pid == $target || args[1]->pr_ppid == $target/
{
	printf("%5d.%03d %7d %-16s %-10s %7d %s\n", ms / 1000, ms % 1000, pid, execname,
	    signame[args[2]], args[1]->pr_pid, args[1]->pr_fname);
	@sent[execname, signame[args[2]], args[1]->pr_fname] = count();
}

END
{
	printf("\n%-16s %-10s %-16s %8s\n", "COMM", "SIGNAL", "TCOMM", "COUNT");
	printa("%-16s %-10s %-16s %@8d\n", @sent);
}
