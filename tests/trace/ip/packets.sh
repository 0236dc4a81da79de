# What: send and receive see each packet of a program's datagrams, of both versions, with what its headers have, and the device.
# Needs: btf python3.
. "$LIB"
own_address
size=$((3000 + $$ % 4000))
cat >child.py <<'E2'
import socket, sys
def run(family, level, settings, address, size, count):
    receiver = socket.socket(family, socket.SOCK_DGRAM)
    receiver.bind((address, 0))
    sender = socket.socket(family, socket.SOCK_DGRAM)
    sender.bind((address, 0))
    for name, value in settings:
        sender.setsockopt(level, name, value)
    for _ in range(count):
        sender.sendto(b"x" * size, receiver.getsockname())
        receiver.recv(70000)
size = int(sys.argv[2])
run(socket.AF_INET, socket.IPPROTO_IP, [(socket.IP_TTL, 77), (socket.IP_TOS, 0x48)], sys.argv[1], size, 5)
run(socket.AF_INET6, socket.IPPROTO_IPV6, [(socket.IPV6_UNICAST_HOPS, 177), (socket.IPV6_TCLASS, 0x48)], "::1", size, 4)
E2
cat >test.d <<E2
ip:::send,ip:::receive /args[2]->ip_daddr == "$address"/ {
	@n[probename, args[2]->ip_ver, args[2]->ip_plength, args[3]->if_name, args[4]->ipv4_ttl, args[4]->ipv4_tos, args[4]->ipv4_protostr,
	    args[4]->ipv4_length, args[4]->ipv4_daddr, args[5]->ipv6_daddr] = count(); }
ip:::send,ip:::receive /args[5]->ipv6_hlim == 177 && args[2]->ip_plength == $size + 8/ {
	@n[probename, args[2]->ip_ver, args[2]->ip_plength, args[3]->if_name, args[5]->ipv6_hlim, args[5]->ipv6_tclass, args[5]->ipv6_nextstr,
	    args[5]->ipv6_plen, args[4]->ipv4_daddr, args[5]->ipv6_daddr] = count(); }
ip:::send,ip:::receive /args[2]->ip_daddr == "$address"/ { @l["local", probename, args[3]->if_local, args[0]->pkt_addr == arg0, args[1]->cs_addr != 0] = count(); }
END { printa("%s %d %d %s %d %d %s %d %s %s %@d\n", @n); printa("%s %s %d %d %d %@d\n", @l); }
E2
must_trace -s test.d -c "$(command -v python3) child.py $address $size"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<E2
local receive 1 1 0 5
local send 1 1 1 5
receive 4 $((size + 8)) lo 77 72 UDP $((size + 28)) $address <null> 5
receive 6 $((size + 8)) lo 177 72 UDP $((size + 8)) <null> ::1 4
send 4 $((size + 8)) lo 77 72 UDP $((size + 28)) $address <null> 5
send 6 $((size + 8)) lo 177 72 UDP $((size + 8)) <null> ::1 4
E2
diff wanted sorted >differences || { cat differences; fail "other packets"; }
# The socket of a connection that begins is a small struct: the answer to a SYN has flags 0x12.
cat >connect.py <<'E2'
import socket, sys
server = socket.socket()
server.bind((sys.argv[1], 0))
server.listen(32)
clients = [socket.create_connection(server.getsockname()) for _ in range(20)]
E2
must_trace -n "ip:::send /args[2]->ip_saddr == \"$address\"/ { @answers[args[1]->cs_pid, ((struct tcphdr *)((uintptr_t)args[4]->ipv4_hdr + 20))->syn] = count(); }" \
	-c "$(command -v python3) connect.py $address"
contains '^ *0  *1  *20$'
must_trace -n "ip:::send /args[2]->ip_daddr == \"$address\"/ { @[args[3]->if_name, args[4]->ipv4_protostr] = sum(args[2]->ip_plength); }" \
	-c "$(command -v python3) child.py $address $size"
contains "^ *lo  *UDP  *$((5 * (size + 8)))\$"
