# What: send and receive see each datagram of a program, of IPv4 and IPv6, with its ends, and
# none of TCP.  Needs: btf python3.
. "$LIB"
own_address
python3 -c 'import socket
s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
s.bind(("::1", 0))
print(s.getsockname()[1])' >six || skip "no IPv6"
six=$(cat six)
cat >child.py <<'E2'
import socket, struct, sys
def run(family, address, port, sizes):
    receiver = socket.socket(family, socket.SOCK_DGRAM)
    receiver.bind((address, port))
    sender = socket.socket(family, socket.SOCK_DGRAM)
    sender.bind((address, 0))
    for size in sizes:
        sender.sendto(b"x" * size, receiver.getsockname())
        assert len(receiver.recv(70000)) == size
    return receiver.getsockname()[1], sender.getsockname()[1]
ports = run(socket.AF_INET, sys.argv[1], 0, [0, 1, 1, 1, 1000, 9000])
run(socket.AF_INET6, "::1", int(sys.argv[2]), [5, 500, 500])
server = socket.create_server((sys.argv[1], 0))
client = socket.create_connection(server.getsockname(), source_address=(sys.argv[1], 0))
client.sendall(b"x")
# One from a packet socket, which UDP has not sent; some kernels do not let it in.
raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
raw.sendto(struct.pack("!BBHHHBBH4s4s4H", 0x45, 0, 32, 1, 0, 64, 17, 0, socket.inet_aton(sys.argv[1]),
    socket.inet_aton(sys.argv[1]), ports[1], ports[0], 12, 0) + b"four", ("lo", 0x800, 0, 0, bytes(6)))
with open("ports", "w") as f:
    print(*ports, file=f)
E2
cat >test.d <<E2
udp:::send,udp:::receive /args[2]->ip_daddr == "$address" && (probename == "send" || args[4]->udp_length != 12)/ {
	@n[probename, args[2]->ip_saddr, args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length, args[2]->ip_plength] = count(); }
udp:::send,udp:::receive /args[2]->ip_daddr == "$address" && (probename == "send" || args[4]->udp_length != 12)/ {
	@n[probename, args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_rport, -1,
	    args[3]->udps_raddr == "$address" && args[0]->pkt_addr != 0] = count(); }
udp:::send,udp:::receive /args[4]->udp_dport == $six/ {
	@n[probename, args[2]->ip_daddr, args[2]->ip_ver, args[4]->udp_dport, args[4]->udp_length, args[2]->ip_plength] = count(); }
udp:::send /args[2]->ip_daddr == "$address"/ { @socket["socket", args[1]->cs_addr == args[3]->udps_addr && args[1]->cs_addr != 0] = count(); }
END { printa("%s %s %d %d %d %d %@d\n", @n); printa("%s %d %@d\n", @socket); }
E2
must_trace -s test.d -c "$(command -v python3) child.py $address $six"
read -r to from <ports
LC_ALL=C sort out | sed '/^$/d' >sorted
{
	for name in send receive; do
		echo "$name $address $from $to 8 8 1"
		echo "$name $address $from $to 9 9 3"
		echo "$name $address $from $to 1008 1008 1"
		echo "$name $address $from $to 9008 9008 1"
		echo "$name ::1 6 $six 13 13 1"
		echo "$name ::1 6 $six 508 508 2"
	done
	echo "send $address $from $to -1 1 6"
	echo "receive $address $to $from -1 1 6"
	echo "socket 1 6"
} | LC_ALL=C sort >wanted
diff wanted sorted >differences || { cat differences; fail "other datagrams"; }
must_trace -n "udp:::receive /args[2]->ip_daddr == \"$address\"/ { @[args[4]->udp_dport] = quantize(args[4]->udp_length); }" \
	-c "$(command -v python3) child.py $address $six"
contains '^ *8192 |@* *1 '
