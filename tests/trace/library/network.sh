# What: translators of sockets agree with the program about its connection; those of headers read the bytes that the
# program wrote. Needs: btf python3.
. "$LIB"
cat >child.py <<'PY'
import os, socket, struct
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(1)
client = socket.create_connection(server.getsockname())
peer, _ = server.accept()
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 0))
six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
for source, fd in ((client, 100), (server, 101), (udp, 102), (six, 103)):
    os.dup2(source.fileno(), fd)
with open("ports", "w") as f:
    print(client.getsockname()[1], server.getsockname()[1], udp.getsockname()[1], file=f)
os.chdir("/")

def address(text):
    return socket.inet_aton(text)

ip4 = struct.pack("!BBHHHBBH4s4s", 0x45, 8, 60, 4660, 0x4000, 64, 6, 0xbeef,
                  address("10.1.2.3"), address("192.168.7.9"))
tcp = struct.pack("!HHIIBBHHH", 443, 50000, 0x12345678, 0x9abcdef0, 0x50, 0x12, 1024, 0xcafe, 7)
udp4 = struct.pack("!HHHH", 53, 33000, 28, 0xabcd)
ip6 = struct.pack("!IHBB", 0x6ab12345, 20, 17, 9) + bytes(15) + b"\1" + socket.inet_pton(socket.AF_INET6, "2001:db8::2")
null = os.open("/dev/null", os.O_WRONLY)
os.write(null, ip4 + tcp + udp4 + ip6)
PY
cat >it.d <<'D'
inline struct sock *sock_of[int fd] =
	((struct socket *)curthread->files->fdt->fd[fd]->private_data)->sk;
inline tcpsinfo_t tcp_of_fd[int fd] = xlate <tcpsinfo_t>(sock_of[fd]);

syscall::chdir:entry
/pid == $target/
{
	printf("client %d %d %s %s\n", tcp_of_fd[100].tcps_lport, tcp_of_fd[100].tcps_rport,
	    tcp_of_fd[100].tcps_laddr, tcp_of_fd[100].tcps_raddr);
	printf("state %s %s\n", tcp_state_string[tcp_of_fd[100].tcps_state],
	    tcp_state_string[tcp_of_fd[101].tcps_state]);
	printf("local %d %d\n", tcp_of_fd[100].tcps_local, tcp_of_fd[100].tcps_mss > 0);
	printf("window %d\n", tcp_of_fd[100].tcps_cwnd > 0 && tcp_of_fd[100].tcps_swnd > 0);
	printf("udp %d %s\n", xlate <udpsinfo_t>(sock_of[102]).udps_lport,
	    xlate <udpsinfo_t>(sock_of[102]).udps_laddr);
	printf("six %s\n", xlate <udpsinfo_t>(sock_of[103]).udps_laddr);
	printf("ends %s %s %s\n", xlate <conninfo_t>(sock_of[100]).ci_remote,
	    xlate <conninfo_t>(sock_of[102]).ci_protocol,
	    xlate <conninfo_t>(sock_of[103]).ci_protocol);
	printf("addr %d\n", xlate <csinfo_t>(sock_of[100]).cs_addr == (uintptr_t)sock_of[100]);
	printf("nobody %s %d\n", xlate <tcpsinfo_t>((struct sock *)NULL).tcps_laddr,
	    xlate <tcpsinfo_t>((struct sock *)NULL).tcps_cwnd);
	seen = 1;
}

syscall::write:entry
/pid == $target && seen && arg2 == 88/
{
	this->bytes = (char *)copyin(arg1, 88);
	this->ip = (struct iphdr *)this->bytes;
	this->tcp = (struct tcphdr *)(this->bytes + 20);
	this->udp = (struct udphdr *)(this->bytes + 40);
	this->six = (struct ipv6hdr *)(this->bytes + 48);
	this->four = xlate <ipv4info_t>(this->ip);
	printf("ipv4 %d %d %d %d %x %d %d %d %d %s %x\n", this->four.ipv4_ver, this->four.ipv4_ihl,
	    this->four.ipv4_tos, this->four.ipv4_length, this->four.ipv4_ident,
	    this->four.ipv4_flags, this->four.ipv4_offset, this->four.ipv4_ttl,
	    this->four.ipv4_protocol, this->four.ipv4_protostr, this->four.ipv4_checksum);
	printf("from %s to %s\n", this->four.ipv4_saddr, this->four.ipv4_daddr);
	printf("ip %d %d %s\n", xlate <ipinfo_t>(this->ip).ip_ver,
	    xlate <ipinfo_t>(this->ip).ip_plength, xlate <ipinfo_t>((void_ip_t *)this->six).ip_daddr);
	printf("tcp %d %d %x %x %d %x %d %x %d\n", xlate <tcpinfo_t>(this->tcp).tcp_sport,
	    xlate <tcpinfo_t>(this->tcp).tcp_dport, xlate <tcpinfo_t>(this->tcp).tcp_seq,
	    xlate <tcpinfo_t>(this->tcp).tcp_ack, xlate <tcpinfo_t>(this->tcp).tcp_offset,
	    xlate <tcpinfo_t>(this->tcp).tcp_flags, xlate <tcpinfo_t>(this->tcp).tcp_window,
	    xlate <tcpinfo_t>(this->tcp).tcp_checksum, xlate <tcpinfo_t>(this->tcp).tcp_urgent);
	printf("flags %d\n", xlate <tcpinfo_t>(this->tcp).tcp_flags == (TH_SYN | TH_ACK));
	printf("udp4 %d %d %d %x\n", xlate <udpinfo_t>(this->udp).udp_sport,
	    xlate <udpinfo_t>(this->udp).udp_dport, xlate <udpinfo_t>(this->udp).udp_length,
	    xlate <udpinfo_t>(this->udp).udp_checksum);
	printf("ipv6 %d %x %x %d %d %s %d %s %s\n", xlate <ipv6info_t>(this->six).ipv6_ver,
	    xlate <ipv6info_t>(this->six).ipv6_tclass, xlate <ipv6info_t>(this->six).ipv6_flow,
	    xlate <ipv6info_t>(this->six).ipv6_plen, xlate <ipv6info_t>(this->six).ipv6_nexthdr,
	    xlate <ipv6info_t>(this->six).ipv6_nextstr, xlate <ipv6info_t>(this->six).ipv6_hlim,
	    xlate <ipv6info_t>(this->six).ipv6_saddr, xlate <ipv6info_t>(this->six).ipv6_daddr);
	printf("none %s %d\n", xlate <ipv4info_t>((struct iphdr *)NULL).ipv4_saddr,
	    xlate <ipv4info_t>((struct iphdr *)this->six).ipv4_ttl);
	exit(0);
}
D
must_trace -s it.d -c "$(command -v python3) child.py"
read -r client server udp <ports
cat >wanted <<W
client $client $server 127.0.0.1 127.0.0.1
state state-established state-listen
local 1 1
window 1
udp $udp 127.0.0.1
six ::
ends 127.0.0.1 ipv4 ipv6
addr 1
nobody <unknown> 0
ipv4 4 20 8 60 1234 4 0 64 6 TCP beef
from 10.1.2.3 to 192.168.7.9
ip 4 40 2001:db8::2
tcp 443 50000 12345678 9abcdef0 20 12 1024 cafe 7
flags 1
udp4 53 33000 28 abcd
ipv6 6 ab 12345 20 17 UDP 9 ::1 2001:db8::2
none <null> 0

W
diff -u wanted out || fail "not what is wanted"
