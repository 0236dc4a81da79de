/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gethostlatency - how long programs wait for host names
 *
 * Usage: [-p PID | -c COMMAND] [-f FILE]
 *
 * A line for each call of getaddrinfo, gethostbyname and gethostbyname2 of the C library by any process,
 * when it returns. Programs that bring a resolver of their own are not seen (Go).
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
 * See: tcpconnect, funclatency, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D argument file "-f FILE" "the C library: its name, a pattern, or a path (musl: ld-musl*)" default "libc"

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-15s %10s %6s %s\n", "TIME(s)", "PID", "COMM", "CALL", "LAT(ms)", "RESULT", "HOST");
}

pid*:$$file:getaddrinfo:entry, pid*:$$file:gethostbyname:entry, pid*:$$file:gethostbyname2:entry
/is_ours/
{
	self->host = arg0;
	self->from = timestamp;
}

pid*:$$file:getaddrinfo:return
{
	self->failed = (int)arg1 != 0;
}

pid*:$$file:gethostbyname:return, pid*:$$file:gethostbyname2:return
{
	self->failed = arg1 == 0;
}

pid*:$$file:getaddrinfo:return, pid*:$$file:gethostbyname:return, pid*:$$file:gethostbyname2:return
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
