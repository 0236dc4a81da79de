# What: clear() every 10 ms while two threads count: the sum of the intervals is the number of firings. Needs: uprobe two-cpus.
# Executors: kernel process.
. "$LIB"
steps=200000
[ "$EXECUTOR" = process ] && steps=20000000
for key in '' '["k"]'; do
	must_trace -n 'pid$target::step:entry { @n'"$key"' = count(); @h'"$key"' = quantize(arg0 + 1); }
		tick-10ms { printa("n %@d\n", @n); clear(@n); printa("h%@d", @h); clear(@h); }
		END { printa("n %@d\n", @n); printa("h%@d", @h); }' -c "$TRIGGERS/threads 2 $steps"
	n=$(counted steps)
	same "$(awk '$1 == "n" { n += $2 } END { print n }' out)" "$n" "counts @n$key"
	same "$(awk '/\|/ { n += $NF } END { print n }' out)" "$n" "in histograms @h$key"
	[ "$(grep -c '^n ' out)" -gt 3 ] || fail "not cleared under way"
	rm counts
done
