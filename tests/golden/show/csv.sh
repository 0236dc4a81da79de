# Rows and records as tables: keys, values, histograms, several runs; what does not fit is said; no cell is a formula.
csv() { "$DTRACE" --show=csv "$@"; }
say() { printf '%s\n' "$1"; }
row() { printf '{"type":"aggregation"%s,"key":[%s],"values":[%s]}\n' "$1" "$2" "$3"; }
number() { printf '{"name":"%s","function":"%s","from":500000000,"value":%s%s}' "$1" "$2" "$3" "$4"; }
record() { printf '{"type":"record","time":%s,"cpu":1,"pid":12,"tid":13,"thread":"%s","probe":{"id":1,"provider":"syscall","module":"","function":"read","name":"entry"},"clause":2,"data":[%s]}\n' "$1" "$2" "$3"; }
begin='{"type":"start","version":1,"wall_offset":"1000000000000000000","command":["dtrace"]}'
end='{"type":"exit","status":0,"records":0,"errors":0,"drops":0,"cuts":0}'
{
	say "$begin"
	record 1000000000 '-bash' '{"action":"printf","text":"a, \"b\"\n","values":["a","b"]},{"action":"printa","aggregations":["a"]}'
	record 1000000001 'web' '{"action":"trace","values":[{"integer":"18446744073709551615"}]},{"action":"trace","values":["007"]},{"action":"ustack","values":[{"ustack":[{"symbol":"in;ner"},{"symbol":"outer","module":"web"}],"pid":12}]},{"action":"print","type":"struct p","value":{"x":3}}'
	record 1000000002 'web' '{"action":"exit","values":[0]}'
	row ',"time":1500000000,"printing":1,"to":1500000000' '"web",{"stack":[{"symbol":"inner"},{"symbol":"outer"}]}' "$(number a sum 30 ',"normal":10')"
	row ',"time":2500000123,"printing":2,"to":2500000123' '"d b",{"stack":[]}' "$(number a sum '"-9007199254740993"')"
	row ',"to":3000000000' '"web"' "$(number v avg 4 ',"count":2,"sum":"9007199254740993","cpus":[]'),$(number s stddev 1 ',"count":2,"sum":8')"
	row ',"to":3000000000' '"no v"' '{"name":"v","function":"avg","missing":true,"value":0},'"$(number s stddev 7 ',"count":1,"sum":7')"
	row ',"to":3000000000' '' '{"name":"q","function":"quantize","buckets":[{"most":-1,"count":2},{"least":0,"most":0,"count":1},{"least":64,"count":"18446744073709551615"}],"percentiles":[]}'
	say "$end"
} >run
for name in '' @a @v @q records none; do
	echo "== ${name:-what fits}"
	csv ${name:+-x "show=$name"} run 2>&1 | tr -d '\r'
done
echo "== read by a program"
csv -x show=records run 2>/dev/null | python3 -c 'import csv, sys; print(*csv.reader(sys.stdin), sep="\n")'
csv run 2>/dev/null | od -c | sed -n '1,2p'
echo "== records alone"
grep -v '"aggregation"' run | csv 2>&1 | tr -d '\r' | cut -d, -f 1-6
echo "== two runs"
cat run run | csv 2>&1 | tr -d '\r'
echo "== formulas"
for text in '=1+1' '+1' '-1' '@x' '\t=1' '=\"' 'a=1'; do row '' "\"$text\"" "$(number a count 1)"; done | csv 2>/dev/null | tr -d '\r'
echo "== nothing"
say "$end" | csv
{ row '' '1' "$(number a count 1)"; row '' '1,2' "$(number a count 2)"; row '' '1' "$(number a avg 2)"; row '' '1' '{}'; row '' '1' ''; say "$end"; } | csv 2>&1 | tr -d '\r'
