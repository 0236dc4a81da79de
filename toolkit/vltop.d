/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vltop - connections of a program with rx probes
 *
 * Usage: -p PID | -c COMMAND [-i SECONDS]
 *
 * Prints a table every few seconds, and one at the end, of the changes of connections that the static
 * probe rx:::conn-state of a program reports, by the other side and by the new state. The program
 * declares the types of the probe and the names of the states (see dtrace-provider-usdt). It needs -p
 * or -c.
 *
 * Columns:
 *   REMOTE     the other side
 *   PROTOCOL   protocol of the connection
 *   STATUS     the state that it has now
 *   CHANGES    how many connections got this state
 *   AFTER(ns)  average time since the connection's change before
 *
 * Compiles with: a process that has the probes
 *
 * See: pgtop, tcpstates, dtrace-provider-usdt
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument seconds "-i SECONDS" "time of a table" default 1 from 1 to 1000000000

BEGIN
{
	printf("Counting changes of connections: a table every %d s. ^C ends it.\n", $seconds);
}

uint64_t since[int];

rx$target:::conn-state
{
	@changes[args[1]->ci_remote, args[1]->ci_protocol, args[2]->rx_status] = count();
	@all = count();
}

rx$target:::conn-state
/since[args[0]]/
{
	@time[args[1]->ci_remote, args[1]->ci_protocol, args[2]->rx_status] = avg(timestamp - since[args[0]]);
}

rx$target:::conn-state
{
	since[args[0]] = timestamp;
}

tick-1s
/++n % $seconds == 0/
{
	printf("\n%Y\n%-24s %-9s %-10s %9s %12s\n", walltimestamp, "REMOTE", "PROTOCOL", "STATUS", "CHANGES", "AFTER(ns)");
	printa("%-24s %-9s %-10s %@9d %@12d\n", @changes, @time);
	clear(@changes);
	clear(@time);
}

END
{
	printf("\n%Y\n%-24s %-9s %-10s %9s %12s\n", walltimestamp, "REMOTE", "PROTOCOL", "STATUS", "CHANGES", "AFTER(ns)");
	printa("%-24s %-9s %-10s %@9d %@12d\n", @changes, @time);
	printa("\n%@d changes\n", @all);
}
