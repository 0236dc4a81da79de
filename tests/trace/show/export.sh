# What: the programs of dtrace-export@NAME serve what their first comment says; the dashboard and the unit use what is there. Needs: python3.
. "$LIB"
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
cat >look.py <<'PY'
# look.py PORT METRIC... - until these are served; some work for the metrics
import socket, sys, time, urllib.request
port, wanted = sys.argv[1], sys.argv[2:]
until = time.time() + 90
missing = wanted
while missing and time.time() < until:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            client.sendall(b"x")
            server.accept()[0].recv(1)
        refused = server.getsockname()
    try:
        socket.create_connection(refused)
    except OSError:
        pass
    try:
        text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20).read().decode()
        missing = [m for m in wanted if f"# TYPE {m} " not in text]
    except OSError:
        pass
    time.sleep(0.2)
sys.exit(f"not served: {' '.join(missing)}" if missing else 0)
PY
all=
for program in "$checkout"/toolkit/export/*.d; do
	name=$(basename "$program" .d)
	metrics=$(sed -n 's/^ \* \(dtrace_[a-z_]*\).*/\1/p' "$program")
	all="$all $metrics"
	port=$(free_port)
	sed "s/listen=[0-9]*/listen=$port/" "$program" >"$name.d"
	background -s "$name.d"
	# of those that nothing here makes happen
	case $name in
	disk) wanted= ;;
	*) wanted=$(echo "$metrics" | grep -v 'retransmits\|major') ;;
	esac
	# shellcheck disable=SC2086 # a list
	python3 look.py "$port" $wanted || fail "$name"
	until_true 20 interrupted || fail "$name does not end"
	wait "$pid"
	same "$?" 0 "status of $name"
	[ ! -s err ] || fail "$name has messages"
done

python3 - "$checkout/toolkit/export/dashboard.json" $all <<'PY' || fail "the dashboard"
import json, re, sys
board = json.load(open(sys.argv[1]))
known = set(sys.argv[2:]) | {"dtrace_own_drops_total", "dtrace_own_rows_left_out_total", "dtrace_own_records_total"}
shown = set()
for panel in board["panels"]:
    for target in panel.get("targets", []):
        shown |= {re.sub("_(bucket|sum|count)$", "", m) for m in re.findall(r"dtrace_\w+", target["expr"])}
if shown - known or known - shown - {"dtrace_own_records_total"}:
    sys.exit(f"unknown: {shown - known}, not shown: {known - shown}")
PY
if command -v systemd-analyze >/dev/null; then
	mkdir -p share
	sed "s,\"/usr/sbin/dtrace\",\"$DTRACE\",; s,WorkingDirectory=.*,WorkingDirectory=/," "$checkout/tools/dtrace-export@.service" >share/dtrace-export@x.service
	systemd-analyze verify --man=no "$PWD/share/dtrace-export@x.service" >verify 2>&1
	grep 'dtrace-export' verify && fail "systemd-analyze"
fi
exit 0
