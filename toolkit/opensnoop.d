/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opensnoop - files that are opened
 *
 * Usage: [-p PID | -c COMMAND] [TEXT]
 *
 * A line for each call that opens a file, or fails to, when it returns: open, openat, openat2 and
 * creat. Many lines with ENOENT show where a program looks for its files. The path is as the program
 * gave it.
 *
 * Arguments:
 *   TEXT  only paths that contain it
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user
 *   PID      process number
 *   COMM     name of the program
 *   FD       the new descriptor, or -1
 *   ERR      name of the error, or -
 *   PATH     the file
 *
 * See: statsnoop, rwsnoop, execsnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;
self uintptr_t path;
inline string path = errno == EFAULT ? "<bad address>" : copyinstr(self->path);

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %-16s %4s %-8s %s\n", "TIME(s)", "UID", "PID", "COMM", "FD", "ERR", "PATH");
}

syscall::open:entry, syscall::creat:entry
/is_ours/
{
	self->path = arg0;
	self->opens = 1;
}

syscall::openat:entry, syscall::openat2:entry
/is_ours/
{
	self->path = arg1;
	self->opens = 1;
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->opens && ($$1 == "" || strstr(path, $$1) != NULL)/
{
	printf("%5d.%03d %6d %7d %-16s %4d %-8s %s\n", ms / 1000, ms % 1000, uid, pid, execname,
	    errno ? -1 : (int)arg1, errno ? errno_name[errno] : "-", path);
	@opened = sum(errno == 0);
	@failed = sum(errno != 0);
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
{
	self->path = 0;
	self->opens = 0;
}

END
{
	printa("\n%@8d files opened\n", @opened);
	printa("%@8d attempts failed\n", @failed);
}
