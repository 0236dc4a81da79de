/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threadsnoop - threads that are created
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each new thread, by the thread that creates it; processes are shown by execsnoop. Of
 * threads of the kernel the creator is kthreadd.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   TID      thread that creates
 *   COMM     its name
 *   NEW      number of the new thread
 *   THREADS  how many the process has now
 *
 * See: execsnoop, runqlat, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %7s %-16s %7s %8s\n", "TIME(s)", "PID", "TID", "COMM", "NEW", "THREADS");
}

proc:::lwp-create
/is_ours && args[1]->pr_pid != args[0]->pr_lwpid/
{
	printf("%5d.%03d %7d %7d %-16s %7d %8d\n", ms / 1000, ms % 1000, pid, tid, execname,
	    args[0]->pr_lwpid, args[1]->pr_nlwp);
	@created[pid, execname] = count();
}

END
{
	printf("\n%7s %-16s %8s\n", "PID", "COMM", "COUNT");
	printa("%7d %-16s %@8d\n", @created);
}
