/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * statsnoop - files whose status is asked for
 *
 * Usage: [-p PID | -c COMMAND] [TEXT]
 *
 * A line for each call of stat, lstat, fstatat and statx, when it returns. Status by a descriptor
 * alone has the descriptor's file as path.
 *
 * Arguments:
 *   TEXT  only paths that contain it
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   ERR      name of the error, or -
 *   PATH     the file
 *
 * See: opensnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-8s %s\n", "TIME(s)", "PID", "COMM", "ERR", "PATH");
}

/* Some machines have only the calls with a descriptor, which is unused where the path is whole. */
syscall::stat:entry, syscall::lstat:entry, syscall::newfstatat:entry, syscall::statx:entry
/is_ours/
{
	self->stats = 1;
	self->fd = arg0;
	self->path = probefunc == "stat" || probefunc == "lstat" ? arg0 : arg1;
}

syscall::stat:return, syscall::lstat:return, syscall::newfstatat:return, syscall::statx:return
/self->stats/
{
	this->given = errno == EFAULT ? "<bad address>" : copyinstr(self->path);
	self->shown = this->given == "" ? fds[self->fd].fi_pathname : this->given;
}

syscall::stat:return, syscall::lstat:return, syscall::newfstatat:return, syscall::statx:return
/self->stats && ($$1 == "" || strstr(self->shown, $$1) != NULL)/
{
	printf("%5d.%03d %7d %-16s %-8s %s\n", ms / 1000, ms % 1000, pid, execname,
	    errno ? errno_name[errno] : "-", self->shown);
	@calls = count();
	@failed = sum(errno != 0);
}

syscall::stat:return, syscall::lstat:return, syscall::newfstatat:return, syscall::statx:return
{
	self->stats = 0;
	self->path = 0;
	self->shown = 0;
	self->fd = 0;
}

END
{
	printa("\n%@8d calls", @calls);
	printa(", %@d failed\n", @failed);
}
