/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intrstat - interrupts of devices: how many, and how long
 *
 * Usage: [-p PID | -c COMMAND] [-i SECONDS]
 *
 * Counts interrupts by device and CPU, and sums the time in their handlers, until ^C or until the
 * command has ended, or prints a table every so many seconds. Interrupts of timers and between CPUs
 * have no device and are not counted; what drivers leave for later is shown by softirqs. With -p and
 * -c the tool ends when the process does, and shows the whole system all the same.
 *
 * Columns:
 *   IRQ          number of the interrupt
 *   DEVICE       who handles it
 *   CPU          the CPU
 *   COUNT        number of interrupts
 *   TIME(us)     time in the handler, in microseconds
 *   LONGEST(us)  its longest run
 *
 * See: softirqs, hotkernel, dtrace-provider-rawtp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument seconds "-i SECONDS" "time of a table; 0: one table at the end" default 0 from 0 to 1000000000

BEGIN
{
	printf("Measuring interrupts. ^C ends it.\n");
}

/* arg0 is the number, arg1 the struct irqaction. */
rawtp:::irq_handler_entry
{
	begun[cpu] = timestamp;
}

rawtp:::irq_handler_exit
/begun[cpu]/
{
	this->ns = timestamp - begun[cpu];
	this->device = stringof(((struct irqaction *)arg1)->name);
	@count[arg0, this->device, cpu] = count();
	@time[arg0, this->device, cpu] = sum(this->ns);
	@longest[arg0, this->device, cpu] = max(this->ns);
	begun[cpu] = 0;
}

tick-1s
/$seconds && ++n % $seconds == 0/
{
	normalize(@time, 1000);
	normalize(@longest, 1000);
	printf("\n%5s %-24s %4s %10s %12s %12s\n", "IRQ", "DEVICE", "CPU", "COUNT", "TIME(us)", "LONGEST(us)");
	printa("%5d %-24s %4d %@10d %@12d %@12d\n", @count, @time, @longest);
	clear(@count);
	clear(@time);
	clear(@longest);
}

END
/!$seconds/
{
	normalize(@time, 1000);
	normalize(@longest, 1000);
	printf("\n%5s %-24s %4s %10s %12s %12s\n", "IRQ", "DEVICE", "CPU", "COUNT", "TIME(us)", "LONGEST(us)");
	printa("%5d %-24s %4d %@10d %@12d %@12d\n", @count, @time, @longest);
}
