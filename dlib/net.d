/* SPDX-License-Identifier: BSD-2-Clause */
/* net - connections, packets and interfaces */

enum address_family {
	AF_UNSPEC = 0, AF_UNIX = 1, AF_LOCAL = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16, AF_PACKET = 17,
	AF_BLUETOOTH = 31, AF_ALG = 38, AF_VSOCK = 40, AF_XDP = 44
};
inline enum address_family family_name[int family] = (enum address_family)family;

enum message_flag {
	MSG_OOB = 1, MSG_PEEK = 2, MSG_DONTROUTE = 4, MSG_CTRUNC = 8, MSG_TRUNC = 0x20, MSG_DONTWAIT = 0x40, MSG_EOR = 0x80,
	MSG_WAITALL = 0x100, MSG_CONFIRM = 0x800, MSG_ERRQUEUE = 0x2000, MSG_NOSIGNAL = 0x4000, MSG_MORE = 0x8000,
	MSG_WAITFORONE = 0x10000, MSG_ZEROCOPY = 0x4000000, MSG_FASTOPEN = 0x20000000, MSG_CMSG_CLOEXEC = 0x40000000
};
inline enum message_flag message_flags[int flags] = (enum message_flag)flags;

inline int SOCK_STREAM = 1;
inline int SOCK_DGRAM = 2;
inline int SOCK_RAW = 3;
inline int SOCK_SEQPACKET = 5;
inline int PACKET_OTHERHOST = 3;
inline int ETH_P_IP = 0x800;
inline int ETH_P_IPV6 = 0x86dd;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;
inline int NET_PROBE_OUTBOUND = 0;
inline int NET_PROBE_INBOUND = 1;

typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

#pragma D binding "1.5" translator
translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = (uintptr_t)S;
};

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	zoneid_t cs_zoneid;
} csinfo_t;

/* Not one of IP, which may also be the small struct of a connection that begins or ends. */
inline int sock_may_know_peer[struct sock *S] =
	S->__sk_common.skc_family != AF_INET && S->__sk_common.skc_family != AF_INET6;

/* A socket has a cookie when somebody has asked for it (SO_COOKIE, ss(8)). */
#pragma D binding "1.5" translator
translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = S == NULL ? 0 : S->__sk_common.skc_cookie.counter != 0 ?
		 S->__sk_common.skc_cookie.counter : (uint64_t)S;
	cs_pid = S != NULL && sock_may_know_peer[S] ? pid_number[S->sk_peer_pid] : 0;
	cs_zoneid = 0;
};

/* A protocol of this machine has made the packet: it has not arrived here before, and is not a packet
 * socket's own bytes. A reset of IPv6 has no socket. */
inline int skb_is_ours[struct sk_buff *S] =
	S->skb_iif == 0 && (S->sk == NULL || S->sk->__sk_common.skc_family != AF_PACKET);

/* Where it came from. In the queue of a TCP socket, a packet has links of a tree in that place. */
inline struct net_device *skb_origin[struct sk_buff *S] =
	S->sk != NULL ? (struct net_device *)NULL : S->dev;

/* Not raw sockets of that protocol. */
inline int sk_is_udp[struct sock *S] = S->sk_protocol == IPPROTO_UDP && S->sk_type == SOCK_DGRAM;

/* --- the two ends of a socket, as text ------------------------------------------------------ */

inline string sock_local[struct sock *S] =
	S->__sk_common.skc_family == AF_INET6 ?
	inet_ntoa6(&S->__sk_common.skc_v6_rcv_saddr) : inet_ntoa(&S->__sk_common.skc_rcv_saddr);
inline string sock_remote[struct sock *S] =
	S->__sk_common.skc_family == AF_INET6 ?
	inet_ntoa6(&S->__sk_common.skc_v6_daddr) : inet_ntoa(&S->__sk_common.skc_daddr);
inline uint16_t sock_local_port[struct sock *S] = S->__sk_common.skc_num;
inline uint16_t sock_remote_port[struct sock *S] = ntohs(S->__sk_common.skc_dport);

#pragma D binding "1.5" translator
translator conninfo_t < struct sock *S > {
	ci_local = sock_local[S];
	ci_remote = sock_remote[S];
	ci_protocol = S->__sk_common.skc_family == AF_INET ? "ipv4" :
		      S->__sk_common.skc_family == AF_INET6 ? "ipv6" : "<unknown>";
};

/* --- interfaces ----------------------------------------------------------------------------- */

typedef uint64_t netstackid_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

/* 0x8 is IFF_LOOPBACK. */
#pragma D binding "1.5" translator
translator ifinfo_t < struct net_device *N > {
	if_name = N == NULL ? "<null>" : stringof(N->name);
	if_local = N == NULL ? 0 : (N->flags & 0x8) != 0;
	if_ipstack = N == NULL ? 0 : N->nd_net.net->ns.inum;
	if_addr = (uintptr_t)N;
};
