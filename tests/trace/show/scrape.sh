# What: metrics are scraped over HTTP; counts that the program clears are exact; hostile clients take nothing. Needs: python3.
. "$LIB"
cat >client.py <<'PY'
import re, socket, sys, time
port, host = int(sys.argv[1]), "127.0.0.1"

def connect(text=b""):
    s = socket.create_connection((host, port), 10)
    s.sendall(text)
    return s

def rest(s):
    data = b""
    try:
        while True:
            more = s.recv(65536)
            if not more:
                return data
            data += more
    except ConnectionResetError:
        return data

def ask(text):
    return rest(connect(text)).decode()

def scrape():
    text = ask(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    head, _, body = text.partition("\r\n\r\n")
    return head, dict(re.findall(r"^(\w\S*) (\S+)$", body, re.M))

def same(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, wanted {wanted!r}")

def status(text):
    return text.split(" ", 2)[1] if text else ""

def counts():
    deadline = time.time() + 60
    before = 0
    while time.time() < deadline:
        head, values = scrape()
        same(status(head), "200", "status")
        if "text/plain; version=0.0.4" not in head:
            sys.exit("no content type: " + head)
        n = sum(int(v) for k, v in values.items() if k.startswith("dtrace_n_total"))
        if n < before:
            sys.exit(f"a counter went back from {before} to {n}")
        before = n
        if values.get("dtrace_done_total") == "1":
            break
        time.sleep(0.05)
    same(n, 300, "counted")
    same(values['dtrace_n_total{comm="0"}'], "150", "of a key")
    same((values["dtrace_q_count"], values["dtrace_q_sum"]), ("300", "44850"), "histogram")
    same((values['dtrace_q_bucket{le="127"}'], values['dtrace_q_bucket{le="1023"}']), ("128", "300"), "buckets")
    same((values["dtrace_avg"], values["dtrace_max"]), ("149.5", "299"), "gauges")

def methods():
    same(status(ask(b"HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")), "200", "HEAD")
    same(status(ask(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")), "404", "another path")
    for method in b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"PATCH", b"BREW":
        same(status(ask(method + b" /metrics HTTP/1.1\r\nHost: x\r\n\r\n")), "405", method)
    huge = connect(b"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
    same(status(rest(huge).decode()), "405", "a huge body")

def hostile():
    for text in (b"\0\xff\r\n\r\n" * 100, b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n", b"GET /metrics HTTP/9.9\r\n\r\n",
                 b"GET /metrics HTTP/1.1\r\n" + b"".join(b"h%d: %s\r\n" % (i, b"v" * 1000) for i in range(100)) + b"\r\n"):
        try:
            answer = ask(text)
        except (BrokenPipeError, ConnectionResetError):
            answer = ""
        if status(answer)[:1] not in ("", "4", "5"):
            sys.exit(f"{text[:30]!r}: {answer[:100]!r}")
    try:
        rest(connect(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 1000))
    except BrokenPipeError:
        pass
    # silent ones, slow ones, ones that do not read; then an engine among them
    many = []
    for i in range(1000):
        many.append(connect((b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")[i % 3]))
    until = time.time() + 60
    while status(scrape()[0]) != "200":
        if time.time() > until:
            sys.exit("an engine gets nothing among 1000 connections")
        time.sleep(0.2)
    for s in many:
        s.close()
    same(status(scrape()[0]), "200", "after hostile ones")

globals()[sys.argv[2]]()
PY
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
serves() { grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$port") [0-9A-F:]* 0A" /proc/net/tcp /proc/net/tcp6; }
client() { python3 client.py "$port" "$@" || fail "client: $*"; }

port=$(free_port)
background -x oformat=openmetrics -x listen="$port" -x labels=comm -n '
tick-5ms /i < 300/ { @n[i % 2] = count(); @q = quantize(i); @avg = avg(i); @max = max(i); i++; }
tick-5ms /i == 300/ { @done = count(); i++; }
tick-37ms /i < 200/ { clear(@n); }
tick-53ms /i < 100/ { trunc(@n); clear(@q); }'
until_true 20 serves || fail "it does not listen"
client counts
client methods
# the port is not free
"$DTRACE" -q -x oformat=openmetrics -x listen="$port" -n 'BEGIN { exit(0); }' >second 2>&1
same "$(cat second)" "dtrace: could not enable tracing: cannot listen on $port: Address already in use" "a second one"
reader=$(tr -d ' ' <"/proc/$pid/task/$pid/children")
same "$(sed -n 's/^Uid:\t\([0-9]*\).*/\1/p' "/proc/$reader/status")" "$([ "$(id -u)" -ne 0 ] && id -u || echo 65534)" "its user"
client hostile
resident=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$reader/status")
[ "$resident" -le 65536 ] || fail "$resident KiB of memory"
until_true 20 interrupted || fail "it does not end"
wait "$pid"
same "$?" 0 "status"
[ ! -s out ] && [ ! -s err ] || fail "it prints something"
gone "$reader" || fail "the reader is still there"

# the same port again at once; IPv6; a reader that is killed ends tracing
if grep -q . /proc/net/if_inet6 2>/dev/null && grep -q '^00000000000000000000000000000001' /proc/net/if_inet6; then
	background -x oformat=openmetrics -x listen="[::1]:$port" -n 'tick-1s { @ = count(); }'
	until_true 20 serves || fail "no IPv6"
	sed 's/host = int(sys.argv\[1\]), "127.0.0.1"/host = int(sys.argv[1]), "::1"/' client.py >client6.py
	python3 client6.py "$port" methods || fail "by IPv6"
	until_true 20 interrupted || fail "it does not end"
	wait "$pid"
fi
background -x oformat=openmetrics -x listen="127.0.0.1:$port" -n 'tick-1s { @ = count(); }'
has_reader() { reader=$(tr -d ' ' <"/proc/$pid/task/$pid/children") && [ -n "$reader" ] && serves; }
until_true 20 has_reader || fail "no reader"
kill -KILL "$reader"
until_true 20 gone "$pid" || fail "it goes on without its reader"
wait "$pid"
same "$?" 1 "status without its reader"
contains 'openmetrics was ended by SIGKILL' err
