/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iolatency - how long disks take, as histograms
 *
 * Usage: [-p PID | -c COMMAND] [DEVICE]
 *
 * Counts requests to disks by their time from the driver to the end, for each disk and direction,
 * until ^C or until the command has ended. With -p and -c those that were given to the driver while
 * one of these processes was running.
 *
 * Arguments:
 *   DEVICE  only this device, such as sda
 *
 * Columns:
 *   DEVICE       name of the disk
 *   WAY          reads, writes or discards
 *   COUNT        number of requests
 *   AVERAGE(us)  average time, in microseconds
 *   LONGEST(us)  longest time
 *
 * See: iosnoop, bitesize, dtrace-provider-io
 */
#pragma D option quiet
#pragma D option defaultargs

inline string way[int flags] = flags & B_READ ? "reads" : flags & B_WRITE ? "writes" : "discards";

BEGIN
{
	printf("Measuring requests to disks. ^C ends it.\n");
}

io:::start
/(!$target || target) && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	begun[arg0] = timestamp;
}

io:::done
/begun[arg0]/
{
	this->us = (timestamp - begun[arg0]) / 1000;
	@times[args[1]->dev_statname, way[args[0]->b_flags]] = quantize(this->us);
	@count[args[1]->dev_statname, way[args[0]->b_flags]] = count();
	@average[args[1]->dev_statname, way[args[0]->b_flags]] = avg(this->us);
	@longest[args[1]->dev_statname, way[args[0]->b_flags]] = max(this->us);
	begun[arg0] = 0;
}

END
{
	printa("\n%s, %s, time in us:%@d", @times);
	printf("\n%-10s %-8s %10s %12s %12s\n", "DEVICE", "WAY", "COUNT", "AVERAGE(us)", "LONGEST(us)");
	printa("%-10s %-8s %@10d %@12d %@12d\n", @count, @average, @longest);
}
