# What: udp and tcp see what follows extension headers of IPv6: options, a first fragment, an authentication header; not what comes after more
# than six, and no fragment but the first; the numbers of TCP are right there, too.  Needs: btf python3 unshare ip.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
cat >child.py <<'E2'
import socket, struct
IPV6, HOPOPTS, DSTOPTS, AUTHENTICATION = socket.IPPROTO_IPV6, 0, 60, 51
nothing = struct.pack("BBBBI", 0, 0, 1, 4, 0)   # eight bytes: the option PadN
longer = struct.pack("BBBB12s", 0, 1, 0x1e, 12, b"")  # sixteen: an option that all pass over
def sender(kind, *options):
    s = socket.socket(socket.AF_INET6, kind)
    for name, value in options:
        s.setsockopt(IPV6, name, value)
    return s
receiver = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
receiver.settimeout(20)
receiver.bind(("::1", 4001))
def send(size, *options):
    sender(socket.SOCK_DGRAM, *options).sendto(b"x" * size, ("::1", 4001))
    assert len(receiver.recv(70000)) == size
send(1)
send(2, (socket.IPV6_DSTOPTS, longer))
send(3, (socket.IPV6_HOPOPTS, nothing), (socket.IPV6_DSTOPTS, longer))
send(4000)
send(4001, (socket.IPV6_HOPOPTS, longer), (socket.IPV6_DSTOPTS, nothing))
# Headers made by hand, whose checks fail where they arrive: a raw socket's protocol is the first one's.
datagram = lambda size: struct.pack(">HHHH", 1, 4001, 8 + size, 0) + b"x" * size
def raw(first, bytes):
    socket.socket(socket.AF_INET6, socket.SOCK_RAW, first).sendto(bytes, ("::1", 0))
raw(AUTHENTICATION, struct.pack(">BBHII12s", socket.IPPROTO_UDP, 4, 0, 1, 1, b"") + datagram(4))
def options(count):
    return b"".join(struct.pack("B", socket.IPPROTO_UDP if i == count - 1 else DSTOPTS) + nothing[1:] for i in range(count))
raw(DSTOPTS, options(6) + datagram(5))
raw(DSTOPTS, options(7) + datagram(6))
raw(44, struct.pack(">BBHI", socket.IPPROTO_UDP, 0, 8, 77) + datagram(7)) # one that is not the first fragment
server = socket.socket(socket.AF_INET6)
server.bind(("::1", 4002))
server.listen(1)
client = sender(socket.SOCK_STREAM, (socket.IPV6_DSTOPTS, longer))
client.connect(("::1", 4002))
accepted, _ = server.accept()
for size in 10, 20:
    client.send(b"x" * size)
    assert len(accepted.recv(100)) == size
E2
must_trace -n 'udp:::send /args[4]->udp_dport == 4001/ { @n["udp", probename, args[4]->udp_length - 8] = count(); }
	udp:::receive /args[4]->udp_dport == 4001/ { @n["udp", probename, args[4]->udp_length - 8] = count(); }
	tcp:::send, tcp:::receive /args[4]->tcp_dport == 4002/ { @n["tcp", probename, args[4]->tcp_flags & TH_SYN] = count(); }
	tcp:::send /args[4]->tcp_dport == 4002 && args[3]->tcps_state != TCP_STATE_SYN_SENT/ {
		again += args[3]->tcps_retransmit; @lowest = min(args[3]->tcps_iss); @highest = max(args[3]->tcps_iss); }
	tcp:::connect-request, tcp:::connect-established, tcp:::accept-established /args[3]->tcps_lport == 4002 || args[3]->tcps_rport == 4002/ {
		@size[probename, args[2]->ip_plength, args[4]->tcp_offset] = count(); }
	END { printa("%s %s %d %@d\n", @n); printf("again %d\n", again); printa("first %@d %@d\n", @lowest, @highest); printa("%s %d %d %@d\n", @size); }' \
	-c "unshare -n sh -c 'ip link set lo mtu 1500 up && exec python3 child.py'"
for size in 1 2 3 4000 4001; do
	contains "^udp send $size 1\$"
	contains "^udp receive $size 1\$"
done
contains '^udp send 4 1$'
contains '^udp send 5 1$'
same "$(grep -c '^udp send' out)" 7 "lengths of datagrams that were sent"
contains '^tcp send 2 1$'
contains '^tcp receive 2 1$'
same "$(grep -c '^tcp' out)" 4 "kinds of segments"
contains '^again 0$'
contains '^first \([0-9]\{2,\}\) \1$'
for probe in connect-request connect-established accept-established; do
	contains "^$probe 20 20 1\$"
done
