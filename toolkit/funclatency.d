/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funclatency - how long functions take
 *
 * Usage: PROVIDER MODULE FUNCTION [-p PID | -c COMMAND]
 *
 * Measures the time from the entry of functions to their return, until ^C, or until the command has
 * ended; time of functions that they call, and of waits, is included. The arguments are those of
 * funccount. A call that leads to another one of the same function is not measured apart.
 *
 * Arguments:
 *   PROVIDER  pid$target, a pid with a number, or fbt
 *   MODULE    program, library or module; empty for all
 *   FUNCTION  function; a pattern stands for several
 *
 * Columns:
 *   MODULE       program, library or module
 *   FUNCTION     the function
 *   COUNT        number of calls
 *   AVERAGE(ns)  average time, in nanoseconds
 *   LONGEST(ns)  longest time
 *   SUM(ns)      time of all
 *
 * Compiles with: syscall vmlinux read
 *
 * See: funccount, hotuser, dtrace-provider-pid, dtrace-provider-fbt
 */
#pragma D option quiet

inline int in_kernel = probeprov == "fbt" || probeprov == "rawfbt";

/* An empty provider means all providers: system calls of the whole machine would count, too. */
inline int is_refused = $$1 == "";

BEGIN
/is_refused/
{
	printf("funclatency needs PROVIDER: pid$target, a pid with a number, or fbt\n");
	exit(1);
}

BEGIN
/!is_refused/
{
	printf("Measuring calls. ^C ends it.\n");
}

/* Of calls inside of a call of the same function the outer one is measured. In a process it is over
 * when the stack is back, however the inner ones were left: by an exception, by longjmp(). */
$1:$2:$3:entry
/in_kernel ? self->depth[probefunc]++ == 0 :
 !self->since[probefunc] || uregs[R_SP] >= self->stack[probefunc]/
{
	self->since[probefunc] = timestamp;
	self->stack[probefunc] = uregs[R_SP];
}

$1:$2:$3:return
/self->since[probefunc] &&
 (in_kernel ? --self->depth[probefunc] == 0 : uregs[R_SP] >= self->stack[probefunc])/
{
	this->ns = timestamp - self->since[probefunc];
	@times[probemod, probefunc] = quantize(this->ns);
	@calls[probemod, probefunc] = count();
	@average[probemod, probefunc] = avg(this->ns);
	@longest[probemod, probefunc] = max(this->ns);
	@sum[probemod, probefunc] = sum(this->ns);
	self->since[probefunc] = 0;
	self->stack[probefunc] = 0;
}

END
/!is_refused/
{
	printa("\n%s`%s, time in ns:%@d", @times);
	printf("\n%-24s %-24s %10s %12s %12s %14s\n", "MODULE", "FUNCTION", "COUNT", "AVERAGE(ns)", "LONGEST(ns)",
	    "SUM(ns)");
	printa("%-24s %-24s %@10d %@12d %@12d %@14d\n", @calls, @average, @longest, @sum);
}
