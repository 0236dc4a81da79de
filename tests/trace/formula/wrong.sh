# What: a wrong formula is reported with file, line and caret; only its probe is missing; nothing is said when its provider is not used.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe good () { on tp sched_process_exec(struct task_struct *t, ...); }
	probe unknown-member (int a) {
		on tp sched_process_exec(struct task_struct *t, ...) { a = t->no_such_member; }
	}
	probe no-argument () { on tp sched_process_exec(struct task_struct *t, ...) { b = 1; } }
	probe syntax () { on tp sched_process_exec( { } }
	probe absent () { on tp no_such_tracepoint(int a); }
	probe too-many () { on tp sched_process_exit(int a, int b, int c, int d, int e, int f, int g); }
	probe other (int a) {
		on tp no_such_tracepoint(int a);
		else note "second" on tp sched_process_exec(struct task_struct *t, ...) if !has(struct task_struct.no_such_member) { a = t->pid; }
	}
}
END
"$DTRACE" -xprovdir=providers -lP mine >out 2>err || fail "status $?"
same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "good other " "probes"
contains '"providers/mine.prov", line 4: .*no member no_such_member' err
contains '^ *| *^~* *$' err
contains '"providers/mine.prov", line 6: .*no argument b' err
contains '"providers/mine.prov", line 7: ' err
"$DTRACE" -xprovdir=providers -lvvn mine:::other >out 2>err
contains 'Note: second'
contains 'Not chosen: line 11: there is no tracepoint no_such_tracepoint'
must_trace -xprovdir=providers -n 'BEGIN { trace("quiet"); exit(0); }'
trace -xprovdir=providers -n 'mine:::good /progenyof($target)/ { @[execname] = count(); } mine:::other /progenyof($target)/ { @ids[args[0] == tid] = count(); }' -c "$TRIGGERS/lives exec 3"
contains '^ *true  *3$'
contains '^ *1  *3$'
echo 'provider syscall { }' >providers/syscall.prov
trace -xprovdir=providers -n 'mine:::unknown-member { }'
same "$status" 1 "status of a probe that is missing"
contains 'does not match any probes' err
contains 'providers/syscall.prov are left out: the provider syscall is not made by formulas' err

# A brace too many, and one that is missing: what follows is there.
cat >providers/braces.prov <<'END'
provider braces {
	probe first () { on tp sched_process_exec(struct task_struct *t, ...); }
	probe open (int a) { on tp sched_process_exec(struct task_struct *t, ...) { a = t->pid; }
	probe second () { on tp sched_process_exec(struct task_struct *t, ...); }
	probe closed (int a) { on tp sched_process_exec(struct task_struct *t, ...) { a = t->pid; } } }
	probe third () { on probe rawtp:::sched_process_exec (struct task_struct *task); }
	probe never () { on probe { rawtp:::sched_process_exec (struct task_struct *task); }
	probe fourth () { on tp sched_process_exec(struct task_struct *t, ...); }
}
END
"$DTRACE" -xprovdir=providers -lP braces >out 2>err || fail "status $?: $(cat err)"
same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "first second closed third fourth " "probes"
contains '"providers/braces.prov", line 4: "on" and an event are expected near "probe"' err
contains '"providers/braces.prov", line 5: this } is one too many: a probe follows' err
contains '"providers/braces.prov", line 7: ' err
same "$(grep -c 'braces.prov' err)" 3 "mistakes"

# Clauses in such a file: they are not compiled.
cat >providers/clause.prov <<'END'
provider clause { probe a () { on tp sched_process_exec(struct task_struct *t, ...); } }
BEGIN { trace(1); }
syscall:::entry, no:such:probe: { trace(1); }
END
"$DTRACE" -xprovdir=providers -lP clause >out 2>err || fail "status $?: $(cat err)"
same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "a " "probes"
same "$(grep -c 'providers/clause.prov' err)" 2 "clauses"
