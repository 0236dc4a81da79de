# What: segments of more than 64 KiB, which a device splits: their lengths make up all bytes that were sent and received, though
# the header of IP has no room for them.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import socket, sys, threading
def run(family, address, port):
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((address, port))
    server.listen(1)
    client = socket.socket(family)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 << 20)
    client.connect((address, port))
    accepted, _ = server.accept()
    sender = threading.Thread(target=client.sendall, args=(b"x" * 3000000,))
    sender.start()
    got = 0
    while got < 3000000:
        got += len(accepted.recv(1 << 20))
    sender.join()
run(socket.AF_INET, "127.0.0.1", int(sys.argv[1]))
if len(sys.argv) > 2:
    run(socket.AF_INET6, "::1", int(sys.argv[2]))
E2
free_port() {
	python3 -c "import socket
s = socket.socket(socket.$1)
s.bind(('$2', 0))
print(s.getsockname()[1])" 2>/dev/null
}
four=$(free_port AF_INET 127.0.0.1)
six=$(free_port AF_INET6 ::1)
must_trace -qn "tcp:::send, tcp:::receive /args[4]->tcp_dport == $four || args[4]->tcp_dport == ${six:-0}/ {
	@[probename, args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset); }
	tcp:::send /(args[4]->tcp_dport == $four || args[4]->tcp_dport == ${six:-0}) && !args[3]->tcps_retransmit/ {
	@[\"new\", args[2]->ip_ver] = sum(args[2]->ip_plength - args[4]->tcp_offset); }
	ip:::send /args[2]->ip_ver == 4 && args[4]->ipv4_protocol == IPPROTO_TCP && pid == \$target/ { @large = max(args[2]->ip_plength); }
	END { printa(\"%s %d %@d\n\", @); printa(\"large %@d\n\", @large); }" -c "$(command -v python3) child.py $four $six"
bytes() { awk '$1 == "'$1'" && $2 == '$2' { print $3 }' out; }
for version in 4 ${six:+6}; do # a slow machine sends some again
	same "$(bytes new $version)" 3000000 "bytes that were sent, IPv$version"
	same "$(bytes receive $version)" "$(bytes send $version)" "bytes that were received, IPv$version"
done
[ "$(value_of large)" -gt 65535 ] || skip "no segment has more than 64 KiB"
