# What: connections of IPv4 and IPv6 that are made, accepted and refused, and each change of their states: as often as a
# program causes them, with addresses, ports and the process.  Needs: btf python3.
. "$LIB"
own_address
cat >child.py <<'E2'
import socket, sys
def run(family, address, made, refused):
    server = socket.socket(family)
    server.bind((address, 0))
    server.listen(8)
    name = server.getsockname()
    print(name[1], file=ports)
    for _ in range(made):
        client = socket.socket(family)
        client.bind((address, 0))
        client.connect(name)
        accepted, _ = server.accept()
        client.close()
        assert accepted.recv(1) == b""
        accepted.close()
    server.close()
    for _ in range(refused):
        client = socket.socket(family)
        client.bind((address, 0))
        try:
            client.connect(name)
            sys.exit("not refused")
        except ConnectionRefusedError:
            client.close()
ports = open("ports", "w")
run(socket.AF_INET, sys.argv[1], 5, 3)
for s in open("six"):
    # the only address of IPv6; a port of our own is the key
    port = int(s)
    server = socket.socket(socket.AF_INET6)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("::1", port))
    server.listen(8)
    for _ in range(4):
        client = socket.create_connection(("::1", port))
        accepted, _ = server.accept()
        client.close()
        accepted.close()
    server.close()
    for _ in range(2):
        try:
            socket.create_connection(("::1", port))
            sys.exit("not refused")
        except ConnectionRefusedError:
            pass
E2
python3 -c 'import socket
s = socket.socket(socket.AF_INET6)
s.bind(("::1", 0))
print(s.getsockname()[1])' >six || skip "no IPv6"
six=$(cat six)
cat >test.d <<E2
tcp:::state-change /args[3]->tcps_laddr == "$address"/ {
	@n["state", args[5]->tcps_state, args[3]->tcps_state, args[3]->tcps_lport != 0] = count(); }
tcp:::connect-request /args[2]->ip_daddr == "$address"/ {
	@n["connect-request", args[4]->tcp_flags, args[2]->ip_ver, pid == \$target && args[1]->cs_pid == pid && args[0]->pkt_addr == 0] = count(); }
/* The server's port is the remote one, from which the answer comes. */
tcp:::connect-established,tcp:::connect-refused /args[2]->ip_saddr == "$address"/ {
	@n[probename, args[4]->tcp_flags, args[3]->tcps_state,
	    args[4]->tcp_sport == args[3]->tcps_rport && args[4]->tcp_dport == args[3]->tcps_lport &&
	    args[1]->cs_addr == args[3]->tcps_addr && args[1]->cs_pid == \$target && args[0]->pkt_addr == 0] = count();
	@port["port", args[4]->tcp_sport] = count(); }
tcp:::accept-established /args[2]->ip_daddr == "$address"/ {
	@n[probename, args[4]->tcp_flags, args[3]->tcps_state,
	    args[4]->tcp_sport == args[3]->tcps_rport && args[4]->tcp_dport == args[3]->tcps_lport &&
	    args[1]->cs_pid == \$target && args[0]->pkt_addr == 0] = count();
	@port["port", args[4]->tcp_dport] = count(); }
tcp:::accept-refused /args[2]->ip_saddr == "$address"/ {
	@n[probename, args[4]->tcp_flags, args[2]->ip_plength,
	    args[4]->tcp_sport == args[3]->tcps_lport && args[3]->tcps_raddr == "$address" && args[4]->tcp_ack != 0] = count();
	@port["port", args[4]->tcp_sport] = count(); }
tcp:::connect-request /args[4]->tcp_dport == $six/ {
	@n["six: request", args[2]->ip_ver, args[2]->ip_daddr == "::1", args[3]->tcps_state] = count(); }
tcp:::connect-established,tcp:::connect-refused /args[4]->tcp_sport == $six/ {
	@n[strjoin("six: ", probename), args[2]->ip_ver, args[2]->ip_saddr == "::1", args[3]->tcps_raddr == "::1"] = count(); }
tcp:::accept-established /args[4]->tcp_dport == $six/ {
	@n[strjoin("six: ", probename), args[2]->ip_ver, args[2]->ip_saddr == "::1", args[3]->tcps_laddr == "::1"] = count(); }
tcp:::accept-refused /args[4]->tcp_sport == $six/ {
	@n[strjoin("six: ", probename), args[2]->ip_ver, args[2]->ip_saddr == "::1", args[3]->tcps_laddr == "::1"] = count(); }
END { printa("%s %d %d %d %@d\n", @n); printa("%s %d %@d\n", @port); }
E2
must_trace -s test.d -c "$(command -v python3) child.py $address"
LC_ALL=C sort out | sed '/^$/d' >sorted
read -r port <ports
# states: 1 established, 2 SYN sent, 3 SYN received, 4 and 5 FIN wait, 7 closed, 8 close wait, 9 last ACK, 10 listens
cat >wanted <<E2
accept-established 16 1 1 5
accept-refused 20 20 1 3
connect-established 18 1 1 5
connect-refused 20 2 1 3
connect-request 2 4 1 8
port $port 16
six: accept-established 6 1 1 4
six: accept-refused 6 1 1 2
six: connect-established 6 1 1 4
six: connect-refused 6 1 1 2
six: request 6 1 2 6
state 1 4 1 5
state 1 8 1 5
state 10 3 1 5
state 10 7 1 1
state 2 1 1 5
state 2 7 1 3
state 3 1 1 5
state 4 5 1 5
state 5 7 1 5
state 7 10 1 1
state 7 2 1 8
state 8 9 1 5
state 9 7 1 5
E2
diff wanted sorted >differences || { cat differences; fail "other connections"; }
