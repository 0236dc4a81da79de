# What: a table whose keys are strings has room for the first keys of the scheduler's probes, which the kernel cannot get just then.  Needs: btf.
. "$LIB"
for run in 1 2 3; do
	must_trace -n 'sched:::wakeup /args[1]->pr_pid == $target/ { @woken["woken"] = count(); }
		sched:::enqueue,sched:::dequeue /args[1]->pr_pid == $target/ { @[probename] = count(); }' -c "$TRIGGERS/lives sleep 20"
	! grep -q 'drop' err || fail "run $run: $(cat err)"
done
