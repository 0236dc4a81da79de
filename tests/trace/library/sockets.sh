# What: tcpsinfo_t says of sockets what their packets and TCP_INFO said: addresses, first and next
# sequence numbers, scales, sizes and times, of both ends, of IPv4, IPv6 and IPv4 in IPv6; after one
# end has closed, too.  Needs: btf python3.
. "$LIB"
cat >child.py <<'PY'
import fcntl, os, socket, struct, termios, time

lo = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
lo.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
lo.bind(("lo", 0))

def pair(family, listen_on, connect_to, client_family=None):
    server = socket.socket(family)
    server.bind((listen_on, 0))
    server.listen(1)
    client = socket.socket(client_family or family)
    client.connect((connect_to, server.getsockname()[1]))
    return client, server.accept()[0], server

four = pair(socket.AF_INET, "127.0.0.1", "127.0.0.1")
six = pair(socket.AF_INET6, "::1", "::1")
mixed = pair(socket.AF_INET6, "::", "127.0.0.1", socket.AF_INET)
closed = pair(socket.AF_INET, "127.0.0.1", "127.0.0.1")
for i in range(20):
    four[0].sendall(b"x" * 1000)
    four[1].recv(1000)
    four[1].sendall(b"y" * 300)
    four[0].recv(300)
closed[0].sendall(b"z" * 5)
closed[1].recv(5)
closed[0].shutdown(socket.SHUT_WR)
while closed[1].recv(1):
    pass

ends = [four[0], four[1], six[0], six[1], mixed[0], mixed[1], closed[0], closed[1]]
while any(struct.unpack("i", fcntl.ioctl(end, termios.TIOCOUTQ, bytes(4)))[0] for end in ends):
    time.sleep(0.01) # an acknowledgment may be delayed

first, last = {}, {}
deadline = time.time() + 0.2
lo.settimeout(0.05)
while time.time() < deadline:
    try:
        frame = lo.recv(65536)
    except TimeoutError:
        break
    kind = struct.unpack("!H", frame[12:14])[0]
    if kind == 0x800 and frame[23] == 6:
        begin, length = 14 + (frame[14] & 15) * 4, struct.unpack("!H", frame[16:18])[0] + 14
    elif kind == 0x86dd and frame[20] == 6:
        begin, length = 54, struct.unpack("!H", frame[18:20])[0] + 54
    else:
        continue
    source, to, seq, ack, offset, flags = struct.unpack("!HHIIBB", frame[begin:begin + 14])
    if flags & 2:
        first[source, to] = seq
    size = length - begin - (offset >> 4) * 4 + (flags & 1) + (flags >> 1 & 1)
    last[source, to] = max(last.get((source, to), 0), (seq + size - first[source, to]) & 0xffffffff)

with open("wanted", "w") as f:
    for i, end in enumerate(ends):
        os.dup2(end.fileno(), 60 + i)
        here, there = end.getsockname(), end.getpeername()
        out, back = (here[1], there[1]), (there[1], here[1])
        info = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        n = struct.unpack("24I", info[8:104])
        plain = lambda a: a.removeprefix("::ffff:")
        print(i, plain(here[0]), here[1], plain(there[0]), there[1], "state", info[0],
              "first", first[out], first[back], "next", (first[out] + last[out]) & 0xffffffff,
              (first[back] + last[back]) & 0xffffffff, "scale", info[6] & 15, info[6] >> 4, "mss", n[2],
              "cookie", *struct.unpack("Q", end.getsockopt(socket.SOL_SOCKET, 57, 8)), "window", n[18], n[17], "rtt", n[15] // 1000, n[16] // 1000, "rto", n[0], file=f)
os.dup2(four[2].fileno(), 68)
os.chdir("/")
PY
cat >it.d <<'D'
inline struct sock *sock_of[int fd] =
	((struct socket *)curthread->files->fdt->fd[fd]->private_data)->sk;
D
for i in 0 1 2 3 4 5 6 7; do
	cat >>it.d <<D
syscall::chdir:entry
/pid == \$target/
{
	this->t = xlate <tcpsinfo_t>(sock_of[60 + $i]);
	printf("$i %s %d %s %d state %d first %u %u next %u %u scale %d %d mss %d cookie %d window %d %d rtt %d %d rto %d\n",
	    this->t.tcps_laddr, this->t.tcps_lport, this->t.tcps_raddr, this->t.tcps_rport,
	    this->t.tcps_state, this->t.tcps_iss, this->t.tcps_irs, this->t.tcps_snxt, this->t.tcps_rnxt,
	    this->t.tcps_snd_ws, this->t.tcps_rcv_ws, this->t.tcps_mss,
	    xlate <csinfo_t>(sock_of[60 + $i]).cs_cid, this->t.tcps_cwnd,
	    this->t.tcps_cwnd_ssthresh, this->t.tcps_rtt, this->t.tcps_rtt_sd, this->t.tcps_rto);
}
D
done
cat >>it.d <<'D'
syscall::chdir:entry
/pid == $target/
{
	this->t = xlate <tcpsinfo_t>(sock_of[68]);
	printf("listens %d %d %d\n", this->t.tcps_state, this->t.tcps_iss, this->t.tcps_irs);
	exit(0);
}
D
must_trace -s it.d -c "$(command -v python3) child.py"
# The kernel counts timeouts in ticks, TCP_INFO in microseconds.
grep '^[0-9]' out | sed 's/ rto [0-9]*$//' >told
sed 's/ rto [0-9]*$//' wanted | diff - told || fail "not what the packets and TCP_INFO said"
contains '^listens 10 0 0$'
# One tick is 1, 3.3, 4 or 10 ms: the same one for all.
paste -d ' ' wanted out | head -n 8 |
	awk '{ for (i = n = 1; i <= NF; i++) if ($i == "rto") v[n++] = $(i + 1); tick = v[1] / v[2]
		if (tick < 900 || tick > 10100) exit 1 }' || fail "timeouts in ticks"
