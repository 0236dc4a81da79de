# What: metrics are posted as OTLP; an engine that refuses, is busy, silent, speaks nonsense or is gone loses nothing but counted batches. Needs: python3.
. "$LIB"
ldconfig -p | grep -q 'libcurl\(-gnutls\)\?\.so\.4' || skip "no libcurl"
cat >receiver.py <<'PY'
# Answers as the file `mode` says; the last good body is in `body`, what was asked in `log`.
import http.server, json, os, socket, time
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *a): pass
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        mode = open("mode").read().strip()
        with open("log", "a") as log:
            log.write(f"{mode} {self.path} {self.headers['Content-Type']}\n")
        if mode == "silence":
            time.sleep(30)
            return
        if mode == "garbage":
            self.wfile.write(os.urandom(5000))
            self.close_connection = True
            return
        if mode in ("200", "partial"):
            json.loads(body)
            with open("body.new", "wb") as f:
                f.write(body)
            os.rename("body.new", "body")
        self.send_response(200 if mode == "partial" else int(mode))
        if mode == "429":
            self.send_header("Retry-After", "1")
        answer = b'{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}' if mode == "partial" else b"{}"
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
open("port.new", "w").write(str(server.server_address[1]))
os.rename("port.new", "port")
server.serve_forever()
PY
cat >look.py <<'PY'
# look.py NAME - the sum of the points of this metric in `body`; 64-bit numbers are strings
import json, sys
sum = 0
for r in json.load(open("body"))["resourceMetrics"]:
    for s in r["scopeMetrics"]:
        for m in s["metrics"]:
            data = m.get("sum") or m.get("gauge") or m.get("histogram")
            for p in data["dataPoints"]:
                assert isinstance(p["timeUnixNano"], str) and p["startTimeUnixNano"] < p["timeUnixNano"]
                if "explicitBounds" in p:
                    assert len(p["bucketCounts"]) == len(p["explicitBounds"]) + 1
                    assert p["explicitBounds"] == sorted(p["explicitBounds"])
                if m["name"] == sys.argv[1]:
                    sum += int(p.get("asInt") or p["count"])
print(sum)
PY
metric() { [ -s body ] && python3 look.py "$1"; }
metric_is() { [ "$(metric "$1")" = "$2" ]; }
metric_is_above() { [ "$(metric "$1")" -gt "$2" ] 2>/dev/null; }
asked() { grep -c "^$1 " log 2>/dev/null; }
asked_often() { [ "$(asked "$1")" -ge "$2" ] 2>/dev/null; }

echo 200 >mode
python3 receiver.py >receiver.log 2>&1 &
receiver=$!
trap 'kill $receiver 2>/dev/null' EXIT
until_true 10 [ -s port ] || fail "no receiver: $(cat receiver.log)"
background -x oformat=otlp -x endpoint="http://127.0.0.1:$(cat port)/v1/metrics" -x pushrate=100ms -x labels=comm -n '
tick-5ms /i < 300/ { @n[i % 2] = count(); @q = quantize(i); i++; }
tick-37ms { clear(@n); }
tick-10ms { @t = count(); }'
until_true 20 metric_is dtrace.n 300 || fail "counted $(metric dtrace.n)"
same "$(metric dtrace.q)" 300 "histogram"
same "$(sort -u log)" "200 /v1/metrics application/json" "requests"

# each is asked again, or has refused a body for good; then all that was counted arrives
for mode in 503 429 garbage silence 400; do
	before=$(metric dtrace.t)
	echo "$mode" >mode
	until_true 20 asked_often "$mode" "$([ "$mode" = silence ] && echo 1 || echo 2)" || fail "$mode: asked $(asked "$mode") times"
	[ "$mode" != silence ] || sleep 3 # more batches than wait
	echo 200 >mode
	until_true 30 metric_is_above dtrace.t "$before" || fail "nothing after $mode"
done
until_true 20 metric_is_above dtrace.own.batches_lost 0 || fail "no batch was counted as lost"
same "$(metric dtrace.n) $(metric dtrace.own.drops)" "300 0" "counted, lost"
echo partial >mode
until_true 20 asked_often partial 1 || fail "no partial success"
reader=$(tr -d ' ' <"/proc/$pid/task/$pid/children")
resident=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$reader/status")
[ "$resident" -le 65536 ] || fail "$resident KiB of memory"

# gone: tracing ends all the same, and says what was thrown away
kill -KILL $receiver
kill -INT "$pid"
until_true 20 gone "$pid" || fail "it does not end without its engine"
wait "$pid"
same "$?" 0 "status"
contains 'batches were thrown away' err
contains 'points were refused' err

"$DTRACE" -q -x oformat=otlp -x endpoint=ftp://x -n 'BEGIN { exit(0); }' >out 2>err
contains 'endpoint=ftp://x does not begin with http:// or https://' err
