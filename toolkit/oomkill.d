/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oomkill - processes that are killed because memory is short
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each process that the kernel kills because the machine, or a control group, has no memory
 * left, with the process that needed memory at that time. With -p and -c the tool ends when the
 * process does, and shows the whole system all the same.
 *
 * Columns:
 *   TIME(s)   seconds since the tool began
 *   PID       process that needed memory
 *   COMM      its name
 *   VICTIM    process that is killed
 *   VCOMM     its name
 *   VMEM(KB)  its virtual memory, in kilobytes
 *
 * See: sigsnoop, exitsnoop, minfbypid, dtrace-provider-sdt
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %7s %-16s %12s\n", "TIME(s)", "PID", "COMM", "VICTIM", "VCOMM", "VMEM(KB)");
}

/* The kernel sends the signal, and then marks the victim. */
proc:::signal-send
/args[2] == SIGKILL/
{
	self->to = args[1]->pr_pid;
	self->name = stringof(args[1]->pr_fname);
	self->memory = args[1]->pr_size;
}

sdt:oom::mark_victim
{
	this->is_known = self->to == args[0];
	printf("%5d.%03d %7d %-16s %7d %-16s %12d\n", ms / 1000, ms % 1000, pid, execname, args[0],
	    this->is_known ? self->name : "-", this->is_known ? self->memory : 0);
	@killed = count();
	self->to = 0;
	self->name = 0;
	self->memory = 0;
}

END
{
	printa("\n%@8d processes killed\n", @killed);
}
