# What: an event whose arguments have other types than the parameters of a formula is not there: the next alternative is taken, and -lvv says why.  Needs: btf.
. "$LIB"
mkdir providers
# Each line is an alternative, the reason why it is not chosen is the file's line with the same number.
cat >providers/mine.prov <<'END'
provider mine { probe first (long x) { note "no"
	on tp sched_switch(bool preempt, struct rq *prev, ...) { x = prev->cpu; } else
	on tp sched_switch(bool preempt, struct no_such_struct *prev, ...); else
	on tp sched_switch(struct task_struct *preempt, ...); else
	on tp sched_switch(bool preempt, long prev, ...); else
	on record sched:sched_switch (string prev_pid); else
	on record sched:sched_switch (int prev_comm); else
	on record sched:sched_switch (struct task_struct *prev_pid); else note "the last"
	on tp sched_process_exec(struct task_struct *task, int old_pid, ...) { x = task->pid; } }
	probe void () { on tp sched_process_exec(void *task, unsigned long old_pid, void *binary); }
	probe untyped () { on tp sched_process_exec(task, old_pid, binary); }
	probe declared () { on tp sched_process_exec(mine_task_t *task, ...); }
	probe record (string name, long pid) { on record sched:sched_process_exec (string filename, long pid, enum pid_type old_pid); }
}
END
sed -i '1i typedef struct task_struct mine_task_t;' providers/mine.prov
"$DTRACE" -xprovdir=providers -lvvn mine:::first >out 2>err || fail "status $?: $(cat err)"
contains 'Note: the last'
contains 'line 2: tracepoint sched_switch: its argument 2 is struct task_struct \*, not struct rq \*$'
contains 'line 4: tracepoint sched_switch: its argument 2 is struct task_struct \*, not struct no_such_struct \*$'
contains 'line 5: tracepoint sched_switch: its argument 1 is bool, not struct task_struct \*$'
contains 'line 6: tracepoint sched_switch: its argument 2 is struct task_struct \*, not long$'
contains 'line 7: record sched:sched_switch: its field prev_pid is pid_t, not string$'
contains 'line 8: record sched:sched_switch: its field prev_comm is string, not int$'
contains 'line 9: record sched:sched_switch: its field prev_pid is pid_t, not struct task_struct \*$'
"$DTRACE" -xprovdir=providers -lP mine >out 2>err || fail "status $?: $(cat err)"
same "$(awk 'NR > 1 { print $NF }' out | tr '\n' ' ')" "first void untyped declared record " "probes"
must_trace -xprovdir=providers -n 'mine:::first /progenyof($target)/ { @[args[0] == pid] = count(); }' -c "$TRIGGERS/lives exec 3"
contains '^ *1  *3$'
