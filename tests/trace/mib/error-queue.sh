# What: what a socket reads of its errors is no datagram, nor is what it looks at; raw sockets of UDP's number read none.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import select, socket
MSG_ERRQUEUE = 0x2000
closed = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
closed.bind(("127.0.0.1", 0))
nobody = closed.getsockname()
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
closed.close()
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, 11, 1) # IP_RECVERR
for _ in range(5):
    sender.sendto(b"to nobody", nobody)
    select.poll().poll(10)
    sender.recvmsg(100, 100, MSG_ERRQUEUE)
for _ in range(3):
    sender.sendto(b"x", receiver.getsockname())
    receiver.recv(10, socket.MSG_PEEK)
    receiver.recv(10)
for _ in range(4):
    raw.recv(100)
E2
"$DTRACE" -ln 'mib:::udpInDatagrams' 2>/dev/null | grep -q udpIn || skip "no tracepoint sock_recv_length here" # before 6.3
must_trace -n 'mib:::udpInDatagrams, mib:::udpOutDatagrams /pid == $target/ { @[probename] = sum(arg0); } END { printa("%s %@d\n", @); }' -c "$(command -v python3) child.py"
contains '^udpInDatagrams 3$'
contains '^udpOutDatagrams 8$'
