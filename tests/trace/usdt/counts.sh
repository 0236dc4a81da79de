# What: each firing of static probes is counted once, by -c and -p, with patterns, predicates and probes of functions beside.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'trig$target::: { @[probename] = count(); } trig$target:::sites /arg1 != 2/ { @some = count(); }
	pid$target:a.out:twelve:entry { @entries = count(); }
	END { printa("%s %@d\n", @); printa("some %@d\n", @some); printa("entries %@d\n", @entries); }' -c "$TRIGGERS/statics 3000"
for name in signed unsigned constants memory symbols text-given plain floating twelve checked; do
	contains "^$name 3000\$"
done
contains '^sites 9000$'
contains '^some 6000$'
contains '^entries 3000$'
same "$(counted checked)" 3000 "rounds that saw the semaphore"

# The sum over what the target did while we traced it: a running process, in the middle.
"$TRIGGERS/statics" 1000000 200 &
target=$!
wait_for_program $target statics
must_trace -n 'trig$target:statics:twelve:twelve { @n = count(); @first = min(arg0); @last = max(arg0); }
	tick-20ms /++t == 10/ { exit(0); }
	END { printa("%@d ", @n); printa("%@d ", @first); printa("%@d\n", @last); }' -p "$target"
kill "$target"
read -r n first last <out
[ "$n" -gt 100 ] || fail "hardly any"
same "$n" "$((last - first + 1))" "firings of a running process"

# A glob for the provider; its pid written out; the name of the program.
"$TRIGGERS/statics" 1000000 1000 &
target=$!
wait_for_program $target statics
must_trace -n "tri*$target::first_sites:sites { n++; } trig$target:a.out::sites /arg1 == 3/ { m++; }
	tick-20ms /n > 10 && m > 10/ { exit(0); }" -p "$target"
kill "$target"
exit 0
