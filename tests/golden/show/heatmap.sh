# Histograms by time: cleared and not, with keys, rows without values between others.
row() { printf '{"type":"aggregation"%s,"key":[%s],"values":[{"name":"%s","function":"%s","buckets":[%s]}]}\n' "$1" "$2" "$3" "$4" "$5"; }
record() { printf '{"type":"record","time":%s,"data":[%s]}\n' "$1" "$2"; }
b() { printf '{"least":%s,"most":%s,"count":%s}' "$1" "$2" "$3"; }
begin='{"type":"start","version":1,"wall_offset":"1000000000000000000","command":["dtrace","-s","x.d"]}'
end='{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}'
cells() { sed -n 's,.*<title>\(.*\)</title></rect>,\1,p; s,<text class="note"[^>]*>\(.*\)</text>,note: \1,p; s,.*text-anchor="end">\(.*\)</text>,row \1,p'; }

echo "== cleared"
{
	echo "$begin"
	row ',"time":5000000000,"clause":1' '' a quantize "$(b 4 7 3),$(b 64 127 1)"
	record 5000000000 '{"action":"printa","aggregations":["a"]},{"action":"clear","aggregations":["a"]}'
	row ',"time":6000000000,"clause":1' '' a quantize "$(b 4 7 2)"
	record 6000000000 '{"action":"printa","aggregations":["a"]},{"action":"trunc","aggregations":["a"]}'
	row '' '' a quantize "$(b 0 0 1)"
	echo "$end"
} >cleared
"$DTRACE" --show=heatmap cleared 2>err | cells
cat err
echo "== not cleared"
sed 's/"clear"/"exit"/; s/"trunc"/"trunc","values":[1]/; s/"count":2/"count":5/' cleared | "$DTRACE" --show=heatmap 2>/dev/null | cells
echo "== keys, linear"
{
	echo "$begin"
	row ',"time":5000000000,"clause":1' '"x"' l lquantize "$(b 0 9 1),{\"most\":-1,\"count\":4}"
	row ',"time":5000000000,"clause":1' '"y"' l lquantize "$(b 0 9 2),$(b 30 39 1),{\"least\":100,\"count\":7}"
	row '' '' other quantize "$(b 1 1 1)"
	echo "$end"
} | "$DTRACE" --show=heatmap 2>/dev/null | cells
echo "== the document"
"$DTRACE" --show=heatmap cleared
echo "== none"
echo "$end" | "$DTRACE" --show=heatmap
echo "$end" | "$DTRACE" --show=heatmap -x show=@q
printf '{"type":"aggregation","key":[],"values":[{"name":"q","buckets":[{"least":"9223372036854775807","most":"-9223372036854775808","count":"18446744073709551615"},{"least":1,"most":1,"count":"18446744073709551615"},{"count":2},{"least":"x"},5]}]}\n%s\n' "$end" |
	"$DTRACE" --show=heatmap | cells
echo "== more printings than columns"
{
	echo "$begin"
	awk 'BEGIN { for (i = 1; i <= 2081; i++) printf "{\"type\":\"aggregation\",\"time\":\"%d000000000\",\"printing\":%d,\"key\":[],\"values\":[{\"name\":\"q\",\"function\":\"quantize\",\"buckets\":[{\"least\":1,\"most\":1,\"count\":%d},{\"least\":%d,\"most\":%d,\"count\":%d}]}]}\n", 10000000 + i, i, 10 * i, 4, 7, i % 2 ? i : i - 1 }'
	echo "$end"
} | "$DTRACE" --show=heatmap 2>&1 | cells >many
sed -n '/note\|of/!d; 1,4p' many
grep -c " of " many
tail -n 3 many
