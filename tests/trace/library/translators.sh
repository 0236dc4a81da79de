# What: translators of requests, of interfaces and of headers compute each member from a struct that
# was made by hand, or from the loopback interface.
# Needs: btf.
. "$LIB"
cat >it.d <<'D'
#pragma D option strsize=64
/* a write of 4,096 bytes at sector 77 that nobody waits for, and that failed for want of space */
BEGIN
{
	this->b = (struct bio *)alloca(sizeof(struct bio));
	this->b->bi_opf = 1;
	this->b->bi_iter.bi_size = 4096;
	this->b->bi_iter.bi_sector = 77;
	this->b->bi_status = 3;
	this->i = xlate <bufinfo_t>(this->b);
	printf("bio %x %d %d %d %d %d %d %d %d\n", this->i.b_flags & ~(B_PHYS | B_PAGEIO),
	    this->i.b_bcount, this->i.b_bufsize, this->i.b_blkno, this->i.b_lblkno, this->i.b_resid,
	    this->i.b_error == ENOSPC, this->i.b_edev, (long)this->i.b_addr);
	this->b->bi_opf = 1 << 11; /* a read that somebody waits for */
	printf("read %x\n", xlate <bufinfo_t>(this->b).b_flags & ~(B_PHYS | B_PAGEIO));
	printf("pages %x", xlate <bufinfo_t>(this->b).b_flags & (B_PHYS | B_PAGEIO));
	this->b->bi_flags = 1; /* pinned, where the kernel says so */
	printf(" %x\n", xlate <bufinfo_t>(this->b).b_flags & (B_PHYS | B_PAGEIO));
	printf("device %s %s %s %d\n", xlate <devinfo_t>(this->b).dev_name,
	    xlate <devinfo_t>(this->b).dev_statname, xlate <devinfo_t>(this->b).dev_pathname,
	    xlate <devinfo_t>(this->b).dev_major);
	printf("file %s %s %s\n", xlate <fileinfo_t>(this->b).fi_name,
	    xlate <fileinfo_t>(this->b).fi_pathname, xlate <fileinfo_t>(this->b).fi_mount);
}
BEGIN
{
	this->h = (struct buffer_head *)alloca(sizeof(struct buffer_head));
	this->h->b_size = 1024;
	this->h->b_blocknr = 99;
	this->h->b_data = (char *)0x1234;
	printf("head %x %d %d %x %d\n", xlate <bufinfo_t>(this->h).b_flags,
	    xlate <bufinfo_t>(this->h).b_bcount, xlate <bufinfo_t>(this->h).b_blkno,
	    (long)xlate <bufinfo_t>(this->h).b_addr, xlate <bufinfo_t>(this->h).b_edev);
}
BEGIN
{
	this->lo = curthread->nsproxy->net_ns->loopback_dev;
	printf("lo %s %d %d\n", xlate <ifinfo_t>(this->lo).if_name, xlate <ifinfo_t>(this->lo).if_local,
	    xlate <ifinfo_t>(this->lo).if_addr == (uintptr_t)this->lo);
	printf("none %s %d\n", xlate <ifinfo_t>((struct net_device *)NULL).if_name,
	    xlate <ifinfo_t>((struct net_device *)NULL).if_local);
	ns = xlate <ifinfo_t>(this->lo).if_ipstack;
}
BEGIN { printf("ns %d\n", ns); }
BEGIN
{
	this->six = (struct ipv6hdr *)alloca(sizeof(struct ipv6hdr));
	this->six->version = 6;
	this->six->payload_len = htons(20);
	this->six->nexthdr = IPPROTO_ICMPV6;
	this->six->hop_limit = 7;
	printf("six %d %d %s\n", xlate <ipinfo_t>(this->six).ip_ver, xlate <ipinfo_t>(this->six).ip_plength,
	    xlate <ipinfo_t>(this->six).ip_saddr);
	printf("whole %d %d\n", xlate <ipv6info_t>(this->six).ipv6_src == &this->six->saddr,
	    xlate <ipv6info_t>(this->six).ipv6_hdr == this->six);
	printf("either %d %d %s\n", xlate <ipinfo_t>((void_ip_t *)this->six).ip_ver,
	    xlate <ipinfo_t>((void_ip_t *)this->six).ip_plength,
	    xlate <ipv6info_t>(this->six).ipv6_nextstr);
	/* as version 4 it is not there */
	printf("not four %d %d %s %s\n", xlate <ipv4info_t>((struct iphdr *)this->six).ipv4_ver,
	    xlate <ipv4info_t>((struct iphdr *)this->six).ipv4_length,
	    xlate <ipv4info_t>((struct iphdr *)this->six).ipv4_protostr,
	    xlate <ipv4info_t>((struct iphdr *)this->six).ipv4_daddr);
	printf("null %d %s %d\n", xlate <ipv6info_t>((struct ipv6hdr *)NULL).ipv6_ver,
	    xlate <ipv6info_t>((struct ipv6hdr *)NULL).ipv6_saddr,
	    xlate <ipv6info_t>((struct ipv6hdr *)NULL).ipv6_src == NULL);
	printf("unknown %d %s %s\n", xlate <ipinfo_t>((void_ip_t *)NULL).ip_ver,
	    xlate <ipinfo_t>((void_ip_t *)NULL).ip_saddr, xlate <ipinfo_t>((struct iphdr *)NULL).ip_daddr);
	printf("empty %d %d %d %d\n", xlate <tcpinfo_t>((struct tcphdr *)NULL).tcp_seq,
	    xlate <tcpinfo_t>((struct tcphdr *)NULL).tcp_flags,
	    xlate <udpinfo_t>((struct udphdr *)NULL).udp_length,
	    xlate <udpinfo_t>((struct udphdr *)NULL).udp_hdr == NULL);
}
BEGIN
{
	this->four = (struct iphdr *)alloca(sizeof(struct iphdr));
	this->four->version = 4;
	this->four->ihl = 6;
	this->four->saddr = htonl(0x0a000001);
	this->four->frag_off = htons(0x2007);
	printf("four %d %d %d %x %d\n", xlate <ipv4info_t>(this->four).ipv4_ihl,
	    xlate <ipv4info_t>(this->four).ipv4_flags, xlate <ipv4info_t>(this->four).ipv4_offset,
	    ntohl(xlate <ipv4info_t>(this->four).ipv4_src), xlate <ipv4info_t>(this->four).ipv4_hdr == this->four);
	printf("state %s\n", tcp_state_string[xlate <tcplsinfo_t>(8).tcps_state]);
	printf("packet %x %d\n", xlate <pktinfo_t>((struct sk_buff *)0x77).pkt_addr,
	    xlate <csinfo_t>((struct sock *)NULL).cs_cid);
}
D
for number in 0 1 2 6 8 17 41 43 50 51 58 89 132 255 47; do
	echo "BEGIN { this->four = (struct iphdr *)alloca(sizeof(struct iphdr)); this->four->version = 4;
		this->four->protocol = $number; printf(\"%s \", xlate <ipv4info_t>(this->four).ipv4_protostr); }"
done >>it.d
echo 'BEGIN { exit(0); }' >>it.d
must_trace -s it.d
pinned=10
grep -q BIO_PAGE_PINNED /sys/kernel/btf/vmlinux && pinned=20
cat >wanted <<W
bio 500 4096 4096 77 77 0 1 0 0
read 40
pages 10 $pinned
device <unknown> <unknown> <unknown> 0
file <unknown> <unknown> <unknown>
head 40 1024 99 1234 0
lo lo 1 1
none <null> 0
ns $(stat -Lc %i /proc/self/ns/net)
six 6 20 ::
whole 1 1
either 6 20 ICMPv6
not four 0 0 <null> <null>
null 0 <null> 1
unknown 0 <unknown> <unknown>
empty 0 0 0 1
four 24 2 7 a000001 1
state state-close-wait
packet 77 0
IP ICMP IGMP TCP EGP UDP IPv6 ROUTE ESP AH ICMPv6 OSPF SCTP RAW 47 
W
diff wanted out || fail "not what is wanted"
