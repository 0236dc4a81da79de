# What: every function over the same 4321 numbers, compared with the test's arithmetic; percentiles are in their bucket. Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -x aggpercentiles=0,50,99,100 -n 'pid$target::some_function:entry
{
	@n["count"] = count(); @s["sum"] = sum(-(long)arg0); @a["avg"] = avg(arg0); @l["min"] = min(-(long)arg0);
	@m["max"] = max(arg0); @d["stddev"] = stddev(arg0); @q = quantize(arg0); @i = lquantize(arg0, 1000, 4000, 1000);
	@k = llquantize(arg0, 10, 1, 2, 10); @w = quantize(1, (int)arg0);
}' -c "$TRIGGERS/calls 4321"
awk 'BEGIN {
	n = 4321
	for (i = 1; i <= n; i++) { s += i; squares += i * i }
	print "count", n; print "sum", -s; print "avg", int(s / n); print "min", -n; print "max", n
	print "stddev", int(sqrt(int(squares / n) - int(s / n) ^ 2))
}' >wanted
while read -r name number; do
	same "$(value_of "$name")" "$number" "$name"
done <wanted
# "label count" of the rows of the N-th histogram that are not empty
rows() {
	awk -v n="$1" '/value  ---/ { h++ } h == n && /\|/ && $NF { sub(/\|.*/, "", $0); print }' out |
		tr -d ' ' | tr '\n' ' '
}
counts() {
	awk -v n="$1" '/value  ---/ { h++ } h == n && /\|/ && $NF { print $NF }' out | tr '\n' ' '
}
percentiles() {
	awk -v n="$1" '/value  ---/ { h++ } h == n && $1 ~ /^p[0-9]/ { print $2 $3 }' out | tr '\n' ' '
}
same "$(rows 1)" "1 2 4 8 16 32 64 128 256 512 1024 2048 4096 " "labels of quantize"
same "$(counts 1)" "1 2 4 8 16 32 64 128 256 512 1024 2048 226 " "counts of quantize"
same "$(percentiles 1)" "1 2161 <=8191 <=8191 " "percentiles of quantize"
same "$(rows 2)" "<1000 1000 2000 3000 >=4000 " "labels of lquantize"
same "$(counts 2)" "999 1000 1000 1000 322 " "counts of lquantize"
same "$(percentiles 2)" "<=999 2161 >=4000 >=4000 " "percentiles of lquantize"
same "$(rows 3)" "<10 10 20 30 40 50 60 70 80 90 100 200 300 400 500 600 700 800 900 >=1000 " "labels of llquantize"
same "$(counts 3)" "9 10 10 10 10 10 10 10 10 10 100 100 100 100 100 100 100 100 100 3322 " "counts of llquantize"
same "$(counts 4)" "$(counted sum) " "weights"
