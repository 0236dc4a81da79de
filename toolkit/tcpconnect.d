/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnect - TCP connections that processes make
 *
 * Usage: [-p PID | -c COMMAND] [-P PORT]
 *
 * A line for each connection to another socket, when it is made, refused, or given up, with the time
 * that it took: that of a round through the network.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   LOCAL    address and port on this side
 *   REMOTE   address and port on the other side
 *   LAT(ms)  time until the answer
 *   RESULT   made, refused, or given up
 *
 * See: tcpaccept, tcplife, tcpstates, dtrace-provider-tcp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument port "-P PORT" "only connections to this port; 0: all" default 0 from 0 to 65535

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

uint64_t asked[uint64_t];

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-21s %-21s %10s %s\n", "TIME(s)", "PID", "COMM", "LOCAL", "REMOTE",
	    "LAT(ms)", "RESULT");
}

tcp:::connect-request
/is_ours && (!$port || args[4]->tcp_dport == $port)/
{
	asked[args[1]->cs_addr] = timestamp;
	process[args[1]->cs_addr] = pid;
	program[args[1]->cs_addr] = execname;
}

tcp:::connect-established
/asked[args[1]->cs_addr]/
{
	this->us = (timestamp - asked[args[1]->cs_addr]) / 1000;
	printf("%5d.%03d %7d %-16s %-21s %-21s %6d.%03d made\n", ms / 1000, ms % 1000,
	    process[args[1]->cs_addr], program[args[1]->cs_addr],
	    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    this->us / 1000, this->us % 1000);
	@connections["made"] = count();
}

tcp:::connect-refused
/asked[args[1]->cs_addr]/
{
	this->us = (timestamp - asked[args[1]->cs_addr]) / 1000;
	printf("%5d.%03d %7d %-16s %-21s %-21s %6d.%03d refused\n", ms / 1000, ms % 1000,
	    process[args[1]->cs_addr], program[args[1]->cs_addr],
	    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    this->us / 1000, this->us % 1000);
	@connections["refused"] = count();
}

tcp:::connect-established, tcp:::connect-refused
{
	asked[args[1]->cs_addr] = 0;
	process[args[1]->cs_addr] = 0;
	program[args[1]->cs_addr] = 0;
}

tcp:::state-change
/asked[args[1]->cs_addr] && args[3]->tcps_state == TCP_STATE_CLOSED/
{
	this->us = (timestamp - asked[args[1]->cs_addr]) / 1000;
	printf("%5d.%03d %7d %-16s %-21s %-21s %6d.%03d given up\n", ms / 1000, ms % 1000,
	    process[args[1]->cs_addr], program[args[1]->cs_addr],
	    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    this->us / 1000, this->us % 1000);
	@connections["given up"] = count();
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	asked[args[1]->cs_addr] = 0;
	process[args[1]->cs_addr] = 0;
	program[args[1]->cs_addr] = 0;
}

END
{
	printf("\n");
	printa("%@8d connections %s\n", @connections);
}
