# What: kill -9 lets return probes of several files go at once, even under a function that never returns.  Needs: uprobe_multi.  Executors: kernel process.
. "$LIB"
background -o log -n 'pid$target:a.out::return, pid$target:libc.so.6::return { @ = count(); }
	BEGIN { printf("%d\n", $target); } tick-100ms { printf("fired\n"); }' -c "$TRIGGERS/calls 1000000 100"
until_true 20 grep -qs fired log || fail "never started"
target=$(head -n 1 log)
(sleep 30; kill -9 "$target") 2>/dev/null & # else the machine's uprobes stay locked
guard=$!
kill -9 "$pid"
SECONDS_BEFORE=$(date +%s)
wait "$pid" 2>/dev/null
took=$(($(date +%s) - SECONDS_BEFORE))
kill "$guard" 2>/dev/null
kill -9 "$target" 2>/dev/null
[ "$took" -lt 25 ] || fail "it took $took s to die"
