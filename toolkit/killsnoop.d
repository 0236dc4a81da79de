/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * killsnoop - signals that processes send to others
 *
 * Usage: [-p PID | -c COMMAND]
 *
 * A line for each call of kill, tkill, tgkill and pidfd_send_signal, when it returns, also for those
 * that fail or only ask whether a process exists (signal 0). With -p and -c the sender is meant.
 * Signals that the kernel sends are shown by sigsnoop.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   UID      user who sends
 *   PID      process that sends
 *   COMM     its name
 *   SIGNAL   name of the signal
 *   TARGET   process or thread to which it is sent; negative: a group of processes
 *   ERR      name of the error, or -
 *
 * See: sigsnoop, dtrace-provider-syscall
 */
#pragma D option quiet
#pragma D option defaultargs

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %6s %7s %-16s %-10s %7s %s\n", "TIME(s)", "UID", "PID", "COMM", "SIGNAL", "TARGET",
	    "ERR");
}

syscall::kill:entry, syscall::tkill:entry
/is_ours/
{
	self->is_sent = 1;
	self->to = (int)arg0;
	self->signal = (int)arg1;
}

syscall::tgkill:entry
/is_ours/
{
	self->is_sent = 1;
	self->to = (int)arg1;
	self->signal = (int)arg2;
}

/* The process of a descriptor; since Linux 6.9 they are files of a file system of their own. */
inline struct pid *pid_of[struct file *file] =
	has(struct pid.stashed) ? (struct pid *)file->f_inode->i_private : (struct pid *)file->private_data;

syscall::pidfd_send_signal:entry
/is_ours/
{
	self->is_sent = 1;
	self->signal = (int)arg1;
	this->file = getf(arg0);
	self->to = this->file != NULL ? pid_of[this->file]->numbers[0].nr : 0;
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::pidfd_send_signal:return
/self->is_sent/
{
	printf("%5d.%03d %6d %7d %-16s %-10s %7d %s\n", ms / 1000, ms % 1000, uid, pid, execname,
	    signame[self->signal], self->to, errno ? errno_name[errno] : "-");
	@sent[execname, signame[self->signal]] = count();
	self->is_sent = 0;
}

END
{
	printf("\n%-16s %-10s %8s\n", "COMM", "SIGNAL", "COUNT");
	printa("%-16s %-10s %@8d\n", @sent);
}
