/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rwsnoop - reads and writes, line by line
 *
 * Usage: [-p PID | -c COMMAND] [TEXT]
 *
 * A line for each read and write of a descriptor, when it returns: read, write, and their forms with
 * an offset or several buffers. Without -p, -c or TEXT a busy system prints very much.
 *
 * Arguments:
 *   TEXT  only files whose path contains it
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user
 *   PID      process number
 *   COMM     name of the program
 *   D        R for a read, W for a write
 *   BYTES    what was read or written, or minus the error number
 *   FILE     path, or what the descriptor is otherwise
 *
 * See: rwtop, fileslower, opensnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %-16s %s %9s %s\n", "TIME(s)", "UID", "PID", "COMM", "D", "BYTES", "FILE");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::preadv2:entry, syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
/is_ours/
{
	self->fd = arg0 + 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return
/self->fd/
{
	self->way = "R";
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->fd/
{
	self->way = "W";
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return
/self->fd && ($$1 == "" || strstr(fds[self->fd - 1].fi_pathname, $$1) != NULL)/
{
	printf("%5d.%03d %6d %7d %-16s %s %9d %s\n", ms / 1000, ms % 1000, uid, pid, execname, self->way,
	    (int)arg1, fds[self->fd - 1].fi_pathname);
	@bytes[self->way == "R" ? "read" : "written"] = sum(errno ? 0 : arg1);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return
{
	self->fd = 0;
	self->way = 0;
}

END
{
	printf("\n");
	printa("%@12d bytes %s\n", @bytes);
}
