/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pgtop - queries of PostgreSQL
 *
 * Usage: -p PID [-i SECONDS]
 *
 * Prints a table every few seconds, and one at the end, of the queries of a PostgreSQL server process:
 * how often, and how long. It needs -p with a process that serves a connection (pg_backend_pid());
 * with -x follow=fork and the first process of the server, all connections that begin from then on.
 * The server must be built with static probes, as Debian's is.
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
#pragma D argument seconds "-i SECONDS" "time of a table" default 10 from 1 to 1000000000

BEGIN
{
	printf("Measuring queries: a table every %d s. ^C ends it.\n", $seconds);
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
/++n % $seconds == 0/
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
