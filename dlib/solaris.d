/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solaris - names of the kernels of Solaris and FreeBSD that scripts read, by their counterparts on Linux
 *
 * solaris_NAME stands for the symbol `NAME, solaris_TAG_MEMBER for a member that Linux's struct TAG
 * has not (src/sema/name/compatible.c).  A process is its first thread, its p_user and its CPU's cpu_disp
 * are parts of the same struct here.  solaris_ncpus and the like are made from /sys when they are used.
 */
typedef struct task_struct kthread_t;
typedef struct task_struct klwp_t;
typedef struct task_struct proc_t;
typedef struct task_struct user_t;
typedef struct rq cpu_t;
typedef struct rq disp_t;
typedef struct file vnode_t;
typedef struct file file_t;
typedef struct mutex kmutex_t;
typedef struct rw_semaphore krwlock_t;
typedef struct cred cred_t;

/* --- threads -------------------------------------------------------------------------------- */

inline struct task_struct *solaris_task_struct_t_procp[struct task_struct *T] = T->group_leader;
inline struct task_struct *solaris_task_struct_t_lwp[struct task_struct *T] = T;
inline struct task_struct *solaris_task_struct_lwp_thread[struct task_struct *T] = T;
inline struct task_struct *solaris_task_struct_lwp_procp[struct task_struct *T] = T->group_leader;
inline id_t solaris_task_struct_t_tid[struct task_struct *T] = task_pid[T];
inline uint64_t solaris_task_struct_t_did[struct task_struct *T] = task_pid[T];
inline int solaris_task_struct_t_pri[struct task_struct *T] = T->prio;
inline string solaris_task_struct_t_name[struct task_struct *T] = stringof(T->comm);
inline const struct cred *solaris_task_struct_t_cred[struct task_struct *T] = T->cred;
inline time_t solaris_task_struct_t_start[struct task_struct *T] =
	(T->start_boottime + boot_wall_ns) / 1000000000;
inline caddr_t solaris_task_struct_t_stk[struct task_struct *T] = (caddr_t)T->stack;
inline processorid_t solaris_task_struct_t_bind_cpu[struct task_struct *T] =
	T->nr_cpus_allowed == 1 ? task_cpu[T] : -1;

inline unsigned int TS_SLEEP = 0x01;
inline unsigned int TS_RUN = 0x02;
inline unsigned int TS_ONPROC = 0x04;
inline unsigned int TS_ZOMB = 0x08;
inline unsigned int TS_STOPPED = 0x10;
inline unsigned int TS_WAIT = 0x20;
inline unsigned int solaris_task_struct_t_state[struct task_struct *T] =
	task_letter[T] == 'S' ? TS_SLEEP : task_letter[T] == 'T' ? TS_STOPPED :
	task_letter[T] == 'Z' ? TS_ZOMB : task_letter[T] == 'W' ? TS_WAIT :
	task_letter[T] == 'O' ? TS_ONPROC : TS_RUN;

/* --- processes ------------------------------------------------------------------------------ */

inline struct pid *solaris_task_struct_p_pidp[struct task_struct *T] = T->signal->pids[PIDTYPE_TGID];
inline struct pid *solaris_task_struct_p_pgidp[struct task_struct *T] = T->signal->pids[PIDTYPE_PGID];
inline pid_t solaris_pid_pid_id[struct pid *P] = pid_number[P];
inline pid_t solaris_task_struct_p_ppid[struct task_struct *T] = task_ppid[T];
inline struct task_struct *solaris_task_struct_p_parent[struct task_struct *T] =
	T->real_parent->group_leader;
inline struct task_struct *solaris_task_struct_p_tlist[struct task_struct *T] = T;
inline int solaris_task_struct_p_lwpcnt[struct task_struct *T] = T->signal->nr_threads;
inline char solaris_task_struct_p_stat[struct task_struct *T] = xlate <lwpsinfo_t>(T).pr_state;
inline const struct cred *solaris_task_struct_p_cred[struct task_struct *T] = T->cred;
/* As timestamp. */
inline hrtime_t solaris_task_struct_p_mstart[struct task_struct *T] = T->group_leader->start_time;
/* Ticks of the first thread, and of those that ended. */
inline clock_t solaris_task_struct_p_utime[struct task_struct *T] =
	(T->signal->utime + T->group_leader->utime) / 10000000;
inline clock_t solaris_task_struct_p_stime[struct task_struct *T] =
	(T->signal->stime + T->group_leader->stime) / 10000000;
inline struct mm_struct *solaris_task_struct_p_as[struct task_struct *T] = T->mm;
inline size_t solaris_mm_struct_a_size[struct mm_struct *M] = M->total_vm * page_kilobytes * 1024;
inline struct file *solaris_task_struct_p_exec[struct task_struct *T] =
	T->mm != NULL ? T->mm->exe_file : (struct file *)NULL;
inline struct task_struct *solaris_task_struct_p_zone[struct task_struct *T] = T;
inline string solaris_task_struct_zone_name[struct task_struct *T] =
	T->thread_pid->level == 0 ? "global" :
	zone_of_cgroup[stringof(T->cgroups->dfl_cgrp->kn->name)];

inline struct task_struct solaris_task_struct_p_user[struct task_struct *T] = *T;
inline string solaris_task_struct_u_comm[struct task_struct *T] = stringof(T->comm);
inline string solaris_task_struct_u_psargs[struct task_struct *T] = xlate <psinfo_t>(T).pr_psargs;
inline timestruc_t solaris_task_struct_u_start[struct task_struct *T] = xlate <psinfo_t>(T).pr_start;

inline struct path *solaris_task_struct_u_cdir[struct task_struct *T] = &T->fs->pwd;
inline struct path *solaris_task_struct_u_rdir[struct task_struct *T] = &T->fs->root;
inline string solaris_path_v_path[struct path *P] = d_path(P);

typedef struct uf_entry {
	struct file *uf_file;
} uf_entry_t;
inline struct files_struct solaris_task_struct_u_finfo[struct task_struct *T] = *T->files;
inline int solaris_files_struct_fi_nfiles[struct files_struct *F] = F->fdt->max_fds;
inline uf_entry_t *solaris_files_struct_fi_list[struct files_struct *F] = (uf_entry_t *)F->fdt->fd;

inline uid_t solaris_cred_cr_uid[const struct cred *C] = C->euid.val;
inline uid_t solaris_cred_cr_ruid[const struct cred *C] = C->uid.val;
inline uid_t solaris_cred_cr_suid[const struct cred *C] = C->suid.val;
inline gid_t solaris_cred_cr_gid[const struct cred *C] = C->egid.val;
inline gid_t solaris_cred_cr_rgid[const struct cred *C] = C->gid.val;
inline gid_t solaris_cred_cr_sgid[const struct cred *C] = C->sgid.val;

inline struct file *solaris_file_f_vnode[struct file *F] = F;
inline loff_t solaris_file_f_offset[struct file *F] = F->f_pos;
inline unsigned int solaris_file_f_flag[struct file *F] = F->f_flags;
inline string solaris_file_v_path[struct file *F] = d_path(&F->f_path);

/* --- FreeBSD's names: curthread->td_proc->p_comm ---------------------------------------------- */

inline struct task_struct *curproc = curthread->group_leader;
inline struct task_struct *solaris_task_struct_td_proc[struct task_struct *T] = T->group_leader;
inline id_t solaris_task_struct_td_tid[struct task_struct *T] = task_pid[T];
inline string solaris_task_struct_td_name[struct task_struct *T] = stringof(T->comm);
inline const struct cred *solaris_task_struct_td_ucred[struct task_struct *T] = T->cred;
inline pid_t solaris_task_struct_p_pid[struct task_struct *T] = task_tgid[T];
inline string solaris_task_struct_p_comm[struct task_struct *T] = stringof(T->group_leader->comm);
inline struct task_struct *solaris_task_struct_p_pptr[struct task_struct *T] =
	T->real_parent->group_leader;
inline const struct cred *solaris_task_struct_p_ucred[struct task_struct *T] = T->cred;

/* --- signals: si_NAME are macros in C ------------------------------------------------------- */

inline pid_t solaris_siginfo_si_pid[struct siginfo *S] = S->_sifields._kill._pid;
inline uid_t solaris_siginfo_si_uid[struct siginfo *S] = S->_sifields._kill._uid;
inline int solaris_siginfo_si_status[struct siginfo *S] = S->_sifields._sigchld._status;
inline clock_t solaris_siginfo_si_utime[struct siginfo *S] = S->_sifields._sigchld._utime;
inline clock_t solaris_siginfo_si_stime[struct siginfo *S] = S->_sifields._sigchld._stime;
inline void *solaris_siginfo_si_addr[struct siginfo *S] = S->_sifields._sigfault._addr;
inline sigval_t solaris_siginfo_si_value[struct siginfo *S] = S->_sifields._rt._sigval;
inline long solaris_siginfo_si_band[struct siginfo *S] = S->_sifields._sigpoll._band;
inline int solaris_siginfo_si_fd[struct siginfo *S] = S->_sifields._sigpoll._fd;

/* --- CPUs: the queue of runnable threads that a thread is in, or was last ------------------- */

inline struct rq *solaris_task_struct_t_cpu[struct task_struct *T] =
	has(struct sched_entity.cfs_rq) && has(struct cfs_rq.rq) ? T->se.cfs_rq->rq :
	(struct rq *)&`runqueues;
inline processorid_t solaris_rq_cpu_id[struct rq *R] = R->cpu;
inline struct task_struct *solaris_rq_cpu_thread[struct rq *R] = R->curr;
inline struct task_struct *solaris_rq_cpu_dispthread[struct rq *R] = R->curr;
inline struct task_struct *solaris_rq_cpu_idle_thread[struct rq *R] = R->idle;
inline struct rq *solaris_rq_cpu_disp[struct rq *R] = R;
/* Those that wait: the running one is counted by Linux, not by Solaris. */
inline int solaris_rq_disp_nrunnable[struct rq *R] =
	R->nr_running - (R->nr_running > 0 && R->curr != R->idle);

/* --- symbols -------------------------------------------------------------------------------- */

/*
 * Load averages with 16 and 8 bits after the point; Linux keeps 11.  Where the kernel lists no
 * variables, dtrace reads /proc each second (src/tracer/host.c).
 */
inline int solaris_hp_avenrun[int i] = has(vmlinux`avenrun) ?
	((unsigned long *)&vmlinux`avenrun)[i] << 5 : host_loads[i] << 5;
inline int solaris_avenrun[int i] = has(vmlinux`avenrun) ?
	((unsigned long *)&vmlinux`avenrun)[i] >> 3 : host_loads[i] >> 3;
/* Pages, except some that CPUs keep: NR_FREE_PAGES is the first of these counters. */
inline unsigned long solaris_freemem = has(vmlinux`vm_zone_stat) ?
	((unsigned long *)&vmlinux`vm_zone_stat)[0] : host_free_pages;
/* Linux never moves out all of a thread. */
inline int solaris_nswapped = 0;

/* The number that a process or thread got last. */
inline pid_t solaris_mpid = curthread->thread_pid->numbers[0].ns->idr.idr_next - 1;
inline struct new_utsname solaris_utsname = curthread->nsproxy->uts_ns->name;

inline int solaris_hz = 100;
inline int solaris_nsec_per_tick = 10000000;
inline clock_t solaris_lbolt = timestamp / 10000000;
inline int64_t solaris_lbolt64 = timestamp / 10000000;
inline time_t solaris_time = walltimestamp / 1000000000;
inline timestruc_t solaris_hrestime = xlate <timestruc_t>((uint64_t)walltimestamp);
inline time_t solaris_boot_time = boot_wall_ns / 1000000000;
inline string solaris_panicstr = (string)NULL;
