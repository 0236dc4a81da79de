# What: a process waits until thousands of functions of a library just loaded have their probes; killed, dtrace holds it a second more. Needs: uprobe_multi two-cpus cc.
. "$LIB"
awk 'BEGIN {
	for (i = 0; i < 10000; i++)
		printf("int big_%d(int x) { return x + 1; }\n", i)
	print "int loaded_f(int x) { return big_0(x) + big_9999(x); }"
	print "__attribute__((constructor)) static void first(void) { loaded_f(0); }"
}' >big.c
gcc -O0 -shared -fPIC -o libbig.so big.c || fail "cannot compile"
must_trace -Z -n 'pid$target:libbig::entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c "$TRIGGERS/loads ./libbig.so"
same "$(grep -E '^(big_|loaded_f|first)' out | sort | tr '\n' ' ')" "big_0 101 big_9999 101 first 1 loaded_f 101 " "calls from the first on"

# On one CPU with the process dtrace needs much longer.
cat >tell.sh <<'S'
echo $$ >pid
exec "$TRIGGERS/loads" ./libbig.so
S
taskset -c 0 "$DTRACE" -x childkeep -Zqn 'BEGIN { printf("begun\n"); } pid$target:libbig*::entry { @[probefunc] = count(); }' -c 'sh tell.sh' >out 2>err &
pid=$!
loads_now() { grep -qs libbig "/proc/$(cat pid 2>/dev/null)/maps"; }
until_true 10 loads_now || fail "never loaded"
kill -9 "$pid"
killed=$(date +%s)
wait "$pid" 2>/dev/null
until_true 3 gone "$(cat pid)" && [ $(($(date +%s) - killed)) -le 6 ] || fail "the process waits on"
