# Lines that nobody should write: damaged, cut off, of a later version, deep, with members of other kinds, with text that wants to act.
show() { "$DTRACE" --show="$1" 2>&1; }
row() { printf '{"type":"aggregation","key":[%s],"values":[{"name":"a","function":"count","value":%s}]}\n' "$1" "${2:-1}"; }
stack() { printf '{"stack":[{"symbol":"%s"}]}' "$1"; }
ends='{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}'

echo "== not a stream"
show folded </dev/null
printf 'hello\n\n[]\n{"type":1}\n{"type":"exit"} x\n' | show folded
echo "== cut off"
{ row "$(stack f)"; row "$(stack g)" | head -c 60; } | show folded
echo "== a later version"
{ echo '{"type":"start","version":2}'; echo '{"type":"novel","x":[{}]}'; row "$(stack f)"; echo "$ends"; } | show folded
echo "== other kinds"
for key in '{"stack":1}' '{"stack":[1,null,"x",[],{"symbol":{"bytes":"66"}},{"module":7}]}' '{"ustack":{}}' '{"ustack":[{"inlined":5,"interpreted":[1]}],"pid":"x"}' 'null, {"stack":[]}'; do
	{ row "$key"; echo "$ends"; } | show folded
done
for value in '"x"' '1.5' '{}' 'null' '-1' '{"integer":"18446744073709551615"}' '18446744073709551616' '[1]'; do
	{ row "$(stack f)" "$value"; echo "$ends"; } | show folded
done
{ row "$(stack f)" '"18446744073709551615"'; row "$(stack f)"; echo "$ends"; } | show folded
echo '{"type":"aggregation"}
{"type":"aggregation","key":[{"stack":[]}]}
{"type":"aggregation","key":[{"stack":[]}],"values":[1,{}]}
{"type":"record","data":{}}
{"type":"exit","drops":"many"}' | show folded
echo "== text"
name='<script>alert(1)</script>&quot;\"]]>\u0000\u001b[31m\u0085\ufffe\ud800 é'
{ row "$(stack "$name")"; echo "$ends"; } | show folded
{ row "$(stack "$name")"; echo "$ends"; } | show flamegraph | sed '/CDATA/,$d' | grep alert
printf '{"type":"aggregation","key":[{"stack":[{"symbol":"\377"}]}],"values":[]}\n' | show folded
long=$(head -c 65536 /dev/zero | tr '\0' x)
{ row "$(stack "$long")"; echo "$ends"; } | show folded | wc -c
{ row "$(stack "$long")"; echo "$ends"; } | show flamegraph | grep -c 'xx\.\.</text>'
echo "== a page"
{
	printf '{"type":"start","version":1,"wall_offset":"x","host":"%s","kernel":["%s"],"machine":7,"cpus":{},"command":["%s",{}],"programs":[{"file":"%s","text":"%s"},5],"aggregations":[{"name":"a","key":["%s"],"value":"%s"},[]]}\n' "$name" "$name" "$name" "$name" "$name" "$name" "$name"
	row "\"$name\",$(stack "$name"),{\"text\":\"$name\",\"bytes\":\"ff\"},[1],null,{}"
	printf '{"type":"aggregation","time":[],"key":["%s"],"values":[{"name":"%s","function":"%s","normal":"%s","value":1}]}\n' "$name" "$name" "$name" "$name"
	printf '{"type":"aggregation","printing":-1,"key":{},"values":[{"name":"q","function":"quantize","buckets":[{"least":"%s","most":4,"count":3},{"least":9,"most":2,"count":"18446744073709551615"},{"count":1},7],"percentiles":[{"percent":"%s","value":"%s"},5]},{"name":"%s","buckets":{}}]}\n' "$name" "$name" "$name" "$name"
	printf '{"type":"record","time":"y","cpu":-1,"probe":{"provider":"%s","name":7},"data":[{"action":"printf","text":"%s"},{"action":"trace","values":["%s",{"stack":[{"symbol":"%s","file":"%s","line":"%s"}]}]},{"action":"print","type":"%s","value":{"%s":["%s"]}},8]}\n' "$name" "$name" "$name" "$name" "$name" "$name" "$name" "$name" "$name"
	printf '{"type":"drop","tag":"%s","count":1,"text":"%s"}\n{"type":"error","text":"%s","probe":"%s","fault":[]}\n' "$name" "$name" "$name" "$name"
	echo "$ends"
} >acts
show html <acts | sed '/^<style>/,/^<\/style>/d; /^<script>/,$d' >page
grep -o 'alert(1)' page | wc -l
grep -i '<script\|""' page
grep '<title>\|^<li>\|^<pre\|^<h2>\|^<tr>' page | sed -n '1p; 3,4p; /h2/p; $p'
row "\"$long\",{\"stack\":[{\"symbol\":\"$long\"}]}" | show html | wc -c | awk '{ print ($1 < 300000 ? "small" : "large") }'
echo "== a profile"
show pprof <acts | python3 "$(dirname "$0")/profile.py"
row "$(stack "$long"),{\"ustack\":[{\"address\":\"0xffffffffffffffff\",\"file_offset\":\"18446744073709551615\",\"line\":-1,\"found\":\"x\",\"file\":{},\"inlined\":[7,{}]},{\"address\":\"0x1\",\"file_offset\":2}]}" 3 | "$DTRACE" --show=pprof 2>/dev/null | python3 "$(dirname "$0")/profile.py" | cut -c 1-60
echo "== a table"
show csv <acts | tr -d '\r' | head -n 2
grep -v aggregation acts | show csv | tr -d '\r' | tail -n 3
row "\"$long\",{\"stack\":[{\"symbol\":\"$long\"}]}" | show csv | wc -c
echo "== a timeline"
{
	echo '{"type":"record","time":5,"pid":1,"tid":"x","probe":7,"data":[1]}'
	echo '{"type":"record","time":6,"pid":1,"tid":1,"thread":"\u0000<script>","probe":{"id":1,"provider":5,"name":"entry"},"clause":9,"data":[{"action":"trace","values":[{"bytes":5},null,1e300]}]}'
	echo '{"type":"record","time":4,"pid":1,"tid":1,"thread":5,"probe":{"id":1,"name":"return"},"data":[]}'
	echo '{"type":"record","time":8,"pid":1,"tid":1,"probe":{"id":2,"function":"never","name":"return"},"data":{}}'
	echo '{"type":"aggregation","time":9,"key":["a"],"values":[{"name":"a","value":-1},{"name":"b","value":"x"},3]}'
	echo "$ends"
} | show timeline | tr -c 'a-z:<>=[]@\n' ' ' | tr -s ' '
echo "== deep"
awk 'BEGIN { printf "{\"type\":\"aggregation\",\"key\":[{\"stack\":["; for (i = 0; i < 100000; i++) printf "%s{\"symbol\":\"f\"}", i ? "," : ""; print "]}],\"values\":[{\"name\":\"a\",\"value\":1}]}" }' >deep
for form in folded flamegraph speedscope html csv pprof timeline; do
	{ cat deep; echo "$ends"; } | "$DTRACE" --show=$form 2>&1 >/dev/null
done
awk 'BEGIN { printf "{\"type\":\"x\",\"a\":"; for (i = 0; i < 100000; i++) printf "["; print "" }' | show folded
