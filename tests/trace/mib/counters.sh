# What: in a network of its own, what a program causes is counted as in the kernel's own numbers (/proc/net/snmp): connections
# made, accepted, refused, reset; datagrams, also for no socket and for a full one; packets with wrong headers, and of IPv6 where it is disabled.
# Needs: btf python3 unshare ip.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
cat >child.py <<'E2'
import ctypes, os, socket, struct
address = "127.0.0.1"
def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff
# connections: five closed, two reset by the one side, one by the other one, three refused
server = socket.create_server((address, 0))
name = server.getsockname()
def pair():
    client = socket.create_connection(name)
    return client, server.accept()[0]
linger = struct.pack("ii", 1, 0)
for i in range(5):
    client, accepted = pair()
    client.close()
    accepted.recv(1)
    accepted.close()
for i in range(2):
    client, accepted = pair()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    client.close()
    accepted.close()
client, accepted = pair()
accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
accepted.close()
client.close()
server.close()
for i in range(3):
    try:
        socket.create_connection(name)
    except ConnectionRefusedError:
        pass
# datagrams: six received, one of them looked at before, two for nobody, some for a full socket
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind((address, 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(6):
    sender.sendto(b"x" * 10, receiver.getsockname())
receiver.recv(100, socket.MSG_PEEK)
for i in range(6):
    receiver.recv(100)
# one in three parts, as MSG_MORE says
for flags in 0x8000, 0x8000, 0:
    sender.sendto(b"part", flags, receiver.getsockname())
assert len(receiver.recv(100)) == 12
full = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
full.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
full.bind((address, 0))
for i in range(20):
    sender.sendto(b"x" * 1000, full.getsockname())
# three for a socket whose filter lets nothing through: ret #0
deaf = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
deaf.bind((address, 0))
nothing = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
deaf.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HP", 1, ctypes.addressof(nothing)))   # SO_ATTACH_FILTER
for i in range(3):
    sender.sendto(b"x" * 10, deaf.getsockname())
nobody = receiver.getsockname()
receiver.close()
for i in range(2):
    sender.sendto(b"x", nobody)
# packets as they should not be
with open("/proc/sys/net/ipv4/conf/lo/accept_local", "w") as f:
    f.write("1")
raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x800))
def packet(protocol, header=5, wrong=0, payload=b"\0" * 20, hops=64, to="192.0.2.1"):
    start = struct.pack("!BBHHHBBH4s4s", 0x40 + header, 0, 20 + len(payload), 1, 0, hops, protocol, 0,
                        socket.inet_aton("192.0.2.1"), socket.inet_aton(to))
    value = checksum(start) ^ wrong
    raw.sendto(start[:10] + struct.pack("!H", value) + start[12:] + payload, ("lo", 0x800, 0, 0, bytes(6)))
for i in range(3):
    packet(253)
for i in range(4):
    packet(17, header=4)
for i in range(5):
    packet(17, wrong=1)
for i in range(2):
    packet(17, payload=struct.pack("!HHHH", 9, nobody[1], 12, 0x1234) + b"abcd")
packet(6, payload=struct.pack("!HHIIBBHHH", 9, nobody[1], 1, 0, 0x50, 2, 100, 0x1234, 0))
for i in range(3):
    packet(17, hops=1, to="198.51.100.1")
# packets of IPv6 where it is disabled
disable = "/proc/sys/net/ipv6/conf/lo/disable_ipv6"
if os.path.exists(disable):
    with open(disable, "w") as f:
        f.write("1")
    raw = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x86dd))
    for i in range(7):
        raw.sendto(struct.pack("!IHBB", 6 << 28, 8, 17, 64) + 2 * (bytes(15) + b"\1") + struct.pack("!HHHH", 9, 9, 8, 0),
                   ("lo", 0x86dd, 0, 0, bytes(6)))
libc = ctypes.CDLL(None)
out = open("kernel", "w")
libc.chdir(b"/")
with open("/proc/net/snmp") as snmp, open("/proc/net/netstat") as more:
    for lines in (snmp, more):
        lines = lines.read().splitlines()
        for names, values in zip(lines[::2], lines[1::2]):
            kind = names.split(":")[0]
            for key, value in zip(names.split()[1:], values.split()[1:]):
                print(kind + key, value, file=out)
if os.path.exists(disable):
    with open("/proc/net/snmp6") as lines:
        out.writelines(lines)
E2
cat >names <<'E2'
tcpActiveOpens TcpActiveOpens
tcpPassiveOpens TcpPassiveOpens
tcpAttemptFails TcpAttemptFails
tcpEstabResets TcpEstabResets
tcpOutRsts TcpOutRsts
udpOutDatagrams UdpOutDatagrams
udpInDatagrams UdpInDatagrams
udpNoPorts UdpNoPorts
udpInOverflows UdpRcvbufErrors
udpInCksumErrs UdpInCsumErrors
udpInErrors UdpInErrors
ipInHdrErrors IpInHdrErrors
ipInUnknownProtos IpInUnknownProtos
ipInDiscards Ip6InDiscards
ipInCksumErrs IpExtInCsumErrors
icmpOutDestUnreachs IcmpOutDestUnreachs
icmpOutTimeExcds IcmpOutTimeExcds
tcpInErrs TcpInErrs
E2
"$DTRACE" -qln 'mib:::' | awk '{ print $NF }' >there
# The numbers are those of a network, until chdir(), and so is what the process does that runs: the kernel handles the loopback device's packets
# in it.  When it is busy, it leaves some to a thread of its own; then it is tried again.
while read -r probe _; do
	grep -qx "$probe" there && echo "mib:::$probe /!over && curthread->nsproxy != NULL && curthread->nsproxy->net_ns->ns.inum != outside/ { @n[probename] = sum(arg0); }"
done <names >clauses
outside=$(readlink /proc/self/ns/net | tr -dc 0-9)
{
	echo "unsigned int outside; int over;"
	echo "BEGIN { outside = $outside; }"
	cat clauses
	echo 'syscall::chdir:entry /pid == $target/ { over = 1; }'
	printf '%s\n' 'END { printa("%s %@d\n", @n); }'
} >test.d
number() { awk -v key="$1" '$1 == key { n = $2 } END { print n + 0 }' "$2"; }
differences() {
	while read -r probe counter; do
		! grep -qx "$probe" there || [ "$(number "$probe" out)" = "$(number "$counter" kernel)" ] ||
			echo "$probe: $(number "$probe" out), the kernel: $(number "$counter" kernel)"
	done <names
}
for try in 1 2 3 4 5; do
	must_trace -s test.d -c "unshare -n sh -c 'ip link set lo up && ip addr add 192.0.2.1/32 dev lo && echo 1 >/proc/sys/net/ipv4/ip_forward && ip route add 198.51.100.0/24 dev lo && exec python3 child.py'"
	differences >differing
	[ -s differing ] || break
	[ "$try" -lt 5 ] || { cat differing; fail "not the kernel's own numbers"; }
done
for probe in "tcpActiveOpens 11" "tcpPassiveOpens 8" "tcpInErrs 1" "icmpOutTimeExcds 3" "udpInDatagrams 7" "udpNoPorts 2" "ipInHdrErrors 12" "ipInUnknownProtos 3" "ipInCksumErrs 5" "udpInCksumErrs 2"; do
	! grep -qx "${probe% *}" there || contains "^$probe\$"
done
[ ! -e /proc/sys/net/ipv6 ] || ! grep -qx ipInDiscards there || contains '^ipInDiscards 7$'
