# What: five fields of each of 20,000 firings arrive whole and in order with the default buffer.
. "$LIB"
must_trace -n 'syscall::getpgid:entry { printf("%d %d %d %s %d\n", n++, tid, arg0, execname, cpu); }
	syscall::getppid:entry /pid == $target/ { printf("%d %d %s %s %d\n", i++, tid, probefunc, execname, cpu); }' \
	-c "$TRIGGERS/burst 20000"
awk '$3 == "getppid" { if ($1 != n++ || $4 != "burst") wrong++ } END { if (wrong) print wrong, "wrong"; print n }' out >result
same "$(cat result)" "$(counted getppid)" records
