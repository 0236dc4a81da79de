/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ip - headers of IP packets
 *
 * Numbers are in host order.  A header that is not there (NULL) has zeros and <null>.
 */

inline short IPPROTO_IP = 0;
inline short IPPROTO_HOPOPTS = 0;
inline short IPPROTO_ICMP = 1;
inline short IPPROTO_IGMP = 2;
inline short IPPROTO_IPIP = 4;
inline short IPPROTO_TCP = 6;
inline short IPPROTO_EGP = 8;
inline short IPPROTO_PUP = 12;
inline short IPPROTO_UDP = 17;
inline short IPPROTO_IDP = 22;
inline short IPPROTO_TP = 29;
inline short IPPROTO_DCCP = 33;
inline short IPPROTO_IPV6 = 41;
inline short IPPROTO_ROUTING = 43;
inline short IPPROTO_FRAGMENT = 44;
inline short IPPROTO_RSVP = 46;
inline short IPPROTO_GRE = 47;
inline short IPPROTO_ESP = 50;
inline short IPPROTO_AH = 51;
inline short IPPROTO_ICMPV6 = 58;
inline short IPPROTO_NONE = 59;
inline short IPPROTO_DSTOPTS = 60;
inline short IPPROTO_OSPF = 89;
inline short IPPROTO_MTP = 92;
inline short IPPROTO_BEETPH = 94;
inline short IPPROTO_ENCAP = 98;
inline short IPPROTO_PIM = 103;
inline short IPPROTO_COMP = 108;
inline short IPPROTO_SCTP = 132;
inline short IPPROTO_MH = 135;
inline short IPPROTO_UDPLITE = 136;
inline short IPPROTO_RAW = 255;
inline short IPPROTO_MAX = 256;

inline int TCP_MIN_HEADER_LENGTH = 20;

inline string ip_protocol_string[int p] =
	p == IPPROTO_TCP ? "TCP" : p == IPPROTO_UDP ? "UDP" : p == IPPROTO_IP ? "IP" :
	p == IPPROTO_ICMP ? "ICMP" : p == IPPROTO_IGMP ? "IGMP" : p == IPPROTO_EGP ? "EGP" :
	p == IPPROTO_IPV6 ? "IPv6" : p == IPPROTO_ROUTING ? "ROUTE" : p == IPPROTO_ESP ? "ESP" :
	p == IPPROTO_AH ? "AH" : p == IPPROTO_ICMPV6 ? "ICMPv6" : p == IPPROTO_OSPF ? "OSPF" :
	p == IPPROTO_SCTP ? "SCTP" : p == IPPROTO_RAW ? "RAW" : lltostr(p);

/* An IP header of either version.  It has a body: without one it would be looked for in all modules. */
typedef struct void_ip {
	uint8_t first; /* the version in the upper half */
} void_ip_t;
inline int ip_version[void_ip_t *I] = I->first >> 4;

/* Has the kernel put 8 bytes after the header of IPv6, with the length of a packet that is longer than
 * 64 KiB?  They never leave the machine.  194 is the option. */
inline int ip_has_jumbo[void_ip_t *I] =
	((struct ipv6hdr *)I)->nexthdr == 0 && ((uint8_t *)I)[42] == 194;
inline int ip_header_length[void_ip_t *I] =
	ip_version[I] == 6 ? ip_has_jumbo[I] ? 48 : 40 : ((struct iphdr *)I)->ihl << 2;

/*
 * Where an IP header leads: the protocol, and after how many bytes its header is, times 256.  -1: to
 * nothing, for the packet is a fragment but not the first one.  Six extension headers of IPv6 are
 * passed over: RFC 8200 (4.1) has no more in one packet.
 */
inline uint64_t ip_extensions = 1L << IPPROTO_HOPOPTS | 1L << IPPROTO_ROUTING | 1L << IPPROTO_FRAGMENT |
	1L << IPPROTO_AH | 1L << IPPROTO_DSTOPTS;
inline int ip_is_extension[uint8_t protocol] = protocol < 64 && ip_extensions >> protocol & 1;
/* FIRST: a header's four bytes: the next one's protocol, the length, of a fragment the offset. */
inline int ip_passed[int at, uint8_t protocol, uint32_t first] =
	protocol == IPPROTO_FRAGMENT ? (first & 0xfff8 ? -1 : at - protocol + (8 << 8) + (first >> 24)) :
	at - protocol + (((first >> 16 & 0xff) << (protocol == IPPROTO_AH ? 2 : 3)) + 8 << 8) + (first >> 24);
inline int ip_after[void_ip_t *I, int at] = !ip_is_extension[at] ? at :
	ip_passed[at, at, ntohl(*(uint32_t *)((uint8_t *)I + (at >> 8)))];
inline int ip_leads_six[void_ip_t *I, int at] =
	(this->ip_leads = ip_after[I, at], this->ip_leads = ip_after[I, this->ip_leads],
	this->ip_leads = ip_after[I, this->ip_leads], this->ip_leads = ip_after[I, this->ip_leads],
	this->ip_leads = ip_after[I, this->ip_leads], ip_after[I, this->ip_leads]);
inline int ip_leads_one[void_ip_t *I, int at] = ip_is_extension[at] ? ip_leads_six[I, at] : at;
inline int ip_leads_four[struct iphdr *I] =
	I->frag_off & htons(0x1fff) ? -1 : (I->ihl << 10) + I->protocol;

/* The protocol.  A condition asks for it before an argument asks for the header of TCP or UDP. */
inline int ip_transport[void_ip_t *I] =
	(this->ip_leads = ip_version[I] == 6 ?
	ip_leads_one[I, (40 << 8) + ((struct ipv6hdr *)I)->nexthdr] :
	ip_leads_four[(struct iphdr *)I],
	this->ip_leads < 0 ? -1 : this->ip_leads & 0xff);
inline struct tcphdr *ip_tcp[void_ip_t *I] =
	(struct tcphdr *)((uintptr_t)I + (this->ip_leads >> 8));
inline struct udphdr *ip_udp[void_ip_t *I] =
	(struct udphdr *)((uintptr_t)I + (this->ip_leads >> 8));

/* The IP header of a packet: that of one that a device gives to the kernel is the first thing in it,
 * that of another one is where the kernel says. */
inline int skb_is_ip[struct sk_buff *S] =
	S->protocol == htons(ETH_P_IP) || S->protocol == htons(ETH_P_IPV6);
inline void_ip_t *skb_ip[struct sk_buff *S] = (void_ip_t *)(S->head + S->network_header);
inline struct tcphdr *skb_tcp[struct sk_buff *S] =
	(struct tcphdr *)(S->head + S->transport_header);
inline int skb_bytes_from[struct sk_buff *S, void *header] =
	S->len - ((uintptr_t)header - (uintptr_t)S->data);
inline void_ip_t *skb_ip_arriving[struct sk_buff *S] = (void_ip_t *)S->data;

/* Something that nobody has read when its socket is closed is no loss. */
inline int skb_is_lost[enum skb_drop_reason why] =
	has(SKB_DROP_REASON_QUEUE_PURGE) ?
	why != SKB_DROP_REASON_NOT_SPECIFIED && why != SKB_DROP_REASON_QUEUE_PURGE :
	why != SKB_DROP_REASON_NOT_SPECIFIED;

typedef struct in6_addr in6_addr_t;

/* --- both versions -------------------------------------------------------------------------- */

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

#pragma D binding "1.5" translator
translator ipinfo_t < struct iphdr *I > {
	ip_ver = I == NULL ? 0 : I->version;
	ip_plength = I == NULL ? 0 : ntohs(I->tot_len) - (I->ihl << 2);
	ip_saddr = I == NULL ? "<unknown>" : inet_ntoa(&I->saddr);
	ip_daddr = I == NULL ? "<unknown>" : inet_ntoa(&I->daddr);
};

#pragma D binding "1.5" translator
translator ipinfo_t < struct ipv6hdr *I > {
	ip_ver = I == NULL ? 0 : I->version;
	ip_plength = I == NULL ? 0 : ntohs(I->payload_len);
	ip_saddr = I == NULL ? "<unknown>" : inet_ntoa6(&I->saddr);
	ip_daddr = I == NULL ? "<unknown>" : inet_ntoa6(&I->daddr);
};

#pragma D binding "1.5" translator
translator ipinfo_t < void_ip_t *I > {
	ip_ver = I == NULL ? 0 : ip_version[I];
	ip_plength = I == NULL ? 0 :
		     ip_version[I] == 4 ? xlate <ipinfo_t>((struct iphdr *)I).ip_plength :
		     ip_version[I] == 6 ? xlate <ipinfo_t>((struct ipv6hdr *)I).ip_plength : 0;
	ip_saddr = I == NULL ? "<unknown>" :
		   ip_version[I] == 4 ? inet_ntoa(&((struct iphdr *)I)->saddr) :
		   ip_version[I] == 6 ? inet_ntoa6(&((struct ipv6hdr *)I)->saddr) : "<unknown>";
	ip_daddr = I == NULL ? "<unknown>" :
		   ip_version[I] == 4 ? inet_ntoa(&((struct iphdr *)I)->daddr) :
		   ip_version[I] == 6 ? inet_ntoa6(&((struct ipv6hdr *)I)->daddr) : "<unknown>";
};

/*
 * The bytes after the header of IP in a packet, BYTES from the header on: the header of one that the
 * device is to split, and that has more than 64 KiB, does not say it.
 */
inline int ip_has_length[void_ip_t *I] =
	ip_version[I] == 6 ? ((struct ipv6hdr *)I)->payload_len != 0 : ((struct iphdr *)I)->tot_len != 0;
inline uint32_t ip_plength_of[void_ip_t *I, uint32_t bytes] =
	ip_has_length[I] ? xlate <ipinfo_t>(I).ip_plength : bytes - ip_header_length[I];
inline uint32_t skb_ip_plength[struct sk_buff *S] =
	ip_plength_of[skb_ip[S], skb_bytes_from[S, skb_ip[S]]];
inline uint32_t skb_ip_plength_arriving[struct sk_buff *S] =
	ip_plength_of[skb_ip_arriving[S], S->len];

/* What a socket sends: the two ends; 0xffff marks an address of IPv4 in one of IPv6. */
#pragma D binding "1.6.3" translator
translator ipinfo_t < struct sock *S > {
	ip_ver = S == NULL ? 0 : S->__sk_common.skc_family == AF_INET ||
		 S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] == htonl(0xffff) ? 4 : 6;
	ip_plength = 0;
	ip_saddr = S == NULL ? "<unknown>" : sock_local[S];
	ip_daddr = S == NULL ? "<unknown>" : sock_remote[S];
};

/* --- version 4 ------------------------------------------------------------------------------ */

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

inline int ipv4_is_there[struct iphdr *I] = I != NULL && I->version == 4;

#pragma D binding "1.5" translator
translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = ipv4_is_there[I] ? I->version : 0;
	ipv4_ihl = ipv4_is_there[I] ? I->ihl << 2 : 0;
	ipv4_tos = ipv4_is_there[I] ? I->tos : 0;
	ipv4_length = ipv4_is_there[I] ? ntohs(I->tot_len) : 0;
	ipv4_ident = ipv4_is_there[I] ? ntohs(I->id) : 0;
	ipv4_flags = ipv4_is_there[I] ? ntohs(I->frag_off) >> 12 : 0;
	ipv4_offset = ipv4_is_there[I] ? ntohs(I->frag_off) & 0x1fff : 0;
	ipv4_ttl = ipv4_is_there[I] ? I->ttl : 0;
	ipv4_protocol = ipv4_is_there[I] ? I->protocol : 0;
	ipv4_protostr = ipv4_is_there[I] ? ip_protocol_string[I->protocol] : "<null>";
	ipv4_checksum = ipv4_is_there[I] ? ntohs(I->check) : 0;
	ipv4_src = ipv4_is_there[I] ? I->saddr : 0;
	ipv4_dst = ipv4_is_there[I] ? I->daddr : 0;
	ipv4_saddr = ipv4_is_there[I] ? inet_ntoa(&I->saddr) : "<null>";
	ipv4_daddr = ipv4_is_there[I] ? inet_ntoa(&I->daddr) : "<null>";
	ipv4_hdr = I;
};

/* --- version 6 ------------------------------------------------------------------------------ */

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

inline int ipv6_is_there[struct ipv6hdr *I] = I != NULL && I->version == 6;

#pragma D binding "1.5" translator
translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = ipv6_is_there[I] ? I->version : 0;
	ipv6_tclass = ipv6_is_there[I] ? ntohl(*(uint32_t *)I) >> 20 & 0xff : 0;
	ipv6_flow = ipv6_is_there[I] ? ntohl(*(uint32_t *)I) & 0xfffff : 0;
	ipv6_plen = ipv6_is_there[I] ? ntohs(I->payload_len) : 0;
	ipv6_nexthdr = ipv6_is_there[I] ? I->nexthdr : 0;
	ipv6_nextstr = ipv6_is_there[I] ? ip_protocol_string[I->nexthdr] : "<null>";
	ipv6_hlim = ipv6_is_there[I] ? I->hop_limit : 0;
	ipv6_src = ipv6_is_there[I] ? &I->saddr : (in6_addr_t *)NULL;
	ipv6_dst = ipv6_is_there[I] ? &I->daddr : (in6_addr_t *)NULL;
	ipv6_saddr = ipv6_is_there[I] ? inet_ntoa6(&I->saddr) : "<null>";
	ipv6_daddr = ipv6_is_there[I] ? inet_ntoa6(&I->daddr) : "<null>";
	ipv6_hdr = I;
};
