/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plockstat - locks of a program that its threads wait for
 *
 * Usage: -p PID | -c COMMAND [-n ROWS]
 *
 * Counts waits of a process's threads for mutexes and reader-writer locks of the C library, until ^C
 * or until the process has ended, with the stacks that waited. It needs -p or -c.
 *
 * Columns:
 *   KIND         mutex, reader or writer
 *   LOCK         the variable that is the lock, or its address
 *   COUNT        number of waits
 *   SUM(us)      their time, in microseconds
 *   AVERAGE(us)  average time
 *   LONGEST(us)  longest time
 *
 * Compiles with: -c /bin/true
 *
 * See: lockstat, offcpu, dtrace-provider-plockstat
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortpos=1
#pragma D argument rows "-n ROWS" "stacks that are shown" default 20 from 1 to 1000000000

BEGIN
{
	printf("Measuring waits for the locks of a program. ^C ends it.\n");
}

plockstat$target:::mutex-block, plockstat$target:::rw-block
{
	self->since = timestamp;
}

plockstat$target:::mutex-blocked
/self->since/
{
	this->ns = timestamp - self->since;
	@count["mutex", usym(arg0)] = count();
	@sum["mutex", usym(arg0)] = sum(this->ns);
	@average["mutex", usym(arg0)] = avg(this->ns);
	@longest["mutex", usym(arg0)] = max(this->ns);
	@places["mutex", ustack()] = sum(this->ns);
	self->since = 0;
}

plockstat$target:::rw-blocked
/self->since/
{
	this->ns = timestamp - self->since;
	@count[arg1 ? "writer" : "reader", usym(arg0)] = count();
	@sum[arg1 ? "writer" : "reader", usym(arg0)] = sum(this->ns);
	@average[arg1 ? "writer" : "reader", usym(arg0)] = avg(this->ns);
	@longest[arg1 ? "writer" : "reader", usym(arg0)] = max(this->ns);
	@places[arg1 ? "writer" : "reader", ustack()] = sum(this->ns);
	self->since = 0;
}

END
{
	trunc(@places, $rows);
	normalize(@places, 1000);
	normalize(@sum, 1000);
	normalize(@average, 1000);
	normalize(@longest, 1000);
	printa("\n%s: %@d us%k", @places);
	printf("\n%-8s %-32s %9s %12s %12s %12s\n", "KIND", "LOCK", "COUNT", "SUM(us)", "AVERAGE(us)",
	    "LONGEST(us)");
	printa("%-8s %-32A %@9d %@12d %@12d %@12d\n", @count, @sum, @average, @longest);
}
