# What: in descriptions $target means the processes of all -c and -p, elsewhere the first one.  Needs: uprobe.  Executors: kernel (several processes).
. "$LIB"
must_trace -n 'pid$target::some_function:entry { @all[pid] = count(); } pid$targets::some_function:entry { @same[pid] = count(); }
	pid$target::some_function:entry /pid == $target/ { @first = count(); }
	END { printa("all %@u\n", @all); printa("same %@u\n", @same); printa("first %@u\n", @first); }' \
	-c "$TRIGGERS/calls 10" -c "$TRIGGERS/calls 20"
same "$(grep all out | sort -n -k 2 | tr '\n' ' ')" "all 10 all 20 " "both"
same "$(grep same out | sort -n -k 2 | tr '\n' ' ')" "same 10 same 20 " "the older name"
contains '^first 10$'

# Those that have such a function are traced; one must have it.
for order in "-c $TRIGGERS/calls -c true" "-c true -c $TRIGGERS/calls"; do
	set -- $order
	must_trace -n 'pid$target::some_function:entry { @ = count(); } END { printa("some %@u\n", @); }' "$@"
	contains '^some [0-9]'
done
# Both load their libraries at the same time: neither waits longer than its probes need (it was 1 s, one run in three).
for i in 1 2 3 4 5 6 7 8 9 10; do
	must_trace -n 'pid$target::some_function:entry { @ = count(); }' -c "$TRIGGERS/calls" -c true
done
trace -n 'pid$target::some_function:entry' -c true -c true
same "$status" 1 "status when none has such a function"

# What one of them loads later is traced.
echo '__attribute__((noinline)) int loaded_f(int x) { return x + 1; }' > library.c
gcc -O1 -shared -fPIC -o libone.so library.c || fail "cannot compile"
must_trace -n 'pid$target::loaded_f:entry,pid$target::load:entry { @[probefunc] = count(); } END { printa("%s %@u\n", @); }' \
	-Z -c true -c "$TRIGGERS/loads ./libone.so"
contains '^loaded_f 100$'
contains '^load 1$'

trace -n 'pid$target::some_function:entry'
same "$status" 1 "status without processes"
contains '\$target is set by -c COMMAND or -p PID' err
