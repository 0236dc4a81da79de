# What: sslsniff shows what a server and several clients (python, curl) of one private copy of OpenSSL send and get in the clear, by one clause; bytes equal to the programs' own counts.  Needs: uprobe python3.
. "$LIB"
command -v openssl >/dev/null || skip "no openssl"
library=$(python3 -c 'import _ssl; print(next(l.split()[-1] for l in open("/proc/self/maps") if "libssl" in l))' 2>/dev/null)
[ -n "$library" ] || skip "python has no libssl"
python=$(python3 -c 'import sys; print(sys.executable)')
name=${library##*/}
cp -L "$library" "$name"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost >/dev/null 2>&1 || skip "openssl makes no certificate"
cat >server.py <<'E2'
import os, socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], file=open("port.new", "w"), flush=True)
os.rename("port.new", "port")
got = sent = 0
for _ in range(int(sys.argv[1])):
    with context.wrap_socket(listener.accept()[0], server_side=True) as s:
        data = s.recv(100000)
        got += len(data)
        reply = b"HTTP/1.0 200 OK\r\nContent-Length: 3000\r\n\r\n" + b"x" * 3000
        sent += s.send(reply)
print(got, sent, file=open("counts-of-server", "w"))
E2
cat >client.py <<'E2'
import socket, ssl, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
with context.wrap_socket(socket.create_connection(("127.0.0.1", int(open("port").read())))) as s:
    sent, got = s.send(b"GET /secret-of-python HTTP/1.0\r\n\r\n"), 0
    while data := s.recv(100000):
        got += len(data)
print(sent, got, file=open("counts-of-client", "w"))
E2
clients=1
ldd "$(command -v curl)" 2>/dev/null | grep -q "$name" && clients=2
export LD_LIBRARY_PATH="$PWD"
"$python" server.py $clients & server=$!
trap 'kill $server "$pid" 2>/dev/null' EXIT
until_true 20 test -s port || fail "no server"
grep -q "$PWD/$name" "/proc/$server/maps" || skip "python does not take the copy"
LD_LIBRARY_PATH= background -s sslsniff -f "$PWD/$name" -g "$PWD/none.so" -b 40
until_true 20 grep -qs WAY out || fail "it does not begin: $(cat err)"
"$python" client.py
[ $clients = 1 ] || curl -sk "https://127.0.0.1:$(cat port)/secret-of-curl" >page || fail "curl: $?"
wait $server
seen() { awk -v p="$1" -v w="$2" '$2 == p && $4 == w { n += $5 } END { print n + 0 }' out; }
both() { [ "$(seen $server get) $(seen $server send)" = "$(cat counts-of-server)" ]; }
until_true 10 both || fail "bytes of the server: $(seen $server get) $(seen $server send), its own counts: $(cat counts-of-server)"
kill -INT "$pid"
wait "$pid"
contains ' python[^ ]* *send *[0-9]* GET /secret-of-python HTTP/1'
contains ' get  *[0-9]* GET /secret-of-python HTTP/1'
same "$(awk -v s=$server '$3 ~ /^python/ && $2 != s { n[$4] += $5 } END { print n["send"], n["get"] }' out)" "$(cat counts-of-client)" "bytes of the client"
if [ $clients = 2 ]; then
	contains ' curl  *send  *[0-9]* GET /secret-of-curl HTTP/1'
	same "$(awk '$3 == "curl" && $4 == "get" { n += $5 } END { print n }' out)" "$(awk '{ print $2 / 2 }' counts-of-server)" "bytes of curl"
fi
contains '^ *[0-9]* pieces: [0-9]* bytes sent, [0-9]* received$'
