/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscalls - metrics of system calls
 *
 * dtrace_syscall_seconds{call}             how long they take (histogram)
 * dtrace_syscall_errors_total{call,error}  those that failed, by the error's number
 */
#pragma D option quiet
#pragma D option oformat=openmetrics
#pragma D option listen=9401
#pragma D option labels=call,error

syscall:::entry
/pid != $pid/
{
	self->began = timestamp;
}

syscall:::return
/self->began && errno/
{
	@syscall_errors[probefunc, errno] = count();
}

syscall:::return
/self->began/
{
	@syscall_seconds[probefunc] = quantize(timestamp - self->began);
	self->began = 0;
}
