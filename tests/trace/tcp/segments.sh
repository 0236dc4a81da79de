# What: send and receive see each segment of a program's connections, and no other one, with the headers that a packet
# socket saw.  Needs: btf python3.
. "$LIB"
own_address
cat >child.py <<'E2'
import os, socket, struct, sys, time
address = sys.argv[1]
lo = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
lo.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
lo.bind(("lo", 0x800))
def pair():
    server = socket.socket()
    server.bind((address, 0))
    server.listen(1)
    client = socket.socket()
    client.bind((address, 0))
    client.connect(server.getsockname())
    return client, server.accept()[0], server
for _ in range(3):
    client, accepted, server = pair()
    for size in (1, 100, 30000):
        client.sendall(b"x" * size)
        while size:
            size -= len(accepted.recv(65536))
    accepted.close()
    assert client.recv(1) == b""
    client.close()
    server.close()
time.sleep(0.3)
lo.setblocking(False)
with open("seen", "w") as out:
    while True:
        try:
            packet, where = lo.recvfrom(65536)
        except BlockingIOError:
            break
        words = struct.unpack("!BBHHHBBH4s4s", packet[:20])
        if where[2] != socket.PACKET_HOST or words[6] != 6 or socket.inet_ntoa(words[9]) != address:
            continue
        ports = struct.unpack("!HHIIBBHHH", packet[20:40])
        print(ports[0], ports[1], words[2] - 20, ports[2], ports[3], ports[4] >> 2, ports[5], ports[6], 1, file=out)
E2
cat >test.d <<E2
tcp:::send,tcp:::receive
/args[2]->ip_daddr == "$address" && args[2]->ip_saddr == "$address"/
{
	@[probename, args[4]->tcp_sport, args[4]->tcp_dport, args[2]->ip_plength, args[4]->tcp_seq, args[4]->tcp_ack,
	    args[4]->tcp_offset, args[4]->tcp_flags, args[4]->tcp_window] = count();
	@ends[probename, probename == "send" ?
	    args[3]->tcps_lport == args[4]->tcp_sport && args[3]->tcps_rport == args[4]->tcp_dport :
	    args[3]->tcps_lport == args[4]->tcp_dport && args[3]->tcps_rport == args[4]->tcp_sport,
	    args[3]->tcps_laddr, args[3]->tcps_raddr, args[0]->pkt_addr != 0] = count();
}
/* An answer to a connection that is being made: by whom it was listened. */
tcp:::send
/args[2]->ip_saddr == "$address" && args[4]->tcp_flags == (TH_SYN | TH_ACK)/
{
	@answers[args[3]->tcps_state == TCP_STATE_SYN_RECEIVED, tcp_state_string[args[3]->tcps_state], args[1]->cs_pid == \$target] = count();
}
END { printa("answers: %d %s %d %@d\n", @answers); printa("%s %d %d %d %u %u %d %d %d %@d\n", @); printa("ends: %s %d %s %s %d\n", @ends); }
E2
must_trace -s test.d -c "$(command -v python3) child.py $address"
contains '^answers: 1 state-syn-received 1 3$'
LC_ALL=C sort seen | uniq -c | awk '{ for (i = 2; i < NF; i++) printf "%s ", $i; print $1 }' >wanted
[ "$(wc -l <wanted)" -ge 24 ] || fail "only $(wc -l <wanted) segments"
for name in send receive; do
	sed -n "s/^$name //p" out | LC_ALL=C sort >"$name"
	diff wanted "$name" >differences || { head -20 differences; fail "other segments: $name"; }
	contains "^ends: $name 1 $address $address 1\$"
done
same "$(grep -c '^ends' out)" 2 "kinds of ends"
