#!/bin/sh
# pictures.sh - a browser opens the flame graph and the page: no error, no network; zoom, search and sorting work in them
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
browse() { timeout 60 chromium-headless-shell --no-sandbox --disable-gpu --enable-logging=stderr --dump-dom "file://$1" >"$work/dom" 2>>"$work/log"; }
browse "$work/asked.svg"
grep -o 'data-says="[^"]*"' "$work/dom" >"$work/says"
cat >"$work/wanted" <<'END'
data-says="frames 4; found 1 found: 100.0 %; marked 1; none 0, wrong 0; zoomed 1200.0000 true; back yes; hover web`serve  9007199254741023 of 9007199254741035, 100.00 %; own: 9007199254740993; process"
END
passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }
check diff "$work/wanted" "$work/says"

# The page: its tables, bars and pictures; a click sorts.  Foreign text is text.
{
	sed '$d' "$root/tests/golden/show/stacks.json"
	printf '{"type":"aggregation","time":%s,"key":[],"values":[{"name":"q","function":"quantize","buckets":[{"least":4,"most":7,"count":%s},{"least":8,"most":15,"count":1}]}]}\n' 1000000000 3 2000000000 9
	printf '{"type":"aggregation","key":["%s"],"values":[{"name":"c","function":"count","value":%s}]}\n' b 9 a 10 '<img src=x onerror=document.title=1>' 1
	printf '{"type":"record","time":5,"cpu":1,"data":[{"action":"printf","text":"<script>document.title=2</script>\\n"}]}\n'
	tail -n 1 "$root/tests/golden/show/stacks.json"
} >"$work/run"
"$DTRACE" --show=html -o "$work/plain.html" "$work/run" 2>/dev/null
cp "$work/plain.html" "$work/asked.html"
cat >>"$work/asked.html" <<'HTML'
<script>
var says = [], h2 = document.querySelectorAll("h2");
function all(what) { return Array.prototype.slice.call(document.querySelectorAll(what)); }
function section(title) { return all("section").filter(function (s) { return s.querySelector("h2").textContent === title; })[0]; }
function column(table, i) { return all("#" + table.id + " tbody tr").map(function (r) { return r.cells[i].textContent.trim().slice(0, 4); }).join(","); }
var counts = section("@c = count()"), heads = counts.querySelectorAll("th");
says.push("sections " + h2.length + ", links " + all("nav a").length);
says.push("pictures " + window.flamegraphs.length + " " + all("svg.heatmap").length);
says.push("rows " + column(counts, 0) + " " + column(counts, 1));
heads[0].click();
says.push("by key " + column(counts, 0));
heads[1].click();
says.push("by count " + column(counts, 1));
heads[1].click();
says.push("back " + column(counts, 1));
var bars = Array.prototype.map.call(section("@q = quantize()").querySelector(".bars").querySelectorAll("i"), function (i) { return i.getBoundingClientRect().width; });
says.push("bars " + (bars[0] / bars[1]).toFixed(1));
says.push("box " + window.flamegraphs[0].frames[1].rect.getAttribute("width"));
window.flamegraphs[0].frames[1].g.dispatchEvent(new MouseEvent("click"));
says.push("zoomed " + window.flamegraphs[0].frames[1].rect.getAttribute("width") + " of " + window.flamegraphs[1].frames[1].rect.getAttribute("width"));
says.push("title " + document.title.slice(0, 6) + ", images " + all("img").length);
says.push("fits " + (document.documentElement.scrollWidth <= document.documentElement.clientWidth));
document.documentElement.setAttribute("data-says", says.join("; "));
</script>
HTML
browse "$work/asked.html"
grep -o 'data-says="[^"]*"' "$work/dom" >"$work/says"
cat >"$work/wanted" <<'END'
data-says="sections 6, links 6; pictures 3 1; rows a,b,&lt;img 10,9,1; by key &lt;img,a,b; by count 10,9,1; back 1,9,10; bars 9.0; box 1200.0000; zoomed 1200.0000 of 1200.0000; title dtrace, images 0; fits true"
END
check diff "$work/wanted" "$work/says"
no_console() { ! grep CONSOLE "$work/log"; }
check no_console
# Nothing in the files names another: addresses are those of the names of XML's languages, links those of sections.
no_network() { ! grep -o '\(href\|src\|url(\)[^>]*' "$work/plain.svg" && ! grep -v '<img src=x\|&lt;img src=x' "$work/plain.html" | grep -o '\(href=[^#]\|src=\|url(\)[^>]*'; }
check no_network
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
