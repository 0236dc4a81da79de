# What: connections that a full queue does not accept are counted as the kernel counts them, by IPv4, IPv6 and both, each in a
# network of its own.  Needs: kprobe btf python3 unshare ip.
. "$LIB"
unshare -n true 2>/dev/null || skip "no network namespaces"
cat >child.py <<'E2'
import socket, sys, time
family, address = (socket.AF_INET6, sys.argv[1]) if ":" in sys.argv[1] else (socket.AF_INET, sys.argv[1])
server = socket.socket(socket.AF_INET6 if sys.argv[1] == "::1" or sys.argv[2] == "both" else socket.AF_INET)
server.bind(("::" if server.family == socket.AF_INET6 else address, 0))
server.listen(0)
clients = [socket.socket(family) for i in range(6)]
for client in clients:
    client.setblocking(False)
    client.connect_ex((address, server.getsockname()[1]))
def dropped():
    with open("/proc/net/netstat") as lines:
        names, values = [line.split() for line in lines if line.startswith("TcpExt:")]
    return int(values[names.index("ListenDrops")])
end = time.monotonic() + 20
while dropped() < 7 and time.monotonic() < end:
    time.sleep(0.1)
for client in clients:
    client.close()
server.close()
print(dropped(), file=open("kernel", "w"))
E2
for how in "127.0.0.1 own" "::1 own" "127.0.0.1 both"; do
	must_trace -n 'mib:::tcpListenDrop { @["dropped"] = sum(arg0); }' -c "unshare -n sh -c 'ip link set lo up && exec python3 child.py $how'"
	[ "$(cat kernel)" -ge 7 ] || fail "$how: only $(cat kernel) were dropped"
	same "$(value_of dropped)" "$(cat kernel)" "$how"
done
