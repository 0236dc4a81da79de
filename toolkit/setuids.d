/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * setuids - processes that change their user
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each call by which a process changes its users or groups: setuid, setreuid, setresuid,
 * setgid, setregid and setresgid, when it returns. Programs that change their user by the bit of their
 * file make no such call.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      real user before the call
 *   PID      process number
 *   COMM     name of the program
 *   CALL     the call
 *   IDS      its arguments: real, effective and saved, as far as the call has them; -1 is left as it
 *            is
 *   ERR      name of the error, or -
 *
 * See: capable, execsnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;
inline string text_of[uint64_t value] = (int)value == -1 ? "-1" : lltostr((uint32_t)value);

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %-16s %-10s %-20s %s\n", "TIME(s)", "UID", "PID", "COMM", "CALL", "IDS", "ERR");
}

syscall::setuid:entry, syscall::setgid:entry
/is_ours/
{
	self->was = uid + 1;
	self->ids = text_of[arg0];
}

syscall::setreuid:entry, syscall::setregid:entry
/is_ours/
{
	self->was = uid + 1;
	self->ids = strjoin(text_of[arg0], strjoin(" ", text_of[arg1]));
}

syscall::setresuid:entry, syscall::setresgid:entry
/is_ours/
{
	self->was = uid + 1;
	self->ids = strjoin(strjoin(text_of[arg0], strjoin(" ", text_of[arg1])),
	    strjoin(" ", text_of[arg2]));
}

syscall::set*uid:return, syscall::set*gid:return
/self->was/
{
	printf("%5d.%03d %6d %7d %-16s %-10s %-20s %s\n", ms / 1000, ms % 1000, self->was - 1, pid, execname,
	    probefunc, self->ids, errno ? errno_name[errno] : "-");
	@calls = count();
	self->was = 0;
	self->ids = 0;
}

END
{
	printa("\n%@8d calls\n", @calls);
}
