# What: records of tracepoints by the names of their fields, perf events, timers and other probes as events of a formula.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe fork (int child, string parent) {
		on record sched:sched_process_fork (int child_pid, string parent_comm) {
			child = child_pid;
			parent = parent_comm;
		}
	}
	probe switch (int of_kernel) { on perf sw context_switches (uint64_t kernel, uint64_t user) { of_kernel = kernel != 0; } }
	probe beat (int any) { on perf timer 2 ms (uint64_t kernel, uint64_t user, long late) { any = kernel || user; } }
	probe run (int same) { on probe rawtp:::sched_process_exec (struct task_struct *task) { same = task == curthread; } }
	probe nap (long flags) { on probe syscall::clock_nanosleep:entry (long clock, long flags) { flags = flags; } }
	probe counted () { on perf sw page_faults-user-2; }
	probe rate () { on perf timer 97; }
	probe other () { on probe profile:::profile-97; }
	probe tick (int any) { on probe profile:::tick-100ms (kernel, user) { any = kernel || user; } }
	probe reads () { on probe syscall::[p]read64:entry (); }
	probe bad1 () { on record sched:sched_process_fork (int no_such_field); }
	probe bad2 () { on record sched:no_such_event (); }
	probe bad3 () { on perf sw cycles; }
	probe bad4 () { on perf sw no_such_counter; }
	probe bad6 () { on probe no_such_provider:::x; }
}
END
must_trace -xprovdir=providers -n 'mine:::fork /progenyof($target)/ { @["fork", args[0] > 1 && args[0] != pid, args[1] == execname] = count(); }
	sched:::off-cpu /progenyof($target)/ { @["off", 0, 0] = count(); }
	mine:::switch /progenyof($target)/ { @["switch", args[0], arg0 == arg1] = count(); }
	mine:::beat { @["beat", 0, 0] = count(); }
	mine:::run /progenyof($target)/ { @["run", args[0], 0] = count(); }
	mine:::nap /progenyof($target)/ { @["nap", args[0], 0] = count(); }' -c "$TRIGGERS/lives exit 5 exec 2 sleep 40"
contains '^ *fork  *1  *1  *[7-9]$'
contains '^ *run  *1  *0  *2$'
contains '^ *nap  *[01]  *0  *40$'
[ "$(value_of beat)" -ge 5 ] || fail "hardly a timer"
same "$(value_of switch)" "$(value_of off)" "context switches"
must_trace -xprovdir=providers -n 'mine:::tick /++ticks == 3/ { trace("ticks"); exit(0); }'
contains 'ticks$'
"$DTRACE" -xprovdir=providers -lvvn 'mine:::' >out 2>err || fail "$(cat err)"
contains 'Events: record sched:sched_process_fork'
contains 'Events: perf sw context_switches'
contains 'Events: timer of 2 ms'
contains 'Events: perf sw page_faults-user-2'
contains 'Events: timer of 97 Hz'
contains 'Events: probe profile:::profile-97'
contains 'Events: syscall pread64 entry$'
contains 'Not on this kernel: providers/mine.prov line .*: the record sched:sched_process_fork has no field no_such_field'
contains 'Not on this kernel: providers/mine.prov line .*: tracefs has no event sched:no_such_event'
contains 'Not on this kernel: providers/mine.prov line .*: cycles is not EVENT or EVENT-MODE-COUNT'
contains 'Not on this kernel: providers/mine.prov line .*: no_such_counter is not EVENT'
contains 'Not on this kernel: providers/mine.prov line .*: there is no probe no_such_provider:::x'
