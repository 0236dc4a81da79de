# What: of two processes of one program each fires its own return probes alone, also while another dtrace traces a third one's.  Needs: uprobe.
# Executors: kernel (several processes).
. "$LIB"
cat >test.d <<'D'
pid$target:a.out:inner:entry, pid$target:a.out:inner:return
/probeprov == strjoin("pid", lltostr(pid))/
{
	@[probename] = count();
}
pid$target:a.out:inner:return
/probeprov != strjoin("pid", lltostr(pid))/
{
	@["stranger"] = count();
}
D
must_trace -s test.d -c "$TRIGGERS/calls 5" -c "$TRIGGERS/calls 7"
same "$(value_of entry) $(value_of return) $(value_of stranger)" "12 12 0" "two of one dtrace"

TRIGGER_GATE=$PWD/gate "$TRIGGERS/calls" 20 &
waits=$!
wait_for_program $waits calls
background -s test.d -n 'BEGIN { printf("begun\n"); }' -p $waits
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
"$DTRACE" -qn 'pid$target:a.out:inner:return { @ = count(); } END { printa("%@d", @); exit(0); }' -c "$TRIGGERS/calls 9" >other 2>&1
touch gate
wait "$pid"
same "$(value_of entry) $(value_of return) $(value_of stranger)" "20 20 0" "the one that waited"
same "$(cat other)" "9" "the other dtrace's"
