/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exitsnoop - processes that end: how, and after how long
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each process that ends. With -p and -c only this process and its descendants.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user
 *   PPID     process number of the parent
 *   PID      process number
 *   COMM     name of the program
 *   AGE(s)   how long it lived
 *   END      its exit status, or the signal that ended it
 *
 * See: execsnoop, shortlived, sigsnoop, dtrace-provider-proc
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

inline int code = curthread->signal->group_exit_code ? curthread->signal->group_exit_code : curthread->exit_code;
inline uint64_t age = (timestamp - curthread->group_leader->start_time) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %7s %-16s %9s %s\n", "TIME(s)", "UID", "PPID", "PID", "COMM", "AGE(s)", "END");
}

proc:::exit
/is_ours/
{
	printf("%5d.%03d %6d %7d %7d %-16s %5d.%03d %s%s\n", ms / 1000, ms % 1000, uid, ppid, pid,
	    stringof(curthread->group_leader->comm), age / 1000, age % 1000,
	    code & 0x7f ? signal_name[code & 0x7f] : strjoin("status ", lltostr(code >> 8 & 0xff)),
	    code & 0x80 ? ", core dumped" : "");
	@ends[args[0] == CLD_EXITED ? "exited" : args[0] == CLD_KILLED ? "killed" : "killed with a core dump"] = count();
}

END
{
	printf("\n");
	printa("%@8d processes %s\n", @ends);
}
