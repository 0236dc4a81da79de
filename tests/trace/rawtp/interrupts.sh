# What: of two tracepoints one fires in an interrupt of the other's program, and none is missed. Needs: btf x86_64
. "$LIB"
# raise() sends its signal by an interrupt on the same CPU, irq_work: at once, while its program still runs.
must_trace -wn 'rawtp:::sched_process_fork /pid == $target/ { raise(18); }
	rawtp:::sched_process_fork, rawtp:::irq_work_entry /pid == $target/ { @[probename] = count(); }' \
	-c "$TRIGGERS/lives exit 50 threads 30"
contains '^ *sched_process_fork  *80$'
grep -q irq_work_entry out || skip "no interrupt for a signal"
[ "$(value_of irq_work_entry)" -ge 80 ] || fail "$(value_of irq_work_entry) interrupts"
