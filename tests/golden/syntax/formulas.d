#!formulas
/* Every form of the grammar. */
inline int half[int n] = n / 2;
provider stock {
	attributes Evolving/Evolving/ISA Private/Private/Unknown Private/Private/Unknown Evolving/Evolving/ISA Evolving/Evolving/ISA;
	module vmlinux;
	probe exec-success () { on tp sched_process_exec(struct task_struct *t, ...); }
	probe off-cpu (lwpsinfo_t *l, psinfo_t *p) {
		on tp sched_switch(bool_t pre, struct task_struct *prev, struct task_struct *next, ...) {
			l = xlate <lwpsinfo_t *>(next);
			p = xlate <psinfo_t *>(next) with { pr_pid = 1, pr_fname = "x" };
		}
	}
	probe on-cpu (int a) needs has(struct task_struct.pid) && !config(PREEMPT_RT) {
		note "after the switch"
		on func finish_task_switch*(struct task_struct *prev) when a_t(prev) != 0;
		else note "second"
		on tp sched_switch(bool_t pre, ...) if hastp(sched_switch, 4) || arch(x86_64) when !pre {
			let b = pre + 1;
			task = curthread;
			drop when b == 2;
			raw 0 = (uint64_t)b;
			a = b;
		}
		?on tp sched_other(...) if hasenum(X) && hasfunc(y) { silent; keep; }
	}
	probe all-events () {
		on func vfs_read return (struct file *f) = r when r > 0;
		on func vfs_write, vfs_writev(struct file *f);
		on call kfree in do_exit # 2 after;
		on call kfree in do_exit # *;
		on insn vfs_read+0x10;
		on insn vfs_write + 5 when 1;
		on inc vm_event_states[PGFAULT];
		on syscall execve, execveat entry (const char *path);
		on syscall clone return (long r) when r == 0;
		on perf sw page-faults;
		on uprobe libc:malloc(size);
		on usdt libc:mutex_entry(m) when *(int *)m != 0;
		on probe proc:::exec-success;
		on probe profile:::tick-100ms (kernel, user) when user;
		on probe syscall::[rw]*:entry;
		?on probe tick-1s if config(SMP);
		on record sched:sched_switch(int prev_pid, int next_pid) { self.x = self.x + prev_pid; }
	}
	probe start (bufinfo_t *b) {
		on tp block_rq_issue(struct request *rq) when !exists(rq) {
			save rq: uint64_t sector = rq->__sector, uint32_t bytes = rq->__data_len;
			b = xlate <bufinfo_t *>(rq);
		}
	}
	probe done (bufinfo_t *b) {
		on tp block_rq_complete(struct request *rq) { load rq; b = sector; delete rq; }
	}
}
provider plockstat { context pidclass; }
