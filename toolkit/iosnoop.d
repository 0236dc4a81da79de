/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iosnoop - blocks to and from disks, line by line
 *
 * Usage: [-p PID | -c COMMAND] [DEVICE]
 *
 * A line for each request that a disk has finished. PID and COMM are of the process that was running
 * when the request was given to the driver: of writes often a thread of the kernel that writes back
 * what others have written before.
 *
 * Arguments:
 *   DEVICE  only this device, such as sda
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   DEVICE   name of the disk
 *   D        R for a read, W for a write, D for a discard
 *   BLOCK    the place, in blocks of 512 bytes
 *   BYTES    the size, also of what is discarded
 *   LAT(ms)  from the driver to the end
 *   FILE     name of the file, where the memory is that of a file, else <none>; then the name of an
 *            error
 *
 * See: iolatency, bitesize, fileslower, dtrace-provider-io
 */
#pragma D option quiet
#pragma D option defaultargs

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

uint64_t begun[uint64_t];
inline uint64_t us = (timestamp - begun[arg0]) / 1000;
inline int is_ours = !$target || target;
inline string letter[int flags] = flags & B_READ ? "R" : flags & B_WRITE ? "W" : "D";
inline string way[int flags] = flags & B_READ ? "read" : flags & B_WRITE ? "written" : "discarded";

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-10s %s %10s %8s %10s %s\n", "TIME(s)", "PID", "COMM", "DEVICE", "D", "BLOCK",
	    "BYTES", "LAT(ms)", "FILE");
}

io:::start
/is_ours && ($$1 == "" || args[1]->dev_statname == $$1)/
{
	begun[arg0] = timestamp;
	process[arg0] = pid;
	program[arg0] = execname;
}

io:::done
/begun[arg0]/
{
	printf("%5d.%03d %7d %-16s %-10s %s %10d %8d %6d.%03d %s%s\n", ms / 1000, ms % 1000, process[arg0],
	    program[arg0], args[1]->dev_statname, letter[args[0]->b_flags], args[0]->b_blkno,
	    args[0]->b_bufsize, us / 1000, us % 1000, args[2]->fi_name,
	    args[0]->b_error ? strjoin(" ", errno_name[args[0]->b_error]) : "");
	@bytes[args[1]->dev_statname, way[args[0]->b_flags]] = sum(args[0]->b_bufsize);
	begun[arg0] = 0;
	process[arg0] = 0;
	program[arg0] = 0;
}

END
{
	printf("\n");
	printa("%-10s %-9s %@12d bytes\n", @bytes);
}
