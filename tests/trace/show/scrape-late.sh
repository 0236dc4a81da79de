# What: a scrape that dtrace does not answer in time is refused, and the next one requests a snapshot of its own; late answers do no harm. Needs: python3.
. "$LIB"
cat >late.py <<'PY'
import os, re, socket, subprocess, sys, time
LISTENER_FD = 3
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
port = listener.getsockname()[1]
dtrace, theirs = socket.socketpair()
dtrace.settimeout(20)

def in_reader():
    fd = os.dup2(listener.fileno(), LISTENER_FD)
    os.set_inheritable(fd, True)

reader = subprocess.Popen([sys.argv[1]], stdin=theirs, preexec_fn=in_reader, close_fds=False)
theirs.close()
printing = 0

def say(line):
    dtrace.sendall(line.encode() + b"\n")

def scrape():
    s = socket.create_connection(("127.0.0.1", port), 20)
    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    return s

def answer(s):
    data = b""
    while more := s.recv(65536):
        data += more
    value = re.search(rb"^dtrace_n_total (\d+)$", data, re.M)
    return data.split(b" ", 2)[1].decode(), value and int(value[1])

def requested():
    text = dtrace.recv(4096)
    assert text == b'{"request":"snapshot"}\n', text

def snapshot(count):
    global printing
    printing += 1
    say('{"type":"snapshot"}')
    say('{"type":"aggregation","printing":%d,"key":[],"values":[{"name":"n","function":"count","from":1,"value":%d}]}' % (printing, count))
    say('{"type":"end"}')

def same(got, wanted, what):
    if got != wanted:
        sys.exit(f"{what}: {got!r}, wanted {wanted!r}")

say('{"type":"start","version":1}')
first, begin = scrape(), time.monotonic()
requested()
same(answer(first), ("503", None), "without an answer")
assert 4 < time.monotonic() - begin < 15
second = scrape() # there is still no answer to the first
requested()
snapshot(5)
same(answer(second), ("200", 5), "the next scrape")
snapshot(6) # the late one, for nobody
time.sleep(0.3) # a text is fresh for 100 ms
third = scrape()
requested()
snapshot(7)
same(answer(third), ("200", 7), "after a late answer")
dtrace.close()
same(reader.wait(20), 0, "status")
PY
python3 late.py "$(dirname "$DTRACE")/show/openmetrics" 2>err || fail "see above"
