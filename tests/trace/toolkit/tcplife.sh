# What: tcplife shows both sides of connections on this machine, with process and bytes.  Needs: btf python3.
. "$LIB"
own_address
tool tcplife -c "$TRIGGERS/connects $address 4 2"
port=$(counted port)
same "$(awk -v p="$address:$port" '$3 == "connects" && $5 == p && $6 == 1000 && $7 == 3000' out | wc -l)" 4 "sides of clients"
same "$(awk -v p="$address:$port" '$3 == "connects" && $4 == p && $6 == 3000 && $7 == 1000' out | wc -l)" 4 "sides of the server"
same "$(awk -v p="$address:$port" '$3 == "connects" && $5 == p && $6 == 0 && $7 == 0' out | wc -l)" 2 "refused ones"
contains '^ *10 connections ended: 16000 bytes sent, 16000 received$'
# Connections that end by a reset: from the side that connected (3 bytes sent), and from the one that was connected to (4 bytes).
cat >resets.py <<'E2'
import socket, struct, sys
server = socket.socket()
server.bind((sys.argv[1], 0))
server.listen(5)
print(server.getsockname()[1], file=open("port", "w"))
def reset(s):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
for turn in range(6):
    client = socket.create_connection(server.getsockname())
    accepted, _ = server.accept()
    if turn % 2:
        client.sendall(b"abc")
        accepted.recv(3)
        reset(client)
        accepted.close()
    else:
        accepted.sendall(b"abcd")
        client.recv(4)
        reset(accepted)
        client.close()
E2
tool tcplife -c "python3 resets.py $address"
read -r port <port
for side in 4 5; do
	same "$(awk -v side=$side -v p="$address:$port" '$side == p && $2 ~ /^[1-9]/ && $3 ~ /^python/ { print $6, $7 }' out | sort | uniq -c | awk '{ print $1, $2, $3 }' | tr '\n' ' ')" \
		"$([ $side = 4 ] && echo "3 0 3 3 4 0 " || echo "3 0 4 3 3 0 ")" "ends of connections, column $side"
done
contains '^ *12 connections ended: 21 bytes sent, 21 received$'
# A server whose processes end without closing: the end of the process closes.
cat >ends.py <<'E2'
import os, socket, sys
server = socket.socket()
server.bind((sys.argv[1], 0))
server.listen(5)
print(server.getsockname()[1], file=open("port", "w"))
for turn in range(3):
    child = os.fork()
    if child == 0:
        accepted, _ = server.accept()
        accepted.recv(3)
        os._exit(0)
    client = socket.create_connection(server.getsockname())
    client.sendall(b"abc")
    os.waitpid(child, 0)
    client.close()
E2
tool tcplife -c "python3 ends.py $address"
read -r port <port
same "$(awk -v p="$address:$port" '$4 == p && $3 ~ /^python/ && $6 == 0 && $7 == 3' out | wc -l)" 3 "ends by the end of a process"
contains '^ *6 connections ended: 9 bytes sent, 9 received$'
for value in -1 65536 word; do
	tool_misused "tcplife: -P takes a number from 0 to 65535, not '$value'" -s tcplife -P "$value"
done
