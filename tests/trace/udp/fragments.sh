# What: a datagram in several packets is one datagram, and several packets of ip; in a network of its own, with a small device.
# Where functions of the kernel are probed, the whole datagram is received, put together; else its first packet.
# Needs: btf python3 unshare ip.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
own_address
cat >child.sh <<'E2'
ip link set lo mtu 1500 up
exec python3 -c 'import socket, sys
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind((sys.argv[1], 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(3):
    sender.sendto(b"x" * 4000, receiver.getsockname())
    assert len(receiver.recv(70000)) == 4000' "$1"
E2
must_trace -n "udp:::send,udp:::receive /args[2]->ip_daddr == \"$address\"/ { @n[probename, args[4]->udp_length,
		probename == \"send\" || args[2]->ip_plength != 4008 ? args[2]->ip_plength : 1480] = count(); }
	ip:::send,ip:::receive /args[2]->ip_daddr == \"$address\"/ { @p[probename, args[4]->ipv4_offset * 8, args[2]->ip_plength, args[4]->ipv4_flags] = count(); }
	END { printa(\"datagram %s %d %d %@d\\n\", @n); printa(\"packet %s %d %d %d %@d\\n\", @p); }" \
	-c "unshare -n sh child.sh $address"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<'E2'
datagram receive 4008 1480 3
datagram send 4008 1480 3
packet receive 0 1480 2 3
packet receive 1480 1480 2 3
packet receive 2960 1048 0 3
packet send 0 1480 2 3
packet send 1480 1480 2 3
packet send 2960 1048 0 3
E2
diff wanted sorted >differences || { cat differences; fail "other packets"; }
