/* SPDX-License-Identifier: BSD-2-Clause */
/* procfs - processes and threads, as /proc knows them */

inline int PR_STOPPED = 1;
inline int PR_ISTOP = 2;
inline int PR_DSTOP = 4;
inline int PR_STEP = 0x8;
inline int PR_ASLEEP = 0x10;
inline int PR_PCINVAL = 0x20;
inline int PR_ASLWP = 0x40;
inline int PR_AGENT = 0x80;
inline int PR_DETACH = 0x100;
inline int PR_DAEMON = 0x200;
inline int PR_ISSYS = 0x1000;
inline int PR_VFORKP = 0x2000;
inline int PR_ORPHAN = 0x4000;
inline int PR_NOSIGCHLD = 0x8000;
inline int PR_WAITPID = 0x10000;
inline int PR_FORK = 0x100000;
inline int PR_RLC = 0x200000;
inline int PR_KLC = 0x400000;
inline int PR_ASYNC = 0x800000;
inline int PR_MSACCT = 0x1000000;
inline int PR_BPTADJ = 0x2000000;
inline int PR_PTRACE = 0x4000000;
inline int PR_MSFORK = 0x8000000;
inline int PR_IDLE = 0x10000000;

inline char SSLEEP = 1;
inline char SRUN = 2;
inline char SZOMB = 3;
inline char SSTOP = 4;
inline char SIDL = 5;
inline char SONPROC = 6;
inline char SWAIT = 7;

/* What a thread sleeps for, which Linux does not note: pr_stype is SOBJ_NONE. */
inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

inline int PIDTYPE_PID = 0;
inline int PIDTYPE_TGID = 1;
inline int PIDTYPE_PGID = 2;
inline int PIDTYPE_SID = 3;

inline int CLD_EXITED = 1;
inline int CLD_KILLED = 2;
inline int CLD_DUMPED = 3;
inline int CLD_TRAPPED = 4;
inline int CLD_STOPPED = 5;
inline int CLD_CONTINUED = 6;

typedef struct timestruc {
	time_t tv_sec;
	long tv_nsec;
} timestruc_t;

translator timestruc_t < uint64_t N > {
	tv_sec = N / 1000000000;
	tv_nsec = N % 1000000000;
};

/* --- what T is doing: states of the kernel's sched.h ---------------------------------------- */

inline unsigned int task_state[struct task_struct *T] =
	has(struct task_struct.__state) ? T->__state : T->state;

inline int task_on_cpu[struct task_struct *T] =
	has(struct task_struct.on_cpu) ? T->on_cpu :
	curthread_is_another ? 0 : T == curthread;

inline unsigned int TASK_SLEEPS = 0x8043; /* also where no signal wakes it, parked, frozen */

inline char task_letter[struct task_struct *T] =
	T->exit_state & 0x30 ? 'Z' :
	task_state[T] & TASK_SLEEPS ? 'S' :
	task_state[T] & 0x0c ? 'T' :
	task_state[T] & 0x80 ? 'Z' :
	task_state[T] & 0x300 ? 'W' :
	task_on_cpu[T] ? 'O' : 'R';

inline int task_cpu[struct task_struct *T] =
	has(struct task_struct.thread_info.cpu) ? T->thread_info.cpu :
	has(struct task_struct.cpu) ? T->cpu : T->wake_cpu;

/*
 * Is that the current process, whose memory can be read?  In foreach (self->x), and in clauses about
 * another task, curthread is that one, and curthread_is_another (sema/name/name.c) is 1.
 */
inline int task_is_current[struct task_struct *T] =
	curthread_is_another ? 0 : T->mm != NULL && T->mm == curthread->mm;

/*
 * Numbers of processes are those of the PID namespace that dtrace is in, as of the variable pid; 0:
 * it has none there.  pid_namespace, of topology, is 0 in the first one, whose numbers are at hand;
 * another one is found at most 8 namespaces further inside.
 */
inline int pid_is_ours[struct pid *P, int level] =
	P->level >= level && (P->numbers + level)->ns->ns.inum == pid_namespace;
inline pid_t pid_nested[struct pid *P] =
	pid_is_ours[P, 1] ? (P->numbers + 1)->nr : pid_is_ours[P, 2] ? (P->numbers + 2)->nr :
	pid_is_ours[P, 3] ? (P->numbers + 3)->nr : pid_is_ours[P, 4] ? (P->numbers + 4)->nr :
	pid_is_ours[P, 5] ? (P->numbers + 5)->nr : pid_is_ours[P, 6] ? (P->numbers + 6)->nr :
	pid_is_ours[P, 7] ? (P->numbers + 7)->nr : pid_is_ours[P, 8] ? (P->numbers + 8)->nr : 0;
inline pid_t pid_number[struct pid *P] =
	P == NULL ? 0 : pid_namespace == 0 ? P->numbers[0].nr : pid_nested[P];
inline pid_t task_leader[struct task_struct *T, int type] = pid_number[T->signal->pids[type]];
inline pid_t task_tgid[struct task_struct *T] =
	pid_namespace == 0 ? T->tgid : task_leader[T, PIDTYPE_TGID];
inline pid_t task_pid[struct task_struct *T] =
	pid_namespace == 0 ? T->pid : pid_number[T->thread_pid];
inline pid_t task_ppid[struct task_struct *T] = task_tgid[T->real_parent];

/* Resident pages, without those that the CPUs have not yet added up. */
inline int64_t mm_resident[struct mm_struct *M] =
	has(struct mm_struct.rss_stat.count) ?
	M->rss_stat.count[0].counter + M->rss_stat.count[1].counter + M->rss_stat.count[3].counter :
	M->rss_stat[0].count + M->rss_stat[1].count + M->rss_stat[3].count;

/* Is T the current thread, and in a system call?  15 is orig_ax, which is -1 elsewhere. */
inline int task_in_call[struct task_struct *T] =
	curthread_is_another ? 0 :
	has(struct pt_regs.orig_ax) && T == curthread && T->mm != NULL && (long)uregs[15] >= 0;

/* --- threads -------------------------------------------------------------------------------- */

typedef struct lwpsinfo {
	int pr_flag;
	int pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;
	timestruc_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	lgrp_id_t pr_lgrp;
} lwpsinfo_t;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (task_letter[T] == 'T' ? PR_STOPPED : 0) | (task_in_call[T] ? PR_ISSYS : 0);
	pr_lwpid = task_pid[T];
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = SOBJ_NONE;
	pr_state = task_letter[T] == 'S' ? SSLEEP :
		   task_letter[T] == 'T' ? SSTOP :
		   task_letter[T] == 'Z' ? SZOMB :
		   task_letter[T] == 'W' ? SWAIT :
		   task_letter[T] == 'O' ? SONPROC : SRUN;
	pr_sname = task_letter[T];
	pr_nice = T->static_prio - 120;
	pr_syscall = task_in_call[T] ? uregs[15] : 0;
	pr_oldpri = 0;
	pr_cpu = 0;
	pr_pri = T->prio;
	pr_pctcpu = 0;
	pr_start = xlate <timestruc_t>(T->start_boottime + boot_wall_ns);
	pr_time = xlate <timestruc_t>(T->se.sum_exec_runtime);
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" :
		    T->policy == 3 ? "BATCH" : T->policy == 5 ? "IDLE" :
		    T->policy == 6 ? "DL" : T->policy == 7 ? "EXT" : "SYS";
	pr_name = T->comm;
	pr_onpro = task_cpu[T];
	pr_bindpro = T->nr_cpus_allowed == 1 ? task_cpu[T] : -1;
	pr_bindpset = -1;
	pr_lgrp = node_of_cpu[task_cpu[T]];
};

/* --- processes ------------------------------------------------------------------------------ */

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	struct tty_struct *pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	char pr_fname[16];
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	int pr_nzomb;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	id_t pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

translator psinfo_t < struct task_struct *T > {
	pr_flag = 0;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = task_tgid[T];
	pr_ppid = task_ppid[T];
	pr_pgid = task_leader[T, PIDTYPE_PGID];
	pr_sid = task_leader[T, PIDTYPE_SID];
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm != NULL ? T->mm->total_vm * page_kilobytes : 0;
	pr_rssize = T->mm != NULL && mm_resident[T->mm] > 0 ? mm_resident[T->mm] * page_kilobytes : 0;
	pr_ttydev = T->signal->tty != NULL ? T->signal->tty : (struct tty_struct *)-1;
	pr_pctcpu = 0;
	pr_pctmem = T->mm != NULL && mm_resident[T->mm] > 0 ?
		    (mm_resident[T->mm] << 15) / solaris_physmem : 0;
	pr_start = xlate <timestruc_t>(T->group_leader->start_boottime + boot_wall_ns);
	pr_time = xlate <timestruc_t>(T->signal->sum_sched_runtime + T->se.sum_exec_runtime);
	pr_ctime = xlate <timestruc_t>(T->signal->cutime + T->signal->cstime);
	pr_fname = T->group_leader->comm;
	pr_psargs = task_is_current[T] ? execargs : stringof(T->comm);
	pr_wstat = T->exit_code;
	pr_argc = task_is_current[T] ? *(userland int *)T->mm->start_stack : 0;
	pr_argv = T->mm != NULL ? T->mm->arg_start : 0;
	pr_envp = T->mm != NULL ? T->mm->env_start : 0;
	pr_dmodel = T->mm != NULL && T->mm->task_size <= 0xffffffff ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_lwp = xlate <lwpsinfo_t>(T);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *>(curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *>(curthread);

inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);

/*
 * The nearest thing to a zone is a container: a PID namespace but the first one.  Its name is that
 * of the cgroup, less what its runtime puts around: docker-ID.scope.  The root cgroup has no name:
 * there the namespace has, as /proc/PID/ns/pid shows it.
 */
inline uint64_t pidns = curthread->thread_pid->numbers[curthread->thread_pid->level].ns->ns.inum;

inline string zone_unscoped[string name] = strlen(name) > 6 && rindex(name, ".scope") == strlen(name) - 6 ?
	substr(name, 0, strlen(name) - 6) : name;
inline string zone_bare[string name] = index(name, "docker-") == 0 ? substr(name, 7) :
	index(name, "libpod-") == 0 ? substr(name, 7) :
	index(name, "cri-containerd-") == 0 ? substr(name, 15) : name;
inline string zone_of_cgroup[string name] =
	name == "" ? strjoin("pid:[", strjoin(lltostr(pidns), "]")) : zone_bare[zone_unscoped[name]];
inline string zonename = curthread->thread_pid->level == 0 ? "global" :
	zone_of_cgroup[stringof(curthread->cgroups->dfl_cgrp->kn->name)];

/* --- processes that probes of proc and sched are about ------------------------------------------ */

/* The variables uid, gid and execname of another task than the current one; pid, tid and ppid: above. */
/* The id of its control group, version 2. */
inline uint64_t task_cgroup[struct task_struct *T] = T->cgroups->dfl_cgrp->kn->id;
inline uid_t task_uid[struct task_struct *T] = T->cred->uid.val;
inline gid_t task_gid[struct task_struct *T] = T->cred->gid.val;
inline string task_comm[struct task_struct *T] = stringof(T->comm);

/* How a process ends.  A signal is the low seven bits; 0x80: with a core file. */
inline int exit_code_kind[int code] =
	(code & 0x7f) == 0 ? CLD_EXITED : code & 0x80 ? CLD_DUMPED : CLD_KILLED;
inline int exit_kind[struct task_struct *T] =
	exit_code_kind[T->signal->group_exit_code ? T->signal->group_exit_code : T->exit_code];

inline int FLTILL = 1;
inline int FLTPRIV = 2;
inline int FLTBPT = 3;
inline int FLTTRACE = 4;
inline int FLTACCESS = 5;
inline int FLTBOUNDS = 6;
inline int FLTIOVF = 7;
inline int FLTIZDIV = 8;
inline int FLTFPE = 9;
inline int FLTSTACK = 10;
inline int FLTPAGE = 11;
inline int FLTWATCH = 12;

/* The fault of a signal's number and si_code, which is positive; 0: it is of no instruction.  Of x86's
 * int3 si_code is 128 (SI_KERNEL), as of instructions that only the kernel may run, which are FLTBOUNDS. */
inline int fault_kind[int number, int code] =
	number == SIGSEGV ? (code == 2 ? FLTACCESS : FLTBOUNDS) :
	number == SIGBUS ? FLTACCESS :
	number == SIGFPE ? (code == 1 ? FLTIZDIV : code == 2 ? FLTIOVF : FLTFPE) :
	number == SIGTRAP ? (code == 1 || code == 128 ? FLTBPT : code == 4 ? FLTWATCH : FLTTRACE) :
	number == SIGILL ? (code == 5 || code == 6 ? FLTPRIV : FLTILL) : 0;
