# Metrics: what was cleared is kept, as far as it was printed; labels are expressions; hostile names; too many keys.
show() { "$DTRACE" --show=openmetrics 2>&1 | grep -v dtrace_own; }
start='{"type":"start","version":1,"aggregations":[{"name":"calls","function":"count","key":["execname","args[0]->pr_pid","ustack()"]},{"name":"q","function":"quantize","key":[],"value":"arg0"}]}'
end='{"type":"exit","status":0,"records":0,"errors":2,"drops":3,"cuts":4}'
# row PRINTING KEY VALUE
row() { printf '{"type":"aggregation","printing":%s,"to":9,"key":[%s],"values":[%s]}\n' "$1" "$2" "$3"; }
key='"a \"quoted\\name\n",12,{"ustack":[{"symbol":"inner","module":"m"},{"symbol":"outer","module":"m"}]}'
calls() { printf '{"name":"calls","function":"count","from":%s,"value":%s}' "$1" "$2"; }
q() { printf '{"name":"q","function":"quantize","from":%s,"buckets":[%s]}' "$1" "$2"; }
{
	echo "$start"
	row 1 "$key" "$(calls 5 10)"
	row 2 "" "$(q 5 '{"most":-1,"count":1},{"least":4,"most":7,"count":2}')"
	row 3 "$key" "$(calls 5 15)"
	row 4 "$key" "$(calls 6 1)"
	row 5 "" "$(q 6 '{"least":64,"count":3},{"least":1,"most":1,"count":5}')"
	row 6 '"x"' '{"name":"_","function":"avg","value":-3,"count":2,"sum":-6},{"name":"1st","function":"max","value":7},{"name":"gone","function":"sum","missing":true,"value":0}'
	echo "$end"
} | show
echo "== two printings of too many keys"
{
	for printing in 1 2; do
		for i in $(seq 1003); do
			row $printing "$i" "{\"name\":\"n\",\"function\":\"sum\",\"from\":1,\"value\":$((i * printing))},{\"name\":\"m\",\"function\":\"min\",\"value\":1}"
		done
	done
	echo "$end"
} | show | grep -v 'key1="[0-9]'
echo "== names that are taken, a negative sum, a key that was removed, equal labels"
{
	row 1 "" '{"name":"own_drops","function":"count","value":1},{"name":"_","function":"count","value":2},{"name":"count","function":"count","value":3},{"name":"s","function":"sum","value":-5}'
	row 2 '"a"' '{"name":"t","function":"count","from":1,"value":100},{"name":"m","function":"max","value":9}'
	row 2 '"a"' '{"name":"m","function":"max","value":3}'
	row 3 '"a"' '{"name":"t","function":"count","from":1,"value":7}'
	echo "$end"
} | "$DTRACE" --show=openmetrics 2>/dev/null | grep -v '^#'
echo "== of a part"
{ row 1 '"a"' "$(calls 1 2)" | head -c 50; echo; row 1 5 '{"value":"x"},7'; echo "$end"; } | show
"$DTRACE" --show=openmetrics -x show=@none 2>&1 </dev/null | grep -c own
echo "== sums, raw values, removed keys in other, -x labels and -x series, old gauges"
{
	echo "$start"
	row 1 '"a",1' '{"name":"q","function":"lquantize","from":1,"sum":-7,"buckets":[{"least":0,"most":9,"count":1,"raw":2},{"least":30,"most":39,"count":1}]},{"name":"calls_total","function":"sum","from":1,"value":2,"raw":2000}'
	row 1 '"b",1' '{"name":"calls_total","function":"sum","from":1,"value":3},{"name":"m","function":"max","from":1,"value":1}'
	row 1 '"c",1' '{"name":"calls_total","function":"sum","from":1,"value":9},{"name":"m","function":"max","from":1,"value":8},{"name":"v","function":"avg","from":1,"value":9,"count":1,"sum":9}'
	row 1 '"d",1' '{"name":"calls_total","function":"sum","from":1,"value":4},{"name":"m","function":"max","from":1,"value":7},{"name":"v","function":"avg","from":1,"value":2,"count":6,"sum":12}'
	row 2 '"c",1' '{"name":"calls_total","function":"sum","from":1,"value":9},{"name":"m","function":"max","from":2,"value":7}'
	row 3 '"d",1' '{"name":"calls_total","function":"sum","from":3,"value":1},{"name":"m","function":"max","from":3,"value":2}'
	row 3 '"a",1' '{"name":"q","function":"lquantize","from":3,"sum":100,"buckets":[{"least":10,"most":19,"count":5}]}'
	printf '{"type":"drop","tag":"DTRACEDROP_PRINCIPAL","count":3,"text":"3 drops"}\n{"type":"drop","tag":"DTRACEDROP_PRINCIPAL","clause":1,"count":3,"text":"3 drops"}\n{"type":"error","fault":{}}\n'
} | "$DTRACE" --show=openmetrics -x labels=comm,number -x labels=@v=name -x series=2 2>/dev/null | grep -v '^#\|own_[rcf]'
echo "== rows of one printing with equal labels"
{
	row 1 '"a"' '{"name":"n","function":"count","from":1,"value":60}'
	row 1 '"a"' '{"name":"n","function":"count","from":1,"value":40}'
	row 2 '"a"' '{"name":"n","function":"count","from":1,"value":61}'
	row 2 '"a"' '{"name":"n","function":"count","from":1,"value":41}'
} | "$DTRACE" --show=openmetrics 2>/dev/null | grep ^dtrace_n
echo "== all buckets of lquantize(), in the order in which an engine reads them"
{
	echo '{"type":"start","version":1,"aggregations":[{"name":"l","function":"lquantize","key":[],"value":"x","parameters":{"low":-10,"high":20,"step":10}}]}'
	row 1 '' '{"name":"l","function":"lquantize","from":1,"buckets":[{"least":10,"most":19,"count":1},{"least":20,"count":2}]}'
	row 2 '' '{"name":"l","function":"lquantize","from":1,"buckets":[{"most":-11,"count":3},{"least":10,"most":19,"count":1},{"least":20,"count":2}]}'
} | "$DTRACE" --show=openmetrics 2>/dev/null | grep ^dtrace_l
echo "== base units"
{
	unit() { printf '{"name":"%s","function":"%s","key":[],"value":"x","unit":"%s"}' "$1" "$2" "$3"; }
	echo "{\"type\":\"start\",\"version\":1,\"aggregations\":[$(unit latency quantize ns),$(unit wait_seconds sum us),$(unit read sum bytes),$(unit mean avg ms),$(unit far max miles)]}"
	row 1 '' '{"name":"latency","function":"quantize","from":1,"sum":1500,"buckets":[{"least":1024,"most":2047,"count":1}]},{"name":"wait_seconds","function":"sum","value":1500000},{"name":"read","function":"sum","value":7},{"name":"mean","function":"avg","value":-2,"count":2,"sum":-5},{"name":"far","function":"max","value":3}'
} | "$DTRACE" --show=openmetrics 2>/dev/null | grep -v '^#\|own'
"$DTRACE" --show=openmetrics -x labels=a:b </dev/null 2>&1
"$DTRACE" --show=csv -x series=5 </dev/null 2>&1
"$DTRACE" --show=openmetrics -x listen=1 </dev/null 2>&1
echo "== buckets of a foreign stream, which overlap: le rises"
{
	printf '%s\n' "$start"
	row='{"type":"aggregation","printing":1,"to":9,"key":[],"values":[{"name":"q","function":"quantize","buckets":[%s]}]}\n'
	bucket() { printf '{"least":%s,"most":%s,"count":1}' "$1" "$2"; }
	printf "$row" "$(bucket 4 7),$(bucket 3 3),$(bucket 4 4),$(bucket 256 511),$(bucket 128 200),$(bucket -9 300),$(bucket 2 255),{\"least\":5,\"count\":1}"
} >overlapping
"$DTRACE" --show=openmetrics overlapping 2>/dev/null | sed -n 's/.*le="\([-0-9]*\)".*/\1/p' | sort -n -c && echo rises
echo "== averages and deviations are not truncated, and keys that are too many are added"
{
	echo '{"type":"start","version":1,"aggregations":[{"name":"ns","function":"avg","key":["k"],"value":"x","unit":"ns"}]}'
	values() { printf '{"name":"v","function":"avg","value":%s,"count":%s,"sum":%s},{"name":"d","function":"stddev","value":%s,"count":%s,"sum":%s,"squares":%s}' "$@"; }
	row 1 '"a"' "$(values 3 2 7 0 2 7 25)"
	row 1 '"b"' "$(values 1 3 5 0 3 '"9007199254740995"' '"27043212804868911912994844530009"')"
	row 1 '"c"' "$(values 0 2 1 0 2 3 5)"
	row 1 '"wide"' '{"name":"wide","function":"stddev","value":0,"count":"18446744073709551615","sum":5,"squares":"340282366920938463463374607431768211455"}'
	row 1 '"x"' '{"name":"ns","function":"avg","value":1,"normal":1000,"count":2,"sum":3001}'
	row 1 '"bad"' '{"name":"bad","function":"stddev","value":7,"count":1,"sum":5,"squares":"340282366920938463463374607431768211456"}'
} >averages
"$DTRACE" --show=openmetrics -x series=2 averages 2>&1 | grep -v '^#\|own'
"$DTRACE" --show=otlp -x series=2 averages 2>/dev/null | grep -o 'asDouble":[-.e0-9]*'
