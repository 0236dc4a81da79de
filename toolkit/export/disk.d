/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disk - metrics of requests to disks
 *
 * dtrace_disk_seconds{device,operation}       from the driver to the end (histogram)
 * dtrace_disk_bytes_total{device,operation}   how much
 * dtrace_disk_errors_total{device,operation}  those that failed
 */
#pragma D option quiet
#pragma D option oformat=openmetrics
#pragma D option listen=9403
#pragma D option labels=device,operation

inline string operation[int flags] = flags & B_READ ? "read" : flags & B_WRITE ? "write" : "discard";

io:::start
{
	begun[arg0] = timestamp;
}

io:::done
/begun[arg0]/
{
	@disk_seconds[args[1]->dev_statname, operation[args[0]->b_flags]] = quantize(timestamp - begun[arg0]);
	@disk_bytes[args[1]->dev_statname, operation[args[0]->b_flags]] = sum(args[0]->b_bcount);
	begun[arg0] = 0;
}

io:::done
/args[0]->b_flags & B_ERROR/
{
	@disk_errors[args[1]->dev_statname, operation[args[0]->b_flags]] = count();
}
