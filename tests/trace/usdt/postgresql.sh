# What: PostgreSQL's probes: the queries' text, a latency from query-start to query-done, semaphores that guard them.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
postgresql_connect

background -n 'BEGIN { printf("begun\n"); }
	postgresql$target:::query-start { self->text = copyinstr(arg0); self->begin = timestamp; @started = count(); }
	postgresql$target:::query-done /self->begin/ { @done = count(); @ns = quantize(timestamp - self->begin);
		printf("%s: %d\n", copyinstr(arg0), copyinstr(args[0]) == self->text); self->begin = 0; }
	postgresql$target:::query-parse-start, postgresql$target:::query-execute-done { @[probename] = count(); }
	END { printa("started %@d\n", @started); printa("done %@d\n", @done); printa("%s %@d\n", @); printa("latency%@d\n", @ns); }' -p "$backend"
until_true 20 grep -qs begun out || fail "never began"
for i in $(seq 500); do echo "select $i;"; done >&3
until_true 20 grep -qs '^500$' answers || fail "no answers"
kill -INT "$pid"
wait "$pid" || fail "status"
contains '^select 1;: 1$'
contains '^select 500;: 1$'
for line in 'started 500' 'done 500' 'query-parse-start 500' 'query-execute-done 500'; do
	contains "^$line\$"
done
contains '^ *value .* Distribution '
[ "$("$DTRACE" -ln 'postgresql$target:::query-*' -p "$backend" | grep -c " query-")" -ge 10 ] || fail "hardly any probes are listed"
exec 3>&-
wait
exit 0
