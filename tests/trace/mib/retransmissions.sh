# What: segments that a program's kernel sends again are counted: those for connections that a full queue does not accept, and
# answers to those that wait for data, in a network of its own; what the process gives up before it has failed is no failure.  Needs: btf python3 unshare ip.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
cat >child.py <<'E2'
import socket, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(0)
clients = [socket.socket() for i in range(4)]
for client in clients:
    client.setblocking(False)
    client.connect_ex(server.getsockname())
deferring = socket.socket()
deferring.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 1)
deferring.bind(("127.0.0.1", 0))
deferring.listen(8)
silent = [socket.create_connection(deferring.getsockname()) for i in range(8)]
def sent_again():
    with open("/proc/net/snmp") as snmp:
        names, values = [line.split() for line in snmp if line.startswith("Tcp:")]
    return int(values[names.index("RetransSegs")])
end = time.monotonic() + 20
while sent_again() < 3 + 8 and time.monotonic() < end:
    time.sleep(0.1)
time.sleep(0.1)
for client in clients:
    client.close()
socket.socket().connect_ex(("127.0.0.1", 1)) # nobody listens
print(sent_again(), file=open("kernel", "w"))
E2
# The timer that sends them runs in any process: those of all networks are counted.
must_trace -n 'mib:::tcpRetransSegs { @["again"] = sum(arg0); }
	rawtp:::tcp_retransmit_skb,rawtp:::tcp_retransmit_synack /!arg2/ { @["events"] = sum(1); }
	mib:::tcpAttemptFails /progenyof($target)/ { @["failed"] = sum(arg0); }' -c "unshare -n sh -c 'ip link set lo up && exec python3 child.py'"
[ "$(cat kernel)" -ge 11 ] || fail "only $(cat kernel) segments were sent again"
same "$(value_of again)" "$(value_of events)" "segments, each one"
[ "$(value_of again)" -ge "$(cat kernel)" ] || fail "$(value_of again) segments, the kernel: $(cat kernel)"
same "$(value_of failed)" 1 "attempts that failed"
