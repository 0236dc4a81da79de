# What: queues, ticks and requests to give way concern the thread in args[], on a CPU that exists.  Needs: btf.
. "$LIB"
# By functions, also what puts a thread into another queue is seen, from other CPUs, too; a thread that is woken before it has
# slept enters none.
"$DTRACE" -lvvn sched:::enqueue >out 2>err || fail "$(cat err)"
by_functions=$(grep -c 'Events: function' out)
trace_often -n 'sched:::enqueue /args[1]->pr_pid == $target/ { @["enqueue"] = count(); @bad["bad"] = sum(args[2]->cpu_id >= $2 || args[0]->pr_lwpid != $target); }
	sched:::dequeue /args[1]->pr_pid == $target/ { @["dequeue"] = count(); @bad["bad"] = sum($1 ? args[2]->cpu_id >= $2 : args[2]->cpu_id != cpu || pid != $target); }
	rawtp:::sched_wakeup,rawtp:::sched_wakeup_new /((struct task_struct *)arg0)->tgid == $target/ { @["wakeups"] = count(); }
	sched:::sleep /pid == $target/ { @["sleep"] = count(); }
	sched:::tick /pid == $target/ { @["tick"] = count(); @bad["bad"] = sum(args[1]->pr_pid != $target); }
	sched:::surrender /args[1]->pr_pid == $target/ { @["surrender"] = count(); }
	END { printa(@bad); }' -c "$TRIGGERS/lives sleep 40 spin 300 yield 20" "$by_functions" "$(nproc --all)"
[ "$by_functions" = 1 ] || same "$(value_of enqueue)" "$(value_of wakeups)" "arrivals in a queue"
[ "$(value_of enqueue)" -ge 30 ] || fail "only $(value_of enqueue) arrivals in a queue"
[ "$(value_of dequeue)" -ge 40 ] || fail "only $(value_of dequeue) departures from a queue"
[ "$by_functions" = 1 ] || [ "$(value_of dequeue)" -le "$(value_of sleep)" ] || fail "$(value_of dequeue) departures, $(value_of sleep) sleeps"
[ "$(value_of tick)" -ge 10 ] || fail "only $(value_of tick) ticks in 300 ms"
[ "$(value_of surrender)" -ge 1 ] || fail "never asked to give way"
"$DTRACE" -lvvn sched:::surrender >list 2>err || fail "$(cat err)"
grep -q 'syscall sched_yield' list && same "$(value_of surrender)" 20 "calls of sched_yield"
same "$(value_of bad)" 0 "wrong arguments"
