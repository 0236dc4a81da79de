# What: a process waits until thousands of functions of a library just loaded have their probes; killed, dtrace holds it a second more.  Executors: kernel process.  Needs: uprobe_multi two-cpus cc.
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

# On one CPU with the process dtrace needs much longer: killed there, before it has begun or at work.
mkfifo go
cat >tell.sh <<'S'
echo $$ >pid
exec "$TRIGGERS/loads" wait ./libbig.so <go
S
# It sleeps only when it reads: dtrace has answered all that came before.
reads() { grep -qs '(loads) S' "/proc/$(cat pid)/stat"; }
loads_now() { grep -qs libbig "/proc/$(cat pid)/maps"; }
for pause in 0 0.05 0.2; do
	rm -f pid
	: >out
	taskset -c 0 "$DTRACE" -x childkeep -Zqn 'BEGIN { printf("begun\n"); } pid$target:libbig*::entry { @[probefunc] = count(); }' -c 'sh tell.sh' >out 2>err &
	pid=$!
	exec 8>go
	until_true 10 test -s pid && until_true 10 reads || fail "the process does not wait for us"
	until_true 10 grep -q begun out || fail "tracing has not begun"
	kill -STOP "$pid" # it cannot let the process go before we see that it waits
	echo >&8
	until_true 10 loads_now || fail "never loaded"
	kill -CONT "$pid"
	sleep "$pause"
	kill -9 "$pid"
	killed=$(date +%s)
	wait "$pid" 2>/dev/null
	# Far less than the minute that it waits at most while dtrace is at work.
	until_true 3 gone "$(cat pid)" && [ $(($(date +%s) - killed)) -le 20 ] || fail "the process waits on"
done
exit 0
