# What: 200,000 keys: every one is read, none twice, and the sums are the target's; many new histograms at once are no drops, neither large ones nor those of each CPU. Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -x aggsize=20m -n 'pid$target::some_function:entry { @[arg0] = sum(arg0); }' -c "$TRIGGERS/calls 200000"
same "$(awk 'NF == 2 { n++; if ($1 != $2) bad++; sum += $2; if ($1 <= last) bad++; last = $1 } END { print n + 0, bad + 0, sum }' out)" \
	"$(counted some_function) 0 $(counted sum)" "keys, wrong ones, sum"
# All on one CPU, where the kernel finds no time to get memory in between.
taskset -pc "$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')" $$ >/dev/null
new_keys() { # OPTION SIZE FUNCTION
	must_trace -x "$1" -x aggsize="$2" -n "pid\$target::some_function:entry { @[arg0] = $3; } END { printa(\"%d\n\", @); trunc(@); }" \
		-c "$TRIGGERS/calls 1000"
	same "$(awk 'NF == 1 { n++; sum += $1 } END { print n, sum }' out)" "1000 $(counted sum)" "keys of $3 with $1"
}
for function in 'quantize(arg0)' 'lquantize(arg0, 0, 100)' 'llquantize(arg0, 10, 0, 6, 20)' 'lquantize(arg0, 0, 3000)' 'lquantize(arg0, 0, 20000)'; do
	new_keys aggrate=0 256m "$function"
done
for function in 'quantize(arg0)' 'lquantize(arg0, 0, 100)' 'lquantize(arg0, 0, 3000)'; do
	new_keys aggpercpu 128m "$function"
done
