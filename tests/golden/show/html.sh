# A run as a page: what was traced, tables, histograms, pictures, records, losses; what has no room is said.
data=$(dirname "$0")/stacks.json
say() { printf '%s\n' "$1"; }
page() { "$DTRACE" --show=html "$@"; }
# text - the page without its style and scripts, and without the insides of pictures
text() { sed '/^<style>/,/^<\/style>/d; /^<script>/,$d; /^<div class=picture>/,/^<\/svg>/{ /^<div\|^<text x="3" y="30"/!d; }'; }
row() { printf '{"type":"aggregation"%s,"key":[%s],"values":[%s]}\n' "$1" "$2" "$3"; }
number() { printf '{"name":"%s","function":"%s","value":%s%s}' "$1" "$2" "$3" "$4"; }
b() { printf '{"least":%s,"most":%s,"count":%s}' "$1" "$2" "$3"; }
record() { printf '{"type":"record","time":%s,"cpu":1,"pid":4,"tid":5,"thread":"a<b","probe":{"id":1,"provider":"syscall","module":"","function":"read","name":"entry"},"clause":1,"data":[%s]}\n' "$1" "$2"; }
begin='{"type":"start","version":1,"wall_offset":"1000000000000000000","host":"web<1>","kernel":"6.1.0","machine":"x86_64","cpus":8,"command":["/usr/sbin/dtrace","-s","x.d"],"programs":[{"text":"of -n"},{"file":"x.d","text":"/* <b> & */\nread:entry\n{\n\t@a[execname, arg0] = count();\n}\n"}],"aggregations":[{"name":"a","function":"count","key":["execname","arg0 < 3"]},{"name":"h","function":"quantize","key":[],"value":"timestamp - self->t","unit":"<us>"}]}'
end='{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}'

echo "== all kinds"
{
	say "$begin"
	row ',"time":5000000000,"clause":1,"printing":1' '' "{\"name\":\"h\",\"function\":\"quantize\",\"buckets\":[$(b 4 7 3),$(b 64 127 1)],\"percentiles\":[{\"percent\":50,\"value\":6},{\"percent\":99,\"at_most\":127}]}"
	record 5000000000 '{"action":"printa","aggregations":["h"]},{"action":"clear","aggregations":["h"]}'
	record 5100000000 '{"action":"printf","text":"two\n\tlines\n","values":[]},{"action":"trace","values":[7]},{"action":"trace","values":["a<b"]},{"action":"print","type":"struct p","value":{"x":3}}'
	record 5200000000 '{"action":"stack","values":[{"stack":[{"address":"0x2","symbol":"inner","file":"a.c","line":4},{"address":"0x1","symbol":"outer"}]}]},{"action":"exit","values":[0]}'
	row ',"time":6000000000,"clause":1,"printing":2' '' "{\"name\":\"h\",\"function\":\"quantize\",\"buckets\":[$(b 1 1 9)]}"
	echo '{"type":"drop","tag":"DTRACEDROP_DYNAMIC","count":3,"text":"3 dynamic variable drops"}'
	echo '{"type":"drop","tag":"DTRACEDROP_DYNAMIC","count":4,"text":"4 dynamic variable drops"}'
	echo '{"type":"drop","tag":"DTRACEDROP_DYNAMIC","count":4,"clause":1,"line":2,"text":"of clause 1"}'
	for address in 0x1 0x2; do
		echo '{"type":"error","time":5300000000,"cpu":0,"probe":{"provider":"p","module":"m","function":"f","name":"n"},"clause":2,"line":3,"fault":{"number":1,"text":"invalid address","action":1},"text":"invalid address ('$address') in action #1"}'
	done
	row '' '"web",7' "$(number a count 30)"
	row '' '"db",12' "$(number a count 10)"
	row '' '"x","y"' "$(number s sum '{"integer":"-18446744073709551"}' ',"normal":1000'),$(number v avg 4 ',"count":2,"sum":8,"cpus":[]')"
	row '' '"z"' '{"name":"s","function":"sum","missing":true,"value":0},'"$(number v avg 5)"
	row '' '"k"' "{\"name\":\"l\",\"function\":\"lquantize\",\"buckets\":[{\"most\":-1,\"count\":4},$(b 0 9 2),$(b 30 39 1),{\"least\":100,\"count\":7}]}"
	row '' '"k"' "{\"name\":\"ll\",\"function\":\"llquantize\",\"buckets\":[$(b 10 19 2),$(b 20 29 2),$(b 500 599 1)]}"
	echo '{"type":"exit","status":0,"records":3,"errors":2,"drops":7,"cuts":0}'
} >all
page all 2>err | text
cat err
echo "== stacks"
page "$data" 2>/dev/null | text
echo "== one of them"
page -x show=@n "$data" 2>/dev/null | grep '<h2>'
page -x show=none "$data"
echo "== less and less"
{ say "$begin"; say "$end"; } | page | text
say "$begin" | page 2>/dev/null | grep 'no end'
echo hello | page
echo "== no room"
awk 'BEGIN { for (i = 1; i <= 30000; i++) printf "{\"type\":\"aggregation\",\"key\":[\"key %d\"],\"values\":[{\"name\":\"a\",\"function\":\"count\",\"value\":%d}]}\n", i, i }' >rows
{ cat rows; say "$end"; } | page | grep -v '^<tr>' | text | tail -n 5
{ cat rows; say "$end"; } | page | grep '^<tr>' | sed -n '1p; $p'
awk 'BEGIN { for (i = 1; i <= 20000; i++) printf "{\"type\":\"record\",\"time\":%d000,\"data\":[{\"action\":\"printf\",\"text\":\"record %d\\n\"}]}\n", i, i }' >records
{ cat records; say "$end"; } | page | grep 'left out\|record [0-9]*$' | sed -n '1p; /left/{ x; p; x; p; n; p; }; $p; h'
awk 'BEGIN { for (i = 1; i <= 100; i++) printf "{\"type\":\"aggregation\",\"time\":%d000000000,\"key\":[],\"values\":[{\"name\":\"a\",\"function\":\"count\",\"value\":%d}]}\n", i, i }' >printings
{ cat printings; say "$end"; } | page | sed '/^<style>/,/^<\/style>/d' | grep 'printings\|summary\|earlier' | sed -n '1,4p; $p'
awk 'BEGIN { for (i = 1; i <= 300; i++) printf "{\"type\":\"aggregation\",\"key\":[],\"values\":[{\"name\":\"a%d\",\"function\":\"quantize\",\"buckets\":[{\"least\":1,\"count\":1}]}]}\n", i }' >tables
{ cat tables; sed 's/"key"/"time":1,&/' tables; say "$end"; } | page | grep 'left out' | sort | uniq -c
