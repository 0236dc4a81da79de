/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcp - metrics of TCP
 *
 * dtrace_tcp_connect_seconds             until the answer to a connection's request (histogram)
 * dtrace_tcp_connections_total{way}      made to others (out), accepted from them (in)
 * dtrace_tcp_refused_total{way}          refused by them, and to them
 * dtrace_tcp_bytes_total{way}            without headers
 * dtrace_tcp_retransmits_total           segments that were sent again
 */
#pragma D option quiet
#pragma D option oformat=openmetrics
#pragma D option listen=9404
#pragma D option labels=way

uint64_t asked[uint64_t];

tcp:::connect-request
{
	asked[args[1]->cs_addr] = timestamp;
}

tcp:::connect-established
/asked[args[1]->cs_addr]/
{
	@tcp_connect_seconds = quantize(timestamp - asked[args[1]->cs_addr]);
}

tcp:::connect-established
{
	@tcp_connections["out"] = count();
}

tcp:::accept-established
{
	@tcp_connections["in"] = count();
}

tcp:::connect-refused
{
	@tcp_refused["out"] = count();
}

tcp:::accept-refused
{
	@tcp_refused["in"] = count();
}

tcp:::connect-established, tcp:::connect-refused
{
	asked[args[1]->cs_addr] = 0;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	asked[args[1]->cs_addr] = 0;
}

tcp:::send
{
	@tcp_bytes["out"] = sum(args[2]->ip_plength - args[4]->tcp_offset);
}

tcp:::receive
{
	@tcp_bytes["in"] = sum(args[2]->ip_plength - args[4]->tcp_offset);
}

mib:::tcpRetransSegs
{
	@tcp_retransmits = sum(arg0);
}
