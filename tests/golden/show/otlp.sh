# Metrics of OpenTelemetry as a document: sums, gauges, histograms; 64-bit numbers are strings; labels are attributes; base units.
start='{"type":"start","version":1,"wall_offset":"1795231360260667244","host":"h","aggregations":[{"name":"latency","function":"quantize","key":["execname"],"value":"x","unit":"ns"},{"name":"read","function":"sum","key":["execname","pid"],"unit":"bytes"}]}'
row() { printf '{"type":"aggregation","time":%s,"printing":%s,"to":%s,"key":[%s],"values":[%s]}\n' "$1" "$1" "$1" "$2" "$3"; }
{
	echo "$start"
	row 5 '"a \"b\\c"' '{"name":"latency","function":"quantize","from":1,"sum":1500,"buckets":[{"least":1024,"most":2047,"count":1}]}'
	row 6 '"sh",7' '{"name":"read","function":"sum","from":1,"value":"9007199254740993"}'
	row 7 '"sh"' '{"name":"_","function":"avg","value":2,"count":2,"sum":5},{"name":"n","function":"sum","value":-5},{"name":"huge","function":"count","value":"18446744073709551615"}'
	echo '{"type":"drop","tag":"DTRACEDROP_PRINCIPAL","count":3,"text":"3 drops"}'
} | "$DTRACE" --show=otlp 2>/dev/null | python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin), indent=1))' | tr -d '\n' | sed 's/  */ /g; s/{ "name"/\n&/g'
echo
"$DTRACE" --show=otlp -x pushrate=1s </dev/null 2>&1
