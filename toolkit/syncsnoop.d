/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syncsnoop - calls that wait until data are on disks
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each call of sync, syncfs, fsync, fdatasync, sync_file_range and msync, when it returns.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   CALL     the call
 *   LAT(ms)  how long it took
 *   FILE     the file, or - of calls that are about more than one, or about memory
 *
 * See: fileslower, iosnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

self uint64_t from;
inline uint64_t us = (timestamp - self->from) / 1000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-15s %10s %s\n", "TIME(s)", "PID", "COMM", "CALL", "LAT(ms)", "FILE");
}

syscall::fsync:entry, syscall::fdatasync:entry, syscall::syncfs:entry, syscall::sync:entry,
syscall::sync_file_range:entry, syscall::msync:entry
/is_ours/
{
	self->from = timestamp;
	self->fd = arg0;
}

syscall::fsync:return, syscall::fdatasync:return, syscall::syncfs:return, syscall::sync:return,
syscall::sync_file_range:return, syscall::msync:return
/self->from/
{
	self->file = probefunc == "sync" || probefunc == "msync" ? "-" : fds[self->fd].fi_pathname;
	printf("%5d.%03d %7d %-16s %-15s %6d.%03d %s\n", ms / 1000, ms % 1000, pid, execname, probefunc,
	    us / 1000, us % 1000, self->file);
	@calls[probefunc] = count();
	@average[probefunc] = avg(us);
	@longest[probefunc] = max(us);
	self->from = 0;
	self->file = 0;
}

END
{
	printf("\n%-15s %8s %12s %12s\n", "CALL", "COUNT", "AVERAGE(us)", "LONGEST(us)");
	printa("%-15s %@8d %@12d %@12d\n", @calls, @average, @longest);
}
