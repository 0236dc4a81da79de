/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcplife - TCP connections from beginning to end
 *
 * Usage: [-p PID | -c COMMAND] [-P PORT]
 *
 * A line for each connection that began while the tool was running, when it has ended: whose it was,
 * how long it lasted, and how many bytes each side sent. The process is the one that made the
 * connection, or, of one that arrived, the one that closed it; if it was reset by the other side, the
 * one that listened, which is known if it began to while the tool was running.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   LOCAL    address and port on this side
 *   REMOTE   address and port on the other side
 *   SENT(B)  bytes that this side sent, without those sent again
 *   GOT(B)   bytes that this side received
 *   AGE(s)   from the request, or its answer, to the end
 *
 * See: tcpconnect, tcpaccept, tcpstates, dtrace-provider-tcp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument port "-P PORT" "only connections from or to this port; 0: all" default 0 from 0 to 65535

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

uint64_t since[uint64_t];

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %-21s %-21s %10s %10s %9s\n", "TIME(s)", "PID", "COMM", "LOCAL", "REMOTE",
	    "SENT(B)", "GOT(B)", "AGE(s)");
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	since[args[3]->tcps_addr] = timestamp;
	process[args[3]->tcps_addr] = pid;
	program[args[3]->tcps_addr] = execname;
	is_wanted[args[3]->tcps_addr] = is_ours;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_LISTEN/
{
	listener[pid] = execname;
	is_wanted_listener[pid] = is_ours;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	since[args[3]->tcps_addr] = timestamp;
}

/* The other side, or time, has ended it: the socket has an error. */
tcp:::state-change
/since[args[3]->tcps_addr] && !process[args[3]->tcps_addr] && args[3]->tcps_state == TCP_STATE_CLOSED &&
    ((struct sock *)args[3]->tcps_addr)->sk_err/
{
	process[args[3]->tcps_addr] = args[1]->cs_pid;
	program[args[3]->tcps_addr] = listener[args[1]->cs_pid];
	is_wanted[args[3]->tcps_addr] = is_wanted_listener[args[1]->cs_pid];
}

/* The process closes it. */
tcp:::state-change
/since[args[3]->tcps_addr] && !process[args[3]->tcps_addr] &&
    (args[3]->tcps_state == TCP_STATE_FIN_WAIT_1 || args[3]->tcps_state == TCP_STATE_LAST_ACK ||
    (args[3]->tcps_state == TCP_STATE_CLOSED && !((struct sock *)args[3]->tcps_addr)->sk_err))/
{
	process[args[3]->tcps_addr] = pid;
	program[args[3]->tcps_addr] = execname;
	is_wanted[args[3]->tcps_addr] = is_ours;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED && since[args[3]->tcps_addr] &&
    (!$target || is_wanted[args[3]->tcps_addr]) &&
    (!$port || args[3]->tcps_lport == $port || args[3]->tcps_rport == $port)/
{
	this->ms = (timestamp - since[args[3]->tcps_addr]) / 1000000;
	this->sock = (struct tcp_sock *)args[3]->tcps_addr;
	/* The kernel counts the other side's FIN, after which the socket is SOCK_DONE (1). */
	this->got = this->sock->bytes_received - 
	    (((struct sock *)this->sock)->__sk_common.skc_flags >> 1 & 1);
	printf("%5d.%03d %7d %-16s %-21s %-21s %10d %10d %5d.%03d\n", ms / 1000, ms % 1000,
	    process[args[3]->tcps_addr], program[args[3]->tcps_addr],
	    strjoin(args[3]->tcps_laddr, strjoin(":", lltostr(args[3]->tcps_lport))),
	    strjoin(args[3]->tcps_raddr, strjoin(":", lltostr(args[3]->tcps_rport))),
	    this->sock->bytes_sent - this->sock->bytes_retrans, this->got, this->ms / 1000, this->ms % 1000);
	@ended = count();
	@sent = sum(this->sock->bytes_sent - this->sock->bytes_retrans);
	@got = sum(this->got);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	since[args[3]->tcps_addr] = 0;
	process[args[3]->tcps_addr] = 0;
	program[args[3]->tcps_addr] = 0;
	is_wanted[args[3]->tcps_addr] = 0;
}

END
{
	printa("\n%@8d connections ended:", @ended);
	printa(" %@d bytes sent,", @sent);
	printa(" %@d received\n", @got);
}
