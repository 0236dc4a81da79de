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
	probe begins (long task) { on tp sched_process_exec(struct task_struct *t, ...) { task = 5; } }
	probe loads (int a) { on tp sched_process_exec(struct task_struct *t, ...) { load no_such_name; a = 1; } }
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
contains '^dtrace: provider file providers/mine.prov line 4: .*no member no_such_member' err
contains '^ *| *^~* *$' err
contains '^dtrace: provider file providers/mine.prov line 6: .*no argument b' err
contains '^dtrace: provider file providers/mine.prov line 7: .*task begins a statement: the argument needs another name' err
contains '^dtrace: provider file providers/mine.prov line 8: .*no_such_name' err
contains '^dtrace: provider file providers/mine.prov line 9: ' err
"$DTRACE" -xprovdir=providers -lvvn mine:::other >out 2>err
contains 'Note: second'
contains 'Not chosen: providers/mine.prov line 13: there is no tracepoint no_such_tracepoint'
must_trace -xprovdir=providers -n 'BEGIN { trace("quiet"); exit(0); }'
trace -xprovdir=providers -n 'mine:::good /progenyof($target)/ { @[execname] = count(); } mine:::other /progenyof($target)/ { @ids[args[0] == tid] = count(); }' -c "$TRIGGERS/lives exec 3"
contains '^ *true  *3$'
contains '^ *1  *3$'
echo 'provider syscall { }' >providers/syscall.prov
trace -xprovdir=providers -n 'mine:::unknown-member { }'
same "$status" 1 "status of a probe that is missing"
contains 'does not match any probes' err
contains 'providers/syscall.prov are left out: the provider syscall is not made by formulas' err

# A mistake in what a formula uses of a library: its probe alone is missing.
mkdir library
echo 'inline int broken_length = ((struct task_struct *)0)->no_such_member;' >library/mine.d
cat >providers/uses.prov <<'END'
provider uses {
	probe broken (int a) { on tp sched_process_exec(struct task_struct *t, ...) { a = broken_length; } }
	probe again (int a) { on tp sched_process_exec(struct task_struct *t, ...) { a = broken_length; } }
	probe whole (int a) { on tp sched_process_exec(struct task_struct *t, ...) { a = t->pid; } }
}
END
"$DTRACE" -xprovdir=providers -L library -lP uses >out 2>err || fail "status $?: $(cat err)"
same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "whole " "probes"
contains 'library/mine.d", line 1: .*no member no_such_member' err
contains 'provider file providers/uses.prov line 2: the inline broken_length has a mistake' err
contains 'provider file providers/uses.prov line 3: the inline broken_length has a mistake' err
trace -xprovdir=providers -L library -n 'uses::: /progenyof($target)/ { @[probename] = count(); }' -c "$TRIGGERS/lives exec 3"
same "$status" 0 "status of those that are left"
contains '^ *whole  *3$'

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
contains '^dtrace: provider file providers/braces.prov line 4: "on" and an event are expected near "probe"' err
contains '^dtrace: provider file providers/braces.prov line 5: this } is one too many: a probe follows' err
contains '^dtrace: provider file providers/braces.prov line 7: ' err
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

# A file that replaces a provider of ours: a mistake in a probe takes away this probe, one in the line of the provider all of them.
# replaced TEXT PROBES LINE - the file has these PROBES, and a mistake in LINE
mkdir replaces
replaced() {
	echo "$1" >replaces/mib.prov
	"$DTRACE" -xprovdir=replaces -lP mib >out 2>err
	same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "$2" "probes of $1"
	contains "provider file replaces/mib.prov line $3: " err
	same "$(grep -c '^dtrace: provider file' err)" 1 "mistakes of $1"
}
probes='probe a () { on tp sched_switch(...); }
	probe b () { on tp sched_switch(...); } }'
for wrong in 'on tp sched_switch(...)' 'on tp sched_switch( { }' 'on tp sched_switch(...) { x = ; }' 'on tp sched_switch(...) { x = "y; }
	' 'on nothing ();' 'else'; do
	replaced "provider mib { probe wrong () { $wrong } $probes" 'a b ' 1
done
replaced "provider mib { probe wrong ( { on tp sched_switch(...); } $probes" 'a b ' 1
replaced "provider mib { colour blue; $probes" 'a b ' 1
replaced "inline int x = ; provider mib { $probes" 'a b ' 1
replaced "typedef struct { int x } y; provider mib { $probes" 'a b ' 1
replaced "provider { $probes" '' 1
replaced "inline int x =
	provider mib { $probes" '' 2
