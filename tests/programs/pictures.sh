#!/bin/sh
# pictures.sh - a browser opens the flame graph: no error, no network; zoom and search work in it
#
# Chromium without a screen (chromium-headless-shell, some 250 MB with what it needs) is installed if it is not there.
DTRACE=${DTRACE:-build/dtrace}
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v chromium-headless-shell >/dev/null ||
	apt-get install -y --no-install-recommends chromium-headless-shell >/dev/null 2>&1 || {
	echo "skipped pictures: no chromium-headless-shell"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$DTRACE" --show=flamegraph -o "$work/plain.svg" "$root/tests/golden/show/stacks.json" 2>/dev/null || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

# The picture with a script behind its own, which says what a user would see.
sed '/^<\/svg>$/d' "$work/plain.svg" >"$work/asked.svg"
cat >>"$work/asked.svg" <<'SVG'
<script><![CDATA[
var f = window.flamegraphs[0], by = {};
f.frames.forEach(function (x) { by[x.name] = x; });
function width(name) { return by[name].rect.getAttribute("width"); }
var says = [];
says.push("frames " + f.frames.length);
says.push("found " + f.search("serve") + " " + document.querySelector(".says").textContent);
says.push("marked " + document.querySelectorAll("g.found").length);
says.push("none " + f.search("^nothing$") + ", wrong " + f.search("("));
f.search("");
by["web`serve"].g.dispatchEvent(new MouseEvent("click"));
says.push("zoomed " + width("web`serve") + " " + by["web`main"].g.classList.contains("caller"));
document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
says.push("back " + (by["web`main"].g.classList.contains("caller") ? "no" : "yes"));
by["web`serve"].g.dispatchEvent(new MouseEvent("mouseover"));
says.push("hover " + document.querySelector(".info").textContent);
document.documentElement.setAttribute("data-says", says.join("; "));
]]></script>
</svg>
SVG
timeout 60 chromium-headless-shell --no-sandbox --disable-gpu --enable-logging=stderr --dump-dom "file://$work/asked.svg" >"$work/dom" 2>"$work/log"
grep -o 'data-says="[^"]*"' "$work/dom" >"$work/says"
cat >"$work/wanted" <<'END'
data-says="frames 4; found 1 found: 100.0 %; marked 1; none 0, wrong 0; zoomed 1200.0000 true; back yes; hover web`serve  9007199254741023 of 9007199254741035, 100.00 %; own: 9007199254740993; process"
END
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
check diff "$work/wanted" "$work/says"
no_console() { ! grep CONSOLE "$work/log"; }
check no_console
# Nothing in the file names another: addresses are those of the names of XML's languages.
no_network() { ! grep -o '\(href\|src\|url(\)[^>]*' "$work/plain.svg"; }
check no_network
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
