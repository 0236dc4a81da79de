/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtruss - system calls of a process, line by line
 *
 * Usage: -p PID | -c COMMAND
 *
 * A line for each system call of a process and its descendants, when it returns, with its arguments,
 * its result and its time. Paths are shown as strings, as is the beginning of what is read and
 * written. A call that does not return, as exit_group, has no line. It needs -p or -c.
 *
 * Unlike tools that stop the process at each call, it slows the process down by less than a
 * microsecond for each call; lines are printed later.
 *
 * Columns:
 *   TID      thread number
 *   LAT(us)  time between entry and return, in microseconds
 *   CPU(us)  time on a CPU between them
 *   CALL     the call with its first arguments, its result (of one that fails minus the error
 *            number) and the name of the error
 *
 * See: syscount, procsystime, errinfo, opensnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs

self uint64_t from;
inline uint64_t ns = timestamp - self->from;
inline string result = errno ? strjoin(" ", errno_name[errno]) : "";

BEGIN
/!$target/
{
	printf("dtruss needs -p PID or -c COMMAND\n");
	exit(1);
}

BEGIN
/$target/
{
	printf("%7s %9s %9s %s\n", "TID", "LAT(us)", "CPU(us)", "CALL(ARGUMENTS) = RESULT");
}

syscall:::entry
/target/
{
	self->from = timestamp;
	self->cpu_from = vtimestamp;
	self->a = arg0;
	self->b = arg1;
	self->c = arg2;
	self->d = arg3;
}

syscall:::return
/self->from/
{
	this->cpu_ns = vtimestamp - self->cpu_from;
	this->cpu_ns = this->cpu_ns > ns ? ns : this->cpu_ns; /* the clocks are read one after the other */
	printf("%7d %5d.%03d %5d.%03d %s(", tid, ns / 1000, ns % 1000, this->cpu_ns / 1000,
	    this->cpu_ns % 1000, probefunc);
	@calls[probefunc] = count();
	self->is_shown = 0;
}

/* A path, and a number. */
syscall::open:return, syscall::creat:return, syscall::unlink:return, syscall::rmdir:return,
syscall::chdir:return, syscall::chroot:return, syscall::stat:return, syscall::lstat:return,
syscall::access:return, syscall::readlink:return, syscall::mkdir:return, syscall::chmod:return,
syscall::truncate:return, syscall::statfs:return, syscall::umount2:return, syscall::chown:return,
syscall::lchown:return, syscall::mknod:return, syscall::utime:return, syscall::utimes:return,
syscall::getxattr:return, syscall::lgetxattr:return, syscall::setxattr:return, syscall::lsetxattr:return,
syscall::listxattr:return, syscall::llistxattr:return, syscall::removexattr:return,
syscall::lremovexattr:return, syscall::swapon:return, syscall::swapoff:return, syscall::acct:return
/self->from && errno != EFAULT/
{
	printf("\"%S\", 0x%x) = %d%s\n", copyinstr(self->a), self->b, (int64_t)arg1, result);
	self->is_shown = 1;
}

/* A program that is not executed. */
syscall::execve:return
/self->from && errno && errno != EFAULT/
{
	printf("\"%S\", 0x%x, 0x%x) = %d%s\n", copyinstr(self->a), self->b, self->c, (int64_t)arg1, result);
	self->is_shown = 1;
}

/* Two paths. */
syscall::rename:return, syscall::link:return, syscall::symlink:return, syscall::pivot_root:return
/self->from && errno != EFAULT/
{
	printf("\"%S\", \"%S\") = %d%s\n", copyinstr(self->a), copyinstr(self->b), (int64_t)arg1, result);
	self->is_shown = 1;
}

/* Two directories, each with a path. */
syscall::renameat:return, syscall::renameat2:return, syscall::linkat:return
/self->from && errno != EFAULT/
{
	printf("%d, \"%S\", %d, \"%S\") = %d%s\n", (int)self->a, copyinstr(self->b), (int)self->c,
	    copyinstr(self->d), (int64_t)arg1, result);
	self->is_shown = 1;
}

/* A path, a directory, and a path in it. */
syscall::symlinkat:return
/self->from && errno != EFAULT/
{
	printf("\"%S\", %d, \"%S\") = %d%s\n", copyinstr(self->a), (int)self->b, copyinstr(self->c),
	    (int64_t)arg1, result);
	self->is_shown = 1;
}

/* A directory, and a path. */
syscall::openat:return, syscall::openat2:return, syscall::newfstatat:return,
syscall::statx:return, syscall::faccessat:return, syscall::faccessat2:return,
syscall::readlinkat:return, syscall::unlinkat:return, syscall::mkdirat:return,
syscall::fchmodat:return, syscall::fchownat:return, syscall::utimensat:return,
syscall::execveat:return, syscall::mknodat:return
/self->from && errno != EFAULT/
{
	printf("%d, \"%S\", 0x%x) = %d%s\n", (int)self->a, copyinstr(self->b), self->c, (int64_t)arg1, result);
	self->is_shown = 1;
}

/* A descriptor, and bytes. */
syscall::read:return, syscall::write:return, syscall::pread64:return, syscall::pwrite64:return,
syscall::recvfrom:return, syscall::sendto:return
/self->from && (int64_t)arg1 > 0/
{
	printf("%d, \"%S\", %d) = %d\n", (int)self->a, copyinstr(self->b, arg1 < 40 ? arg1 : 40), self->c,
	    (int64_t)arg1);
	self->is_shown = 1;
}

syscall:::return
/self->from && !self->is_shown/
{
	printf("0x%x, 0x%x, 0x%x) = %d%s\n", self->a, self->b, self->c, (int64_t)arg1, result);
}

syscall:::return
/self->from/
{
	self->from = 0;
	self->cpu_from = 0;
	self->a = 0;
	self->b = 0;
	self->c = 0;
	self->d = 0;
	self->is_shown = 0;
}

END
/$target/
{
	printf("\n%-24s %9s\n", "CALL", "COUNT");
	printa("%-24s %@9d\n", @calls);
}
