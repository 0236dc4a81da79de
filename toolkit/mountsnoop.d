/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mountsnoop - file systems that are mounted and unmounted
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each call of mount, umount2, move_mount and fsmount, when it returns.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   CALL     the call
 *   TYPE     type of the file system, or -
 *   FLAGS    flags of the call
 *   ERR      name of the error, or -
 *   SOURCE   device or other source, or -
 *   PLACE    directory, or -
 *
 * See: opensnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline string text_at[uintptr_t a] = a == 0 ? "-" : errno == EFAULT ? "<bad address>" : copyinstr(a);
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-10s %-10s %10s %-8s %s\n", "TIME(s)", "PID", "COMM", "CALL", "TYPE", "FLAGS",
	    "ERR", "SOURCE PLACE");
}

syscall::mount:entry
/is_ours/
{
	self->is_mount = 1;
	self->source = arg0;
	self->place = arg1;
	self->type = arg2;
	self->flags = arg3;
}

syscall::umount2:entry
/is_ours/
{
	self->is_mount = 1;
	self->place = arg0;
	self->flags = arg1;
}

syscall::move_mount:entry
/is_ours/
{
	self->is_mount = 1;
	self->source = arg1;
	self->place = arg3;
	self->flags = arg4;
}

syscall::fsmount:entry
/is_ours/
{
	self->is_mount = 1;
	self->flags = arg2;
}

syscall::mount:return, syscall::umount2:return, syscall::move_mount:return, syscall::fsmount:return
/self->is_mount/
{
	printf("%5d.%03d %7d %-16s %-10s %-10s 0x%08x %-8s %s %s\n", ms / 1000, ms % 1000, pid, execname,
	    probefunc, text_at[self->type], self->flags,
	    errno ? errno_name[errno] : "-", text_at[self->source],
	    text_at[self->place]);
	@calls[probefunc] = count();
	self->is_mount = 0;
	self->source = 0;
	self->place = 0;
	self->type = 0;
	self->flags = 0;
}

END
{
	printf("\n");
	printa("%@8d calls of %s\n", @calls);
}
