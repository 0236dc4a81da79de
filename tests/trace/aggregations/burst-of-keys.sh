# What: thousands of new keys in one firing of a timer, of aggregations and of arrays: none is lost.
. "$LIB"
{
	awk 'BEGIN { for (i = 1; i <= 1500; i++) { print "tick-100ms { @[" i "] = count(); }"; print "tick-100ms { a[" i ", \"x\"] = " i "; }" } }'
	awk 'BEGIN { for (i = 1; i <= 20; i++) print "tick-100ms { @q[" i "] = quantize(" i "); }" }'
	awk 'BEGIN { for (i = 1; i <= 1500; i += 50) print "tick-100ms { found += a[" i ", \"x\"] == " i "; }" }'
	printf '%s\n' 'tick-100ms { exit(0); }' 'END { printf("found %d\n", found); printa("key %d %@d\n", @); printa("quantize %d\n", @q); }'
} >keys.d
must_trace -s keys.d
same "$(grep -c '^key [0-9]* 1$' out)" 1500 "keys"
same "$(grep -c '^quantize ' out)" 20 "keys of quantize()"
same "$(value_of found)" 30 "elements"
