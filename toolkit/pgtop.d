/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pgtop - queries of PostgreSQL
 *
 * Usage: -p PID [SECONDS]
 *
 * Prints a table every few seconds, and one at the end, of the queries of a PostgreSQL server process:
 * how often, and how long. It needs -p with a process that serves a connection (pg_backend_pid());
 * with -x follow=fork and the first process of the server, all connections that begin from then on.
 * The server must be built with static probes, as Debian's is.
 *
 * Arguments:
 *   SECONDS  time of a table, by default 10
 *
 * Columns:
 *   COUNT        how often the query was made
 *   SUM(us)      time of all, in microseconds
 *   AVERAGE(us)  average time
 *   LONGEST(us)  longest time
 *   QUERY        its text, at most 79 characters
 *
 * Compiles with: a process that has the probes
 *
 * See: vltop, syncsnoop, dtrace-provider-usdt
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1

int64_t seconds;

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	seconds = $$1 == "" ? 10 : strtoll($$1);
	is_refused = $$1 != "" && (seconds < 1 || seconds > 1000000000 || lltostr(seconds) != $$1);
}

BEGIN
/is_refused/
{
	printf("pgtop needs SECONDS as a number from 1 to 1000000000\n");
	exit(1);
}

BEGIN
/!is_refused/
{
	printf("Measuring queries: a table every %d s. ^C ends it.\n", seconds);
}

postgresql$target:::query-start
{
	self->from = timestamp;
	self->query = copyinstr(arg0, 79);
}

postgresql$target:::query-done
/self->from/
{
	this->ns = timestamp - self->from;
	@count[self->query] = count();
	@sum[self->query] = sum(this->ns);
	@average[self->query] = avg(this->ns);
	@longest[self->query] = max(this->ns);
	@queries = count();
	self->from = 0;
	self->query = 0;
}

postgresql$target:::transaction-commit
{
	@commits = count();
}

postgresql$target:::transaction-abort
{
	@aborts = count();
}

tick-1s
/++n % seconds == 0/
{
	normalize(@sum, 1000);
	normalize(@average, 1000);
	normalize(@longest, 1000);
	printf("\n%Y\n%8s %12s %12s %12s %s\n", walltimestamp, "COUNT", "SUM(us)", "AVERAGE(us)", "LONGEST(us)", "QUERY");
	printa("%@8d %@12d %@12d %@12d %s\n", @count, @sum, @average, @longest);
	trunc(@count);
	trunc(@sum);
	trunc(@average);
	trunc(@longest);
}

END
/!is_refused/
{
	normalize(@sum, 1000);
	normalize(@average, 1000);
	normalize(@longest, 1000);
	printf("\n%Y\n%8s %12s %12s %12s %s\n", walltimestamp, "COUNT", "SUM(us)", "AVERAGE(us)", "LONGEST(us)", "QUERY");
	printa("%@8d %@12d %@12d %@12d %s\n", @count, @sum, @average, @longest);
	printa("\n%@8d queries\n", @queries);
	printa("%@8d commits\n", @commits);
	printa("%@8d aborts\n", @aborts);
}
