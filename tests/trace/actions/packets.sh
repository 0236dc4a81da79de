# What: pcap() dumps a packet without a packet decoder, or after freopen() appends to a file in pcap format. Needs: btf.
. "$LIB"
cat >script.d <<'D'
BEGIN
{
	this->bytes = (unsigned char *)alloca(20);
	this->bytes[0] = 1; this->bytes[19] = 0x41;
	this->packet = (struct sk_buff *)alloca(sizeof (struct sk_buff));
	this->packet->len = 60; this->packet->data_len = 40; this->packet->data = this->bytes;
	pcap(this->packet, PCAP_ETHER);
	printf("%d\n", walltimestamp / 1000000000);
	freopen("packets"); pcap(this->packet, PCAP_ETHER); pcap(this->packet, PCAP_ETHER); pcap(this->packet, PCAP_IP); freopen("");
	exit(0);
}
D
trace_without_decoder() {
	path=$PATH
	PATH=/nowhere
	trace "$@"
	PATH=$path
}
trace_without_decoder -w -s script.d
same "$status" 0 status
contains '^         0: 01 00 '
contains '^        10: 00 00 00 41   '
contains 'link type 12 to "packets", whose packets have link type 1$' err
same "$(wc -l <err)" 1 messages
# 24 bytes of header, then twice 16 and 20
same "$(wc -c <packets)" 96 "bytes of the file"
same "$(od -An -tx4 -N 24 packets | tr -d ' \n')" a1b23c4d0004000200000000000000000000ffff00000001 "its header"
same "$(od -An -tu4 -j 32 -N 8 packets | tr -s ' ')" " 20 60" "captured and whole length"
same "$(od -An -tx1 -j 40 -N 20 packets | tr -d ' \n')" 0100000000000000000000000000000000000041 bytes
seconds=$(od -An -tu4 -j 24 -N 4 packets | tr -d ' ')
now=$(grep -x '[0-9]*' out)
[ $((now - seconds)) -ge -1 ] && [ $((now - seconds)) -le 1 ] || fail "time $seconds, wanted $now"
# the same file once more: no second header; and pcapsize is the limit
trace_without_decoder -w -x pcapsize=8 -s script.d
same "$(wc -c <packets)" $((96 + 2 * 24)) "bytes of the file"
same "$(od -An -tu4 -j 104 -N 8 packets | tr -s ' ')" " 8 60" "captured and whole length"
# Impossible lengths do not print the memory after the packet.
sed 's/data_len = 40/data_len = 80/; s/freopen.*$/exit(0);/' script.d >wrong.d
trace_without_decoder -s wrong.d
same "$(grep -c '0  1  2  3\|^ *[0-9a-f]*: ' out)" 0 "lines of bytes"
