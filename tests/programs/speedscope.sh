#!/bin/sh
# speedscope.sh - speedscope's own schema accepts our file, its program opens it, and shows the totals that our folded stacks have
#
# The program is the npm package, served on loopback to Chromium without a screen (chromium-headless-shell, some 250 MB with what
# it needs, is installed if it is not there).
DTRACE=${DTRACE:-build/dtrace}
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() {
	echo "skipped speedscope: $1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
command -v chromium-headless-shell >/dev/null ||
	apt-get install -y --no-install-recommends chromium-headless-shell >/dev/null 2>&1 || skip "no chromium-headless-shell"
work=$(mktemp -d) || exit 1
server=
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
(cd "$work" && timeout 120 npm pack --silent speedscope@1.25.0 >/dev/null && tar xzf speedscope-*.tgz) || skip "no npm package"
site=$work/package/dist/release
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

# Numbers above 2^53, which that program's doubles cannot hold, are made small.
sed 's/"9007199254740993"/12/' "$root/tests/golden/show/stacks.json" >"$work/stacks.json"
"$DTRACE" --show=speedscope -o "$site/run.json" "$work/stacks.json" 2>/dev/null
"$DTRACE" --show=folded -o "$work/folded" "$work/stacks.json" 2>/dev/null
check python3 - "$site" <<'P'
import json, sys
import jsonschema
run = json.load(open(sys.argv[1] + "/run.json"))
jsonschema.validate(run, json.load(open(sys.argv[1] + "/file-format-schema.json")))
P

# Port 0 would be unknown here: the server says which one it got.
python3 -c 'import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_port, flush=True)
server.serve_forever()' "$site" >"$work/port" 2>/dev/null &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s "$work/port" ] || sleep 0.3; done
port=$(cat "$work/port")
# Its table of functions, which a click on "Sandwich" shows.
python3 - "$site" <<'P'
import sys
page = open(sys.argv[1] + "/index.html").read()
open(sys.argv[1] + "/table.html", "w").write(page.replace("</body>", """<script>
setInterval(function () {
	var tab = Array.prototype.filter.call(document.querySelectorAll("div"), function (d) {
		return /Sandwich$/.test(d.textContent) && d.children.length === 1;
	})[0];
	if (tab && !document.querySelector("td"))
		tab.click();
}, 500);
</script></body>"""))
P
timeout 60 chromium-headless-shell --no-sandbox --disable-gpu --enable-unsafe-swiftshader --virtual-time-budget=20000 --dump-dom \
	"http://127.0.0.1:$port/table.html#profileURL=http%3A%2F%2F127.0.0.1%3A$port%2Frun.json" >"$work/dom" 2>"$work/log"
check python3 - "$work" <<'P'
import collections, html, re, sys
dom = open(sys.argv[1] + "/dom").read()
assert "<title>dtrace -n " in dom, "the profile has another name"
shown = set()
for row in re.findall(r"<tr.*?</tr>", dom, re.S):
    cells = [html.unescape(re.sub(r"<[^>]*>", "", c)).strip() for c in re.findall(r"<td.*?</td>", row, re.S)]
    if len(cells) >= 3:
        shown.add((cells[2], int(cells[0].split()[0].replace(",", "")), int(cells[1].split()[0].replace(",", ""))))
total, own = collections.Counter(), collections.Counter()
for line in open(sys.argv[1] + "/folded"):
    stack, weight = line.rstrip("\n").rsplit(" ", 1)
    stack = stack.split(";")
    for name in set(stack):
        total[name] += int(weight)
    own[stack[-1]] += int(weight)
# Frames of two kinds that have one name are two rows there; folded has no `;` in names.
wanted = {(name, total[name], own[name]) for name in total if not name.startswith("[unknown]")}
shown = {(name.replace(";", ":"), *rest) for name, *rest in shown if not name.startswith("[unknown]")}
assert shown == wanted, f"{shown ^ wanted}"
P
[ "$failed" = 0 ] || cat "$work/log"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
