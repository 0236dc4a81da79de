# What: a hundred hosts have the same sum, in each of five runs; a program with arguments, and a script with options.
. "$LIB"
via="env PATH=${DTRACE%/*}:$PATH H={}"
for _ in 1 2 3 4 5; do
	trace --on "$(seq -s, 1 100)" -x via="$via" -x executor=interpreter -n 'BEGIN { @ = sum(strtoll(host)); @n = count(); exit(0); }'
	same "$status$(cat err)" 0 "status"
	same "$(awk 'NF { print $1 }' out | sort -n | paste -sd' ')" "100 5050" "sum and count"
done
printf '#pragma D option quiet\nBEGIN { printf("%%d %%s\\n", $1, $$2); exit(0); }\n' >x.d
trace --on a,b -x via="$via" -s x.d 5 text
same "$status$(cat err)" 0 "arguments"
same "$(sed '/^$/d' out)" "5 text" "arguments"
