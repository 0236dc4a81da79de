/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnect - TCP connections that processes make
 *
 * Usage: [-p PID | -c COMMAND] [PORT]
 *
 * A line for each connection to another socket, when it is made, refused, or given up, with the time
 * that it took: that of a round through the network.
 *
 * Arguments:
 *   PORT  only connections to this port
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

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;
int64_t port; /* 0: all */

uint64_t asked[uint64_t];

/* The argument is read as a string: a word instead of a number is not an error of the compiler. */
BEGIN
{
	port = $$1 == "" ? 0 : strtoll($$1);
	is_refused = $$1 != "" && (port < 1 || port > 65535 || lltostr(port) != $$1);
}

BEGIN
/is_refused/
{
	printf("tcpconnect needs PORT as a number from 1 to 65535\n");
	exit(1);
}

BEGIN
/!is_refused/
{
	began = timestamp;
	printf("%9s %7s %-16s %-21s %-21s %10s %s\n", "TIME(s)", "PID", "COMM", "LOCAL", "REMOTE",
	    "LAT(ms)", "RESULT");
}

tcp:::connect-request
/is_ours && (!port || args[4]->tcp_dport == port)/
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
/!is_refused/
{
	printf("\n");
	printa("%@8d connections %s\n", @connections);
}
