# What: packets for no socket are dropped on their way in, those that a full queue refuses on their way out, each with its
# reason; what is received is not dropped.  Needs: btf python3 unshare ip tc.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
own_address
cat >child.py <<'E2'
import socket, subprocess, sys
address = sys.argv[1]
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind((address, 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.bind((address, 0))
def send(size, count):
    for _ in range(count):
        try:
            sender.sendto(b"x" * size, receiver_name)
        except OSError:
            pass
receiver_name = receiver.getsockname()
send(100, 5)
for _ in range(5):
    receiver.recv(1000)
# what nobody reads is not dropped by the network
send(400, 2)
receiver.close()
send(200, 4)
subprocess.run(["tc", "qdisc", "add", "dev", "lo", "root", "pfifo", "limit", "0"], check=True)
send(300, 3)
E2
cat >test.d <<E2
ip:::drop-in,ip:::drop-out /args[2]->ip_daddr == "$address"/ {
	@n[probename, args[2]->ip_plength, args[3]->if_name, args[4]->ipv4_protostr,
	    args[6] == SKB_DROP_REASON_NO_SOCKET ? "no socket" : args[6] == SKB_DROP_REASON_QDISC_DROP ? "queue" : "other"] = count(); }
END { printa("%s %d %s %s %s %@d\n", @n); }
E2
must_trace -s test.d -c "unshare -n sh -c 'ip link set lo up && exec python3 child.py $address'"
LC_ALL=C sort out | sed '/^$/d' >sorted
cat >wanted <<E2
drop-in 208 lo UDP no socket 4
drop-out 308 lo UDP queue 3
E2
diff wanted sorted >differences || { cat differences; fail "other drops"; }
