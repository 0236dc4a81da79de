/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bitesize - sizes of requests to disks, by process
 *
 * Usage: [-p PID | -c COMMAND] [DEVICE]
 *
 * Counts requests to disks by their size, for each process that was running when they were given to
 * the driver, until ^C or until the command has ended. Discards, which move no bytes, are left out.
 *
 * Arguments:
 *   DEVICE  only this device, such as sda
 *
 * Columns:
 *   PID    process number
 *   COMM   name of the program
 *   COUNT  number of requests
 *   BYTES  their sum
 *
 * See: iosnoop, iolatency, dtrace-provider-io
 */
#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("Counting requests to disks. ^C ends it.\n");
}

io:::start
/args[0]->b_flags & (B_READ | B_WRITE) && (!$target || target) && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	@sizes[pid, execname] = quantize(args[0]->b_bcount);
	@count[pid, execname] = count();
	@bytes[pid, execname] = sum(args[0]->b_bcount);
}

END
{
	printa("\nprocess %d, %s, sizes in bytes:%@d", @sizes);
	printf("\n%7s %-16s %10s %14s\n", "PID", "COMM", "COUNT", "BYTES");
	printa("%7d %-16s %@10d %@14d\n", @count, @bytes);
}
