#!/bin/sh
# prometheus.sh - Debian's Prometheus scrapes dtrace: increase() and histogram_quantile() are what the traced program did, also
# after the engine was stopped for ten seconds; promtool finds nothing
#
# The package (19 MB) is unpacked, not installed; Prometheus listens on loopback and keeps its data in a temporary folder.
DTRACE=${DTRACE:-build/dtrace}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
engine= tracer= program=
end() {
	for p in $engine $tracer $program; do kill "$p" 2>/dev/null; done
	wait 2>/dev/null
	rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 1
[ -z "$PROMETHEUS_DEB" ] || cp "$PROMETHEUS_DEB" prometheus.deb
[ -f prometheus.deb ] || timeout 300 apt-get -qq download prometheus >/dev/null 2>&1
dpkg -x ./prometheus*.deb root 2>/dev/null || {
	echo "skipped prometheus: no package"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
cat >program.py <<'PY'
# Each line "NUMBER FLAGS" is so many umount2(2) of a name that is none, with these flags.
import ctypes, sys
libc = ctypes.CDLL(None)
for line in sys.stdin:
    number, flags = map(int, line.split())
    for _ in range(number):
        libc.umount2(b"/no/such", flags)
PY
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port) own_port=$(free_port)
mkfifo calls
python3 program.py <calls &
program=$!
exec 3>calls
"$DTRACE" -q -x oformat=openmetrics -x listen="$port" -x labels=comm -p "$program" -n '
syscall::umount2:entry /pid == $target/ { @calls[execname] = count(); @flags = quantize(arg1); @steps = lquantize(arg1, 0, 200, 10); }
tick-700ms { clear(@calls); }
tick-1100ms { trunc(@steps); }' 3>&- &
tracer=$!
cat >prometheus.yml <<END
global: { scrape_interval: 1s }
scrape_configs: [{ job_name: dtrace, static_configs: [{ targets: ["127.0.0.1:$port"] }] }]
END
./root/usr/bin/prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$own_port" \
	--web.console.templates=/nonexistent --web.console.libraries=/nonexistent 3>&- >prometheus.log 2>&1 &
engine=$!

# query TEXT [TIME] - its first value; 0: none
query() {
	curl -s -G "http://127.0.0.1:$own_port/api/v1/query" --data-urlencode "query=$1" ${2:+--data-urlencode "time=$2"} |
		python3 -c 'import json, sys
try: r = json.load(sys.stdin)["data"]["result"]
except Exception: r = []
print(r[0]["value"][1] if r else 0)' 
}
# counted NUMBER - wait until Prometheus has so many calls
counted() {
	for _ in $(seq 300); do
		[ "$(query dtrace_flags_count)" = "$1" ] && return
		sleep 0.2
	done
	echo "no $1 calls in Prometheus: $(query dtrace_flags_count)"
	tail -n 5 prometheus.log
	curl -s "http://127.0.0.1:$port/metrics"
	return 1
}
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $*"; fi; }
# is QUERY NUMBER - at the time of the last scrape, so that nothing is extrapolated
is() {
	got=$(query "$1" "$(query 'timestamp(dtrace_flags_count)')")
	awk -v got="$got" -v wanted="$2" 'BEGIN { d = got - wanted; exit !(d < 0.01 && d > -0.01) }' || {
		echo "$1: $got, wanted $2"
		return 1
	}
}
three_scrapes() { [ "$(query 'count_over_time(up[1m])')" -ge 3 ] && [ "$(query 'min_over_time(up[1m:1s])')" = 1 ]; }
silent() { [ -z "$(curl -s "http://127.0.0.1:$port/metrics" | ./root/usr/bin/promtool check metrics 2>&1)" ]; }

dashboard() { python3 - "$root/toolkit/export/dashboard.json" "$own_port" <<'PY'
import json, sys, urllib.parse, urllib.request
for panel in json.load(open(sys.argv[1]))["panels"]:
    for target in panel.get("targets", []):
        text = target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")
        url = f"http://127.0.0.1:{sys.argv[2]}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        if json.load(urllib.request.urlopen(url))["status"] != "success":
            sys.exit(text)
PY
}

for _ in $(seq 300); do curl -s "http://127.0.0.1:$port/metrics" >first && break || sleep 0.1; done
printf '1 5\n1 100\n' >&3 # the first sample of each series is one: then increase() is all that was counted
check counted 2
printf '499 5\n499 100\n' >&3
check counted 1000
sleep 3
check three_scrapes
calls='increase(dtrace_calls_total{comm="python3"}[5m])'
check is "$calls" 1000
kill -STOP "$engine"
printf '700 5\n' >&3
sleep 5
printf '300 100\n' >&3
sleep 5
kill -CONT "$engine"
check counted 2000
check is "$calls" 2000
check is 'increase(dtrace_flags_sum[5m])' $((1200 * 5 + 800 * 100))
# 1200 values of 4 to 7, 800 of 64 to 127; the rank is in the middle of each
check is 'histogram_quantile(0.3, increase(dtrace_flags_bucket[5m]))' 5
check is 'histogram_quantile(0.8, increase(dtrace_flags_bucket[5m]))' 95
check is 'increase(dtrace_steps_bucket{le="9"}[5m])' 1200
check is 'increase(dtrace_steps_count[5m])' 2000
check is 'increase(dtrace_own_drops_total[5m])' 0
check silent
check dashboard
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
