# What: an argument that a source does not assign is the parameter, or the result, of the same name; a parameter without a type has the argument's.  Needs: uprobe btf.
# Executors: kernel (its probes are of the kernel).
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe fork (struct task_struct *child, int pid, struct task_struct *parent, long none) {
		on tp sched_process_fork(parent, child) { pid = child->pid; }
	}
	probe closed (int result, long fd) { on syscall close return (result); }
	probe close (unsigned char fd) { on syscall close entry (fd) { raw 0 = 1; } }
	probe assigned (int fd) { on syscall close entry (fd) { fd = 7; } }
	probe else (struct rq *child) { on tp sched_process_fork(parent, child); }
	probe not (string child) { on tp sched_process_fork(struct task_struct *parent, struct task_struct *child); }
}
END
# The short example of a provider for processes.
cat >providers/locks.prov <<'END'
typedef struct pthread_mutex { int lock; } pthread_mutex_t;
provider locks { context pidclass;
	probe mutex-block (pthread_mutex_t *m) {
		on usdt libc:mutex_entry(m) when *(int *)m != 0 ;
		else on uprobe libc:pthread_mutex_lock(m) when *(int *)m != 0 ;
	}
	probe mutex-taken (pthread_mutex_t *m, int r) { on uprobe libc:pthread_mutex_lock return (m) = r; }
}
END
must_trace -xprovdir=providers -n 'mine:::fork /progenyof($target)/ { @["fork", args[0]->pid == args[1] && args[1] != pid, args[2]->pid == tid, arg0 == (uint64_t)args[0] && arg3 == 0] = count(); }' -c "$TRIGGERS/lives exit 5"
contains '^ *fork  *1  *1  *1  *5$'
must_trace -xprovdir=providers -n 'mine:::close /pid == $target/ { @["close", args[0], arg0] = count(); }
	mine:::closed /pid == $target/ { @["closed", args[0] == arg0, args[1]] = count(); }
	mine:::assigned /pid == $target/ { @["assigned", args[0], arg0] = count(); }' -c 'python3 -c "open(\"/dev/null\").close()"'
contains '^ *close  *[0-9]*  *1  *[1-9]'
contains '^ *closed  *1  *0  *[1-9]'
contains '^ *assigned  *7  *7  *[1-9]'
trace -xprovdir=providers -n 'locks$target:::mutex-block { @["block", arg0 != 0, arg0 == (uintptr_t)args[0], args[0]->lock != 0] = count(); }
	locks$target:::mutex-taken { @["taken", args[0]->lock != 0, args[1], arg1] = count(); }' -c "$TRIGGERS/locks 3"
same "$status" 0 "status"
contains '^ *block  *1  *1  *1  *[1-9]'
contains '^ *taken  *1  *0  *0  *[1-9]'
"$DTRACE" -xprovdir=providers -lvvn mine::: >out 2>err
contains 'Not on this kernel: providers/mine.prov line 8: tracepoint sched_process_fork: its argument 2 is struct task_struct \*, not struct rq \*'
contains '^dtrace: provider file providers/mine.prov line 9: child has the type string, but its value struct task_struct \*' err
