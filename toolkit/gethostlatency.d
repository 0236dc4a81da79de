/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gethostlatency - how long a program waits for host names
 *
 * Usage: -p PID | -c COMMAND
 *
 * A line for each call of getaddrinfo, gethostbyname and gethostbyname2 of the C library by a process,
 * when it returns; with -x follow=all, also by its descendants. It needs -p or -c.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   CALL     the function
 *   LAT(ms)  how long it took
 *   RESULT   found or failed
 *   HOST     the name that was looked up, or -
 *
 * Compiles with: -c /bin/true
 *
 * See: tcpconnect, funclatency, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-15s %10s %6s %s\n", "TIME(s)", "PID", "COMM", "CALL", "LAT(ms)", "RESULT", "HOST");
}

pid$target:libc:getaddrinfo:entry, pid$target:libc:gethostbyname:entry, pid$target:libc:gethostbyname2:entry
{
	self->host = arg0;
	self->from = timestamp;
}

pid$target:libc:getaddrinfo:return
{
	self->failed = (int)arg1 != 0;
}

pid$target:libc:gethostbyname:return, pid$target:libc:gethostbyname2:return
{
	self->failed = arg1 == 0;
}

pid$target:libc:getaddrinfo:return, pid$target:libc:gethostbyname:return, pid$target:libc:gethostbyname2:return
/self->from/
{
	this->us = (timestamp - self->from) / 1000;
	printf("%5d.%03d %7d %-16s %-15s %6d.%03d %6s %s\n", ms / 1000, ms % 1000, pid, execname, probefunc,
	    this->us / 1000, this->us % 1000, self->failed ? "failed" : "found",
	    self->host ? copyinstr(self->host) : "-");
	@calls = count();
	@time = sum(this->us);
	self->from = 0;
	self->host = 0;
	self->failed = 0;
}

END
{
	printa("\n%@8d calls", @calls);
	printa(", %@d us\n", @time);
}
