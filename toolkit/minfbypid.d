/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * minfbypid - page faults by process
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * Counts page faults until ^C, or until the command has ended: a program touches memory that it has,
 * but that has no page yet. Those for which a disk had to be read are counted in a column of their
 * own.
 *
 * Columns:
 *   PID        process number
 *   COMM       name of the program
 *   FAULTS     page faults
 *   FROM DISK  how many of them read from a disk
 *
 * See: rwtop, runqlat, dtrace-provider-vminfo
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = !$target || target;

BEGIN
{
	printf("Counting page faults. ^C ends it.\n");
}

vminfo:::as_fault
/is_ours/
{
	@faults[pid, execname] = sum(arg0);
}

vminfo:::maj_fault
/is_ours/
{
	@major[pid, execname] = sum(arg0);
}

END
{
	printf("\n%7s %-16s %12s %12s\n", "PID", "COMM", "FAULTS", "FROM DISK");
	printa("%7d %-16s %@12d %@12d\n", @faults, @major);
}
