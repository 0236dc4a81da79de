/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fileslower - reads and writes that take long
 *
 * Usage: [-p PID | -c COMMAND] [-m MS]
 *
 * A line for each read or write of a descriptor that takes at least some milliseconds, when it
 * returns. Waiting for a pipe or a terminal counts, too: the column FILE tells.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   D        R for a read, W for a write
 *   BYTES    what was read or written, or minus the error number
 *   LAT(ms)  how long it took
 *   FILE     path, or what the descriptor is otherwise
 *
 * See: rwsnoop, iosnoop, syncsnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument slower "-m MS" "the least time that is shown; 0 shows all" default 10 from 0 to 1000000000

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

self uint64_t from;
inline uint64_t us = (timestamp - self->from) / 1000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %s %9s %10s %s\n", "TIME(s)", "PID", "COMM", "D", "BYTES", "LAT(ms)", "FILE");
}

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry,
syscall::preadv2:entry, syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry,
syscall::pwritev:entry, syscall::pwritev2:entry
/is_ours/
{
	self->fd = arg0;
	self->from = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return
/self->from && us >= $slower * 1000/
{
	self->way = "R";
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return,
syscall::pwritev:return, syscall::pwritev2:return
/self->from && us >= $slower * 1000/
{
	self->way = "W";
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return
/self->way != NULL/
{
	printf("%5d.%03d %7d %-16s %s %9d %6d.%03d %s\n", ms / 1000, ms % 1000, pid, execname, self->way,
	    (int)arg1, us / 1000, us % 1000, fds[self->fd].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return,
syscall::preadv2:return, syscall::write:return, syscall::pwrite64:return,
syscall::writev:return, syscall::pwritev:return, syscall::pwritev2:return
/self->from/
{
	@all = count();
	@slow = sum(self->way != NULL);
	self->from = 0;
	self->way = 0;
}

END
{
	printa("\n%@8d of", @slow);
	printa(" %@d reads and writes were slow\n", @all);
}
