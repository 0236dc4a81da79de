/* SPDX-License-Identifier: BSD-2-Clause */
/* tcp - segments, and the state of a TCP socket's connection; Linux's numbers of states */

inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_PUSH = TH_PSH;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;
/* A socket that has an address and does not listen is closed on Linux; 13 is for netlink alone. */
inline int TCP_STATE_BOUND = 13;
inline int TCP_STATE_NEW_SYN_RECEIVED = 12; /* of a socket that is being made */

inline string tcp_state_string[int state] =
	state == TCP_STATE_IDLE ? "state-idle" :
	state == TCP_STATE_ESTABLISHED ? "state-established" :
	state == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	state == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	state == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	state == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	state == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	state == TCP_STATE_CLOSED ? "state-closed" :
	state == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	state == TCP_STATE_LAST_ACK ? "state-last-ack" :
	state == TCP_STATE_LISTEN ? "state-listen" :
	state == TCP_STATE_CLOSING ? "state-closing" :
	state == TCP_STATE_BOUND ? "state-bound" :
	"<unknown>";

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

#pragma D binding "1.6.3" translator
translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 : T->doff << 2;
	tcp_flags = T == NULL ? 0 : ((uint8_t *)T)[13];
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = (uintptr_t)T;
};

/* What a socket sends; without its bytes. */
#pragma D binding "1.6.3" translator
translator tcpinfo_t < struct sock *S > {
	tcp_sport = S == NULL ? 0 : sock_local_port[S];
	tcp_dport = S == NULL ? 0 : sock_remote_port[S];
	tcp_seq = tcp_is_whole[S] ? tcp_of[S]->snd_nxt : 0;
	tcp_ack = tcp_is_whole[S] ? tcp_of[S]->rcv_nxt : 0;
	tcp_offset = S == NULL ? 0 : TCP_MIN_HEADER_LENGTH;
	tcp_flags = 0;
	tcp_window = 0;
	tcp_checksum = 0;
	tcp_urgent = 0;
	tcp_hdr = 0;
};

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
	uint32_t tcps_irs;
} tcpsinfo_t;

/* Only a whole socket has more than addresses, ports and state: those that wait or are being
 * made (TIME_WAIT, SYN_RECEIVED) are smaller objects; that by which the kernel answers for no
 * socket is a raw one. */
inline int sock_is_being_made[struct sock *S] =
	S->__sk_common.skc_state == TCP_STATE_NEW_SYN_RECEIVED;
inline int tcp_is_whole[struct sock *S] =
	S != NULL && S->__sk_common.skc_state != TCP_STATE_TIME_WAIT && !sock_is_being_made[S] &&
	S->sk_type == SOCK_STREAM;
inline struct tcp_sock *tcp_of[struct sock *S] = (struct tcp_sock *)S;
inline struct inet_connection_sock *icsk_of[struct sock *S] = (struct inet_connection_sock *)S;

inline int sock_is_local[struct sock *S] =
	S->__sk_common.skc_family == AF_INET6 ? sock_local[S] == sock_remote[S] :
	S->__sk_common.skc_rcv_saddr == S->__sk_common.skc_daddr;

/*
 * Linux forgets the first sequence numbers; bytes sent and received lead back to them.  SYN and
 * FIN count as one each; FIN is the last that is sent.  rcv_nxt is 0 until a SYN is answered.
 */
inline int tcp_awaits_answer[struct sock *S] =
	S->__sk_common.skc_state == TCP_STATE_SYN_SENT && tcp_of[S]->rcv_nxt == 0;
inline int tcp_has_peer[struct sock *S] =
	tcp_is_whole[S] && S->__sk_common.skc_state != TCP_STATE_LISTEN &&
	S->__sk_common.skc_state != TCP_STATE_CLOSED && !tcp_awaits_answer[S];
inline int tcp_sent_fin[struct sock *S] =
	S->__sk_common.skc_state != TCP_STATE_ESTABLISHED &&
	S->__sk_common.skc_state != TCP_STATE_SYN_SENT &&
	S->__sk_common.skc_state != TCP_STATE_SYN_RECEIVED &&
	S->__sk_common.skc_state != TCP_STATE_CLOSE_WAIT &&
	tcp_of[S]->snd_nxt == tcp_of[S]->write_seq;
inline uint32_t tcp_first_sent[struct sock *S] =
	tcp_is_whole[S] && tcp_awaits_answer[S] ? tcp_of[S]->snd_una :
	!tcp_has_peer[S] ? 0 : tcp_of[S]->snd_nxt - 1 - tcp_sent_fin[S] -
	(tcp_of[S]->bytes_sent - tcp_of[S]->bytes_retrans);

/*
 * Has S sent before all that a segment, whose header is T and which has LENGTH bytes with it, carries?
 * A segment of new bytes leaves before snd_nxt counts them.
 */
inline int tcp_carries[struct tcphdr *T, int length] = length - (T->doff << 2) + T->syn + T->fin;
inline int tcp_was_sent[struct sock *S, struct tcphdr *T, int length] =
	tcp_is_whole[S] && tcp_carries[T, length] > 0 &&
	(int32_t)(ntohl(T->seq) + tcp_carries[T, length] - tcp_of[S]->snd_nxt) <= 0;
/* tcp_first_sent while that segment leaves: bytes_sent counts it, snd_nxt only if it was sent before. */
inline uint32_t tcp_first_sent_by[struct sock *S, struct tcphdr *T, int length] =
	tcp_has_peer[S] && !tcp_was_sent[S, T, length] ?
	tcp_first_sent[S] + length - (T->doff << 2) : tcp_first_sent[S];

#pragma D binding "1.6.3" translator
translator tcpsinfo_t < struct sock *S > {
	tcps_addr = (uintptr_t)S;
	tcps_local = S == NULL ? 0 : sock_is_local[S];
	tcps_lport = S == NULL ? 0 : sock_local_port[S];
	tcps_rport = S == NULL ? 0 : sock_remote_port[S];
	tcps_laddr = S == NULL ? "<unknown>" : sock_local[S];
	tcps_raddr = S == NULL ? "<unknown>" : sock_remote[S];
	tcps_state = S == NULL ? TCP_STATE_CLOSED :
		     sock_is_being_made[S] ? TCP_STATE_SYN_RECEIVED : S->__sk_common.skc_state;
	tcps_iss = tcp_first_sent[S];
	tcps_suna = tcp_is_whole[S] ? tcp_of[S]->snd_una : 0;
	tcps_snxt = tcp_is_whole[S] ? tcp_of[S]->snd_nxt : 0;
	tcps_rnxt = tcp_is_whole[S] ? tcp_of[S]->rcv_nxt : 0;
	tcps_swnd = tcp_is_whole[S] ? tcp_of[S]->snd_wnd : 0;
	tcps_snd_ws = tcp_is_whole[S] ? tcp_of[S]->rx_opt.snd_wscale : 0;
	tcps_rwnd = tcp_is_whole[S] ? tcp_of[S]->rcv_wnd : 0;
	tcps_rcv_ws = tcp_is_whole[S] ? tcp_of[S]->rx_opt.rcv_wscale : 0;
	tcps_cwnd = tcp_is_whole[S] ? tcp_of[S]->snd_cwnd : 0;
	tcps_cwnd_ssthresh = tcp_is_whole[S] ? tcp_of[S]->snd_ssthresh : 0;
	tcps_sack_snxt = tcp_is_whole[S] ? tcp_of[S]->high_seq : 0;
	tcps_rto = tcp_is_whole[S] ? icsk_of[S]->icsk_rto * jiffy_ns / 1000000 : 0;
	tcps_mss = tcp_is_whole[S] ? tcp_of[S]->mss_cache : 0;
	tcps_retransmit = tcp_is_whole[S] ? icsk_of[S]->icsk_retransmits != 0 : 0;
	tcps_rtt = tcp_is_whole[S] ? tcp_of[S]->srtt_us / 8000 : 0;
	tcps_rtt_sd = tcp_is_whole[S] ? tcp_of[S]->mdev_us / 4000 : 0;
	tcps_irs = tcp_has_peer[S] ? tcp_of[S]->rcv_nxt - tcp_of[S]->bytes_received - 1 : 0;
};

typedef struct tcplsinfo {
	int tcps_state;
} tcplsinfo_t;

#pragma D binding "1.6.3" translator
translator tcplsinfo_t < int I > {
	tcps_state = I;
};

/* What identifies the socket that listens at this one's port. */
inline uint64_t listening_port[struct sock *S] =
	((uint64_t)S->__sk_common.skc_net.net << 16) +
	(sock_is_being_made[S] ? sock_local_port[S] : ntohs(((struct inet_sock *)S)->inet_sport));

/* A segment that the device will split is sent again as several. */
inline int tcp_pieces[struct sk_buff *S] =
	((struct tcp_skb_cb *)S->cb)->tcp_gso_segs > 1 ? ((struct tcp_skb_cb *)S->cb)->tcp_gso_segs : 1;
