/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpaccept - TCP connections that processes accept
 *
 * Usage: [-p PID | -c COMMAND] [-P PORT]
 *
 * A line for each connection that accept or accept4 hands to a process.
 *
 * Columns:
 *   TIME(s)  seconds since the tool began
 *   PID      process number
 *   COMM     name of the program
 *   FD       the new descriptor
 *   LOCAL    address and port on this side
 *   REMOTE   address and port of the client
 *   WAITING  how many connections still wait to be accepted
 *
 * See: tcpconnect, tcplife, tcpstates, dtrace-provider-tcp
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D argument port "-P PORT" "only connections to this port; 0: all" default 0 from 0 to 65535

inline int is_ours = $target ? target : pid != $pid;
uint64_t began;
inline uint64_t ms = (timestamp - began) / 1000000;

inline struct sock *accepted = ((struct socket *)getf(arg1)->private_data)->sk;
inline int is_tcp = accepted->sk_protocol == IPPROTO_TCP;

BEGIN
{
	began = timestamp;
	printf("%9s %7s %-16s %4s %-21s %-21s %s\n", "TIME(s)", "PID", "COMM", "FD", "LOCAL", "REMOTE",
	    "WAITING");
}

syscall::accept:entry, syscall::accept4:entry
/is_ours/
{
	self->listener = getf(arg0);
}

syscall::accept:return, syscall::accept4:return
/self->listener && !errno && is_tcp && (!$port || xlate <tcpsinfo_t *>(accepted)->tcps_lport == $port)/
{
	printf("%5d.%03d %7d %-16s %4d %-21s %-21s %d\n", ms / 1000, ms % 1000, pid, execname, (int)arg1,
	    strjoin(xlate <tcpsinfo_t *>(accepted)->tcps_laddr,
	    strjoin(":", lltostr(xlate <tcpsinfo_t *>(accepted)->tcps_lport))),
	    strjoin(xlate <tcpsinfo_t *>(accepted)->tcps_raddr,
	    strjoin(":", lltostr(xlate <tcpsinfo_t *>(accepted)->tcps_rport))),
	    ((struct socket *)self->listener->private_data)->sk->sk_ack_backlog);
	@accepted = count();
}

syscall::accept:return, syscall::accept4:return
{
	self->listener = 0;
}

END
{
	printa("\n%@8d connections accepted\n", @accepted);
}
