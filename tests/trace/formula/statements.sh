# What: let, drop, raw, save, load, delete, exists, with, several events for one probe, several probes at one event.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
inline int twice[int n] = n * 2;
typedef struct seen { int id; int more; string name; } seen_t;
translator seen_t < struct task_struct *T > { id = T->pid; more = 1; name = stringof(T->comm); };
provider mine {
	attributes Stable/Stable/Common Stable/Stable/Common Stable/Stable/Common Stable/Stable/Common Stable/Stable/Common;
	probe begun (int id, int even) {
		on tp sched_process_fork(struct task_struct *parent, struct task_struct *child, ...) {
			let id2 = twice[child->pid];
			drop when child->pid != child->tgid;
			save child->pid: uint64_t at = 77, int by = parent->pid;
			id = child->pid;
			even = id2 % 2 == 0;
			raw 3 = (long)parent;
		}
	}
	probe ended (seen_t *who, int by) {
		on tp sched_process_exit(struct task_struct *task, ...) when exists(task->pid) {
			load task->pid;
			who = xlate <seen_t *>(task) with { more = at };
			by = by;
			delete task->pid;
		}
	}
	probe both () {
		on tp sched_process_fork(struct task_struct *parent, ...);
		on syscall getppid entry ();
		?on tp no_such_tracepoint(int a);
	}
}
END
must_trace -xprovdir=providers -n 'mine:::begun /progenyof($target)/ { @["begun", args[0] == arg0 && args[0] > 1, args[1], arg3 == (long)curthread] = count(); }
	mine:::ended /progenyof($target)/ { @["ended", args[0]->id == tid, args[0]->more, args[1] == $target] = count(); }
	mine:::ended /progenyof($target)/ { @["again", args[0]->name == execname, args[0]->more, arg0 == (long)curthread] = count(); }
	mine:::both /progenyof($target)/ { @["both", 0, 0, 0] = count(); }
	syscall::getppid:entry /progenyof($target)/ { @["getppid", 0, 0, 0] = count(); }' -c "$TRIGGERS/lives exit 5 threads 3"
contains '^ *begun  *1  *1  *1  *5$'
contains '^ *ended  *1  *77  *1  *5$'
contains '^ *again  *1  *77  *1  *5$'
contains '^ *both  *0  *0  *0  *8$'
cat >providers/once.prov <<'END'
provider once {
	probe per-process (int threads) {
		on tp sched_process_exit(struct task_struct *task, ...) when !exists(task->signal) {
			save task->signal: int seen = 1;
			threads = task->signal->nr_threads;
		}
		on tp sched_process_free(struct task_struct *task) when task->pid == task->tgid { silent; delete task->signal; }
	}
}
END
must_trace -xprovdir=providers -n 'once:::per-process /progenyof($target)/ { @["once"] = count(); }' -c "$TRIGGERS/lives leader 6 exit 5"
contains '^ *once  *12$'
# state is kept though no clause is on the probe that saves it
must_trace -xprovdir=providers -n 'mine:::ended /progenyof($target)/ { @["alone", args[0]->more] = count(); }' -c "$TRIGGERS/lives exit 5 threads 3"
contains '^ *alone  *77  *5$'
# exists() alone reads what a silent source saves
cat >providers/asks.prov <<'END'
provider asks {
	probe again (long there) {
		on syscall getpriority entry (int which, long who) { silent; save who: long x = 1; }
		on syscall getpgid entry (long who) when exists(who) { there = exists(who); }
	}
}
END
must_trace -xprovdir=providers -n 'asks:::again /pid == $target/ { @["again", arg0] = count(); }' \
	-c "$(command -v python3) -c 'import os
for i in 1, 2, 3: os.getpriority(os.PRIO_PROCESS, os.getpid()); os.getpgid(os.getpid()); os.getpgid(os.getppid())'"
contains '^ *again  *1  *3$'
# a fault in a formula is 0, in a clause an error
cat >providers/faulty.prov <<'END'
provider faulty {
	probe exec (int a) { on tp sched_process_exec(struct task_struct *t, ...) when ((struct task_struct *)16)->pid == 0 { a = ((struct task_struct *)16)->tgid + 5; } }
}
END
must_trace -xprovdir=providers -n 'faulty:::exec /progenyof($target)/ { @[args[0]] = count(); }' -c "$TRIGGERS/lives exec 2"
contains '^ *5  *2$'
"$DTRACE" -xprovdir=providers -lvvn mine:::begun >out 2>err
contains 'args\[1\]: int'
contains 'Identifier Names: Stable'
contains 'Events: tracepoint sched_process_fork'
# a value of the thread is there until a source that uses it has fired
cat >providers/self.prov <<'END'
provider self {
	probe slept (int mark, int calls) {
		on syscall nanosleep, clock_nanosleep entry () { silent; self.mark = self.mark + 5; }
		on syscall nanosleep, clock_nanosleep return (long result) { mark = self.mark; }
	}
	probe unset (int x) {
		on syscall exit_group entry () { x = self.none; }
	}
}
END
trace -xprovdir=providers -n 'self:::slept /progenyof($target)/ { @["slept", args[0]] = count(); }' -c "$TRIGGERS/lives sleep 6"
contains '^ *slept  *5  *6$'
"$DTRACE" -xprovdir=providers -n 'self:::unset { trace(1); }' >out 2>err && fail "a value without an origin"
grep -q 'self.none gets no value in this provider' err || fail "no message"
