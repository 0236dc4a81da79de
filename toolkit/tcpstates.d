/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpstates - changes of TCP states
 *
 * Usage: [-p PID | -c COMMAND] [-P PORT]
 *
 * A line for each change of the state of a TCP socket, with the time that it was in the state before.
 * Many changes happen in interrupts, so there is no process; tcplife shows whose a connection is. With
 * -p and -c the tool ends when the process does, and shows the whole system all the same.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   LOCAL    address and port on this side
 *   REMOTE   address and port on the other side
 *   OLD      the state before
 *   FOR(ms)  how long; 0 if it began before the tool did
 *   NEW      the state now
 *
 * See: tcplife, tcpconnect, tcpaccept, dtrace-provider-tcp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument port "-P PORT" "only sockets from or to this port; 0: all" default 0 from 0 to 65535

uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

uint64_t since[uint64_t];
inline string state_name[int s] =
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_SYN_SENT ? "syn-sent" :
	s == TCP_STATE_SYN_RECEIVED ? "syn-received" : s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" :
	s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" : s == TCP_STATE_TIME_WAIT ? "time-wait" :
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_LAST_ACK ? "last-ack" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_CLOSING ? "closing" : "?";

BEGIN
{
	began = timestamp;
	printf("%9s %-21s %-21s %-12s %10s %s\n", "TIME(s)", "LOCAL", "REMOTE", "OLD", "FOR(ms)", "NEW");
}

tcp:::state-change
/!$port || args[3]->tcps_lport == $port || args[3]->tcps_rport == $port/
{
	this->us = since[args[3]->tcps_addr] ? (timestamp - since[args[3]->tcps_addr]) / 1000 : 0;
	printf("%5d.%03d %-21s %-21s %-12s %6d.%03d %s\n", ms / 1000, ms % 1000,
	    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    state_name[args[5]->tcps_state], this->us / 1000, this->us % 1000, state_name[args[3]->tcps_state]);
	@changes[state_name[args[5]->tcps_state], state_name[args[3]->tcps_state]] = count();
	since[args[3]->tcps_addr] = args[3]->tcps_state == TCP_STATE_CLOSED ? 0 : timestamp;
}

END
{
	printf("\n%-12s %-12s %8s\n", "OLD", "NEW", "COUNT");
	printa("%-12s %-12s %@8d\n", @changes);
}
