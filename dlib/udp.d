/* SPDX-License-Identifier: BSD-2-Clause */
/* udp - datagrams and their sockets */
typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

#pragma D binding "1.6.3" translator
translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

#pragma D binding "1.6.3" translator
translator udpsinfo_t < struct sock *S > {
	udps_addr = (uintptr_t)S;
	udps_lport = S == NULL ? 0 : sock_local_port[S];
	udps_rport = S == NULL ? 0 : sock_remote_port[S];
	udps_laddr = S == NULL ? "<unknown>" : sock_local[S];
	udps_raddr = S == NULL ? "<unknown>" : sock_remote[S];
};
