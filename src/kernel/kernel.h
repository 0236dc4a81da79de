/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel - all system calls for tracing: bpf(2), perf_event_open(2), /proc
 *
 * Thin, typed calls that turn an errno into an error naming the thing and the
 * remedy.  We call bpf(2) ourselves, not through libbpf: Debian's 1.1 lacks uprobe_multi links, and
 * its object loading costs more than our whole start (README, "Speed and size").
 *
 * All descriptors are close-on-exec, so nothing leaks into -c children; all
 * kernel objects belong to descriptors, so kill -9 leaves no object behind.  Only objects pinned by
 * pin.c stay.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <linux/bpf.h>
#include <stdio.h>

#include "abi/abi.h"
#include "base/base.h"

/* --- maps (map.c) ------------------------------------------------------------------ */

struct map_request {
	enum bpf_map_type type;
	const char *name; /* truncated to 15 characters */
	uint32_t key_size, value_size, max_entries, flags;
	int inner; /* prototype for an array of maps; 0 otherwise */
	int btf, btf_key,
		btf_value; /* of types that the kernel must know: task storage, task work; else 0 */
};

MUST_CHECK struct error *map_create(const struct map_request *request, int *ret);
/* NULL, or the error; errno is in error_errno(). */
MUST_CHECK struct error *map_update(int map, const void *key, const void *value, uint64_t flags);
MUST_CHECK struct error *map_freeze(int map);
bool map_lookup(int map, const void *key, void *value);
/* Delete the element; a missing element is not an error. */
MUST_CHECK struct error *map_remove(int map, const void *key);
/* Wait until all programs that run now and do not sleep have ended: a grace period, 10 ms. */
MUST_CHECK struct error *programs_settle(void);

/*
 * Read a whole hash in batches (bpf(BPF_MAP_LOOKUP_BATCH)), one by one where the
 * kernel has no batches.  VALUE is VALUE_SIZE bytes; of a per-CPU map
 * ALIGN_UP(value_size, 8) bytes for each possible CPU.  Stops at VISIT's error.
 */
typedef struct error *map_visit_fn(void *arg, const void *key, const void *value);
MUST_CHECK struct error *map_visit(int map, uint32_t key_size, uint32_t value_bytes,
				   uint32_t max_entries, map_visit_fn *visit, void *arg);

/* Map an array (BPF_F_MMAPABLE) of SIZE bytes read-write; shared with the kernel. */
MUST_CHECK struct error *map_memory(int map, size_t size, void **ret);

/* --- ring buffers (ring.c): one CPU's principal buffer -------------------------------- */

struct ring;
MUST_CHECK struct error *ring_open(int map, size_t size, struct ring **ret); /* SIZE: of the map */
void ring_close(struct ring *r); /* NULL is fine; the map stays open */

/*
 * Visit the records that are ready, oldest first, and give their room back.
 * DATA lives until VISIT returns.  *COUNT grows by the records visited.
 */
typedef struct error *ring_visit_fn(void *arg, const void *data, uint32_t size);
MUST_CHECK struct error *ring_consume(struct ring *r, ring_visit_fn *visit, void *arg,
				      uint64_t *count);
/* Bytes waiting. */
size_t ring_waiting(const struct ring *r);

/* --- tracefs (tracefs.c): lists of events, layouts of their records ----------------------- */

/* PATH in it, for reading; NULL: errno says why.  The caller closes it. */
FILE *tracefs_open(const char *path);
FILE *debugfs_open(const char *path); /* the same of debugfs */
int tracefs_folder(void);	      /* stays open; -1: there is none */

/* --- functions of the kernel (functions.c) -------------------------------------------------- */

/* Of a line in a list of functions: an address, a name of less than 512 bytes (KSYM_NAME_LEN since
 * Linux 6.1), a module of less than 64. */
#define FUNCTION_LINE_SIZE 640

/* Why functions cannot be probed, in a few words; NULL: they can. */
const char *kernel_functions_problem(void);
/*
 * Visit those that can be probed, several of one name maybe, without addresses; and the address of
 * each function.  MODULE: "vmlinux", or a module's name.
 */
typedef void kernel_function_fn(void *arg, const char *module, const char *name, uint64_t address);
void kernel_functions(kernel_function_fn *visit, void *arg);
/* The same with the address of the place where each is probed, some bytes after its beginning; none
 * before Linux 6.5. */
void kernel_traced_places(kernel_function_fn *visit, void *arg);
/*
 * Visit the modules; those that are a part of the kernel may be among them.  IDENTITY, not 0, is
 * another one when the module is unloaded and loaded again.
 */
typedef void kernel_module_fn(void *arg, const char *name, uint64_t identity);
void kernel_modules(kernel_module_fn *visit, void *arg);
/* A number that changes when a module is loaded, its first function has returned, or unloaded.  0:
 * one is being loaded or unloaded just now. */
uint64_t kernel_modules_mark(void);
void kernel_function_addresses(kernel_function_fn *visit, void *arg);
/* Visit those in which the kernel forbids probes (noinstr, NOKPROBE_SYMBOL).  False: unknown. */
bool kernel_forbidden_functions(kernel_function_fn *visit, void *arg);
void kernel_forbidden_read(FILE *list, kernel_function_fn *visit, void *arg);

/* --- the address of one function (address.c) ------------------------------------------------- */

/*
 * The core kernel's symbol NAME, the first one of this name, else a module's.  0: there is none, or
 * this kernel does not report it, so /proc/kallsyms is to be read.
 */
uint64_t kernel_address(const char *name);

/* --- modules that are a part of the kernel (builtin.c) --------------------------------------- */

struct builtin_range {
	uint64_t begin, end;
};
typedef VECTOR(struct builtin_range) builtin_range_vector;
typedef uint64_t symbol_address_fn(const char *symbol); /* kernel_address() */
/* Add to RET where MODULE is, as LINES say, those of a file modules.builtin.ranges; sections
 * without an address are passed over. */
void builtin_ranges(FILE *lines, const char *module, symbol_address_fn *address,
		    builtin_range_vector *ret);

/* --- the kernel's machine code (code.c) ------------------------------------------------------ */

struct kernel_code;
MUST_CHECK struct error *kernel_code_open(struct kernel_code **ret);
void kernel_code_close(struct kernel_code *k); /* NULL is fine */
/* False: some of the SIZE bytes at ADDRESS are not mapped. */
bool kernel_code_read(struct kernel_code *k, uint64_t address, void *ret, size_t size);

/* --- programs (prog.c) ----------------------------------------------------------------- */

struct prog_request {
	enum bpf_prog_type type;
	uint32_t attach_type; /* expected_attach_type, 0: none */
	uint32_t attach_btf;  /* BTF id of the target in the kernel's types; 0: none */
	int attach_module;    /* descriptor of the BTF with this id, of a module; 0: the kernel's */
	const char *name;
	const struct bpf_insn *code;
	uint32_t count;
	bool may_sleep;
	int btf; /* of FUNC_INFO; 0: none */
	const void *func_info;
	uint32_t func_info_count, func_info_size;
	char *log; /* may be NULL */
	uint32_t log_size, log_level;
};

/* On a refusal by the verifier error_errno() is EACCES, EINVAL, E2BIG ...; log holds why. */
MUST_CHECK struct error *prog_load(const struct prog_request *request, int *ret);
/*
 * Is it safe to run the loaded program? A program that the JIT did not translate (arm64: a
 * conditional jump reaches 1 MiB) runs in the kernel's interpreter, where calls between its
 * functions may jump to wrong places: 6.1 and 6.12 crash.  If the JIT is off, short programs
 * are safe.
 */
bool prog_can_run(int prog);
MUST_CHECK struct error *btf_load(const void *data, uint32_t size, int *ret);
/* The types of the module NAME that is loaded. */
MUST_CHECK struct error *btf_of_module(const char *name, int *ret);

/*
 * Run a program once, on CPU (-1: this one), with CONTEXT (u64s): one for a raw tracepoint, or, on
 * this CPU only, a BPF_PROG_TYPE_SYSCALL one, which may write to CONTEXT.
 */
MUST_CHECK struct error *prog_test_run(int prog, const void *context, uint32_t size, int cpu);

/* Firings that the kernel skipped because the program already ran on that CPU. */
uint64_t prog_missed(int prog);

/* --- the kernel's log (log.c) -------------------------------------------------------------- */

/* From now on; -1: we may not read it. */
int kernel_log_open(void);
/* LOST(process) for each return probe that was not armed, of those that are logged, since then. */
typedef void kernel_log_fn(void *arg, int pid);
void kernel_log_lost_returns(int fd, kernel_log_fn *lost, void *arg);

/* --- links (link.c, perf_event.c, link_set.c): attachments ------------------------------------ */

/*
 * Descriptors that keep probes attached.  Closing a perf one waits about 100 ms
 * in the kernel, one after another; link_set_deinit() first disables all of
 * them and then closes in parallel threads, so that the waits overlap where
 * the kernel lets them.
 */
struct place_event;
struct attachment {
	int fd;
	struct place_event *places; /* a perf event of these (place_event.c); else NULL */
	bool counts;		    /* a link at functions of the kernel: link_set_missed() */
};
/* When a file's places were put into processes (CLOCK_MONOTONIC); 0: unknown. */
struct in_place {
	const char *path; /* of the request */
	uint64_t since;	  /* a process that maps the file from then on has them from the first
			   * instruction on */
	uint64_t all;	  /* and those that mapped it before have them from then on */
};
struct link_set {
	VECTOR(struct attachment) links;	   /* bpf links: quick to close */
	VECTOR(struct attachment) events;	   /* perf events */
	VECTOR(struct link_thread *) link_threads; /* links with return probes (link_thread.c) */
	/* The longest time for which a process could see, by a semaphore, that a place was probed,
	 * while no program was attached there (link_uprobes()). */
	uint64_t unseen_ns;
	VECTOR(struct in_place) in_place; /* of each link_uprobe_multi() */
};
void link_set_deinit(struct link_set *set); /* closes all */
/* Closes what runs programs.  Perf events, which are slow to close, stay and run none. */
void link_set_silence(struct link_set *set);

/* Call FUNCTION so that a kill -9 of this process does not interrupt it (unkillable.c); it should
 * do little but system calls.  Returns when FUNCTION has returned. */
void run_unkillable(void (*function)(void *arg), void *arg);
/* The same, on CPU alone (-1: on any), before almost all others; in this thread, where no child can
 * be made, without that. */
void run_unkillable_first(int cpu, void (*function)(void *arg), void *arg);

/* Move all links of FROM to TO; FROM is empty afterwards. */
void link_set_move(struct link_set *to, struct link_set *from);
bool link_set_is_empty(const struct link_set *set);
/* When all places of PATH were put into processes; the request's strings must be there still. */
struct in_place link_set_in_place(const struct link_set *set, const char *path);
/*
 * Firings at functions of the kernel that did not reach SET's programs, as far as the kernel counts
 * them (FEATURE_LINK_MISSED): it was in a probe already, or had no room for another call whose
 * return is probed.
 */
uint64_t link_set_missed(const struct link_set *set);

/* COOKIE: 0 on kernels without FEATURE_COOKIE_RAW. */
MUST_CHECK struct error *link_raw_tracepoint(int prog, const char *name, uint64_t cookie,
					     struct link_set *set);
/* The same of a program that was loaded for this tracepoint, by its type (attach_btf). */
MUST_CHECK struct error *link_typed_tracepoint(int prog, const char *name, struct link_set *set);

/* PROG, loaded for the entry or the return of the kernel's function NAME (attach_btf). */
MUST_CHECK struct error *link_traced_function(int prog, const char *name, struct link_set *set);

/* PROG gets the formatted record of the event NAME of tracefs's group GROUP. */
MUST_CHECK struct error *link_record(int prog, const char *group, const char *name, uint64_t cookie,
				     struct link_set *set);

/* Entries or returns of kernel functions. */
struct kprobe_multi {
	const uint64_t *addresses; /* NULL: those of NAMES ("vfs_read", "ext4:ext4_iget") */
	const char *const *names;
	const uint64_t *cookies;
	uint32_t count;
	bool is_return;
};
MUST_CHECK struct error *link_kprobe_multi(int prog, const struct kprobe_multi *request,
					   struct link_set *set);
/* One by one through perf events, for kernels without kprobe.multi. */
MUST_CHECK struct error *link_kprobes(int prog, const struct kprobe_multi *request,
				      struct link_set *set);

struct uprobe_multi {
	const char *path; /* of the file, opened by the kernel: use /proc/PID/... for other roots */
	const char *name; /* of it in messages */
	const uint64_t *offsets;
	const uint64_t *cookies;
	/* Offsets of the semaphores that the kernel raises in each process while the place is
	 * probed; 0: a place has none.  NULL: no place has one. */
	const uint64_t *semaphores;
	uint32_t count;
	int pid; /* 0: every process */
	bool is_return;
	/* The cookie that asks the program to find the place's itself: where many places are one
	 * event; 0: the program cannot (link_uprobes()). */
	uint64_t asks;
};
MUST_CHECK struct error *link_uprobe_multi(int prog, const struct uprobe_multi *request,
					   struct link_set *set);
/*
 * A perf event that counts the calling thread's firings at OFFSET of the file PATH: the place
 * becomes a probe as for any other tracer.  The caller closes *RET, which takes 100 ms.
 */
MUST_CHECK struct error *uprobe_own_open(const char *path, uint64_t offset, int *ret);
/*
 * A stop point (stop_point.c): PID, a process with one thread that we trace by ptrace, gets a
 * SIGTRAP with the si_code STOP_POINT_CODE each time it has executed the instruction at OFFSET of
 * the file PATH.  Linux 5.13; error_errno() EACCES, EPERM: no privileges.  After stop_point_free(),
 * which does not wait, it gets none.
 */
#define STOP_POINT_CODE 6 /* TRAP_PERF of <asm/siginfo.h> */
struct stop_point;
MUST_CHECK struct error *stop_point_new(int pid, const char *path, uint64_t offset,
					struct stop_point **ret);
void stop_point_free(struct stop_point *s); /* NULL is fine */
/* For kernels without uprobe_multi: many places as one event of tracefs where that is possible
 * (place_event.c), else one by one.  Raises the limit of open files where that is needed. */
MUST_CHECK struct error *link_uprobes(int prog, const struct uprobe_multi *request,
				      struct link_set *set);

/*
 * Pin all links of SET in DIR and close the descriptors: the attached programs stay.  An error if
 * SET has links that cannot stay (return probes of the kernel), or DIR is not a folder for pins.
 */
MUST_CHECK struct error *link_set_pin(struct link_set *set, const char *dir);
/* Add the links that are pinned in DIR to SET. */
MUST_CHECK struct error *link_set_open(struct link_set *set, const char *dir);

/* What perf_event_open(2) counts: it fires each PERIOD-th time. */
struct perf_counter {
	uint32_t type;
	uint64_t config, period;
	bool no_user, no_kernel;
};
bool kernel_counts(const struct perf_counter *counter); /* here? */
MUST_CHECK struct error *link_counter(int prog, int cpu, const struct perf_counter *counter,
				      uint64_t cookie, struct link_set *set);

/* Accesses of memory that a debug register of the CPU reports (abi/event.h: enum watch_access). */
struct perf_watch {
	uint64_t address;
	uint32_t length, access;
	int thread;   /* by this one and the threads that it starts; 0: by all, on one CPU */
	bool follows; /* and by the processes that it starts */
};
/* Can any address be watched so?  Else the error code of the kernel's refusal; EIO: it does not
 * refuse, but a write of our own is not reported. */
int kernel_watches(uint32_t access, uint32_t length);
/* CPU -1, of a thread: on all. error_errno() ENOSPC: all registers are taken. */
MUST_CHECK struct error *link_watch(int prog, int cpu, const struct perf_watch *watch,
				    uint64_t cookie, struct link_set *set);

/* A cpu-clock timer on CPU that runs PROG every PERIOD ns. */
MUST_CHECK struct error *link_timer(int prog, int cpu, uint64_t period, uint64_t cookie,
				    struct link_set *set);

/* --- pins (pin.c): objects that stay when we end ---------------------------------------------- */

/*
 * The folder that DIR is to be in, or is in, locked for us until pins_unlock(), or our end.  MAKE:
 * a missing folder is made, in a BPF file system; otherwise error_errno() is ENOENT then.  Neither
 * may belong to another user, who could put objects there.
 */
MUST_CHECK struct error *pins_lock(const char *dir, bool make, int *ret);
void pins_unlock(const char *dir, int lock); /* removes the folder if it is empty; -1 is fine */
bool pins_exist(const char *dir);
MUST_CHECK struct error *pins_make(const char *dir);
MUST_CHECK struct error *pins_rename(const char *from, const char *to);
/* Unpin what pin_make() pinned in DIR, and remove it if it is empty then.  No DIR is fine. */
MUST_CHECK struct error *pins_remove(const char *dir);

struct pin_name {
	const char *dir, *kind; /* without dots */
	size_t number;
};
MUST_CHECK struct error *pin_make(const struct pin_name *name, int fd);
MUST_CHECK struct error *pin_open(const struct pin_name *name,
				  int *ret); /* error_errno() ENOENT: none */
/* Bytes under a name: an array of one value, as the file system has no plain files. */
MUST_CHECK struct error *pin_bytes(const struct pin_name *name, const void *data, uint32_t size);
/* The caller frees *RET. */
MUST_CHECK struct error *pin_read_bytes(const struct pin_name *name, void **ret, uint32_t *size);

/* --- what processes map as code (code_watch.c) ----------------------------------------------- */

struct code_mapped {
	int pid; /* in our PID namespace */
	uint64_t address, length, offset;
	uint32_t dev_major, dev_minor;
	uint64_t inode;	  /* 0: no file */
	const char *path; /* as the process sees it */
	uint64_t when;	  /* CLOCK_MONOTONIC */
};

struct code_watch;
/*
 * From now on; needs CAP_PERFMON.  AT_ONCE: becomes readable with each report, else when a CPU's
 * ring is half full.
 */
MUST_CHECK struct error *code_watch_open(bool at_once, struct code_watch **ret);
void code_watch_close(struct code_watch *w); /* NULL is fine */
/* Becomes readable when there is something to read: to be watched for edges. */
int code_watch_poll_fd(const struct code_watch *w);

struct code_watch_visitor {
	void (*mapped)(void *arg, const struct code_mapped *mapped);
	void (*forked)(void *arg, int parent, int pid, uint64_t when); /* not threads */
	/* A thread of PID has ended; or BY_EXEC: PID executes a program (only if opened AT_ONCE).
	 */
	void (*left)(void *arg, int pid, bool by_exec, uint64_t when);
	void *arg;
};
/*
 * Visit what was reported since the last call, by time.  True: some was lost, as the ring was full.
 */
bool code_watch_read(struct code_watch *w, const struct code_watch_visitor *visitor);
/*
 * Watch CPUs that have come online since the last call, too.  *ANY: there are some; what was mapped
 * there until now was not reported.  Reports of a CPU that has gone and come back are to be read
 * before.
 */
MUST_CHECK struct error *code_watch_follow_cpus(struct code_watch *w, bool *any);

/* --- exec (exec_watch.c) --- */

#define EXEC_NAME_MOST 15 /* characters of a program's name that the kernel keeps */

/*
 * The next process that executes a program whose base name begins with NAME's first characters, all
 * of them if they are fewer, is stopped (SIGSTOP) before the program's first instruction.
 */
struct exec_watch;
MUST_CHECK struct error *exec_watch_new(const char *name, struct exec_watch **ret);
int exec_watch_stopped(const struct exec_watch *w);		 /* it; 0: none yet */
MUST_CHECK struct error *exec_watch_again(struct exec_watch *w); /* it was not the one */
void exec_watch_free(struct exec_watch *w);			 /* NULL is fine */

/* --- PID namespaces (namespace.c) ------------------------------------------------------------ */
/*
 * The inode of our PID namespace if it is not the first one; 0: it is, or /proc does not show it.
 */
uint32_t kernel_pid_namespace(void);
/* An error when numbers in /proc are not ours, so that we would look at other processes. */
MUST_CHECK struct error *kernel_check_proc(void);

/* --- CPUs (cpu.c) -------------------------------------------------------------------------- */
unsigned kernel_cpus_possible(void); /* highest possible CPU number + 1 */
/* Online CPUs, ascending; owned by the callee. */
const int *kernel_cpus_online(unsigned *count);

/* Those that were online when its owner last queried. */
struct cpus_seen {
	uint64_t *arrival; /* by CPU: changes when it goes and comes; 0: it was offline */
	int *now, *arrived;
};
/*
 * Those of kernel_cpus_online(), as they are now: before what ends with them is opened on them.
 * Zeros are begun by the first query.
 */
void cpus_seen_init(struct cpus_seen *seen);
void cpus_seen_deinit(struct cpus_seen *seen);
/*
 * Those that are online now and were not when SEEN was last brought up to date, or have been
 * offline since; valid until the next call, which finds those that arrive after this one.
 */
const int *kernel_cpus_arrived(struct cpus_seen *seen, unsigned *count);
/* CPU if it is online now, or if this is unknown; else the first CPU that is. */
int kernel_cpu_or_other(int cpu);

/* --- features (feature.c): tested by trying, each once ------------------------------------- */
enum kernel_feature {
	FEATURE_UPROBE_MULTI, /* link type, 6.6 */
	FEATURE_BTF,	      /* /sys/kernel/btf/vmlinux */
	FEATURE_COOKIE_RAW,
	FEATURE_WRITE_USER,   /* bpf_probe_write_user(): not under lockdown */
	FEATURE_SEND_SIGNAL,  /* bpf_send_signal(), 5.3 */
	FEATURE_KPROBE,	      /* perf events of CONFIG_KPROBES */
	FEATURE_KPROBE_MULTI, /* link type, 5.18, CONFIG_FPROBE */
	FEATURE_JIT,	      /* programs become machine code (net.core.bpf_jit_enable) */
	FEATURE_LINK_MISSED,  /* links at functions of the kernel count missed firings, 6.7 */
	FEATURE_COUNT,
};
bool kernel_has(enum kernel_feature feature);
const char *kernel_feature_name(enum kernel_feature feature);

/*
 * So many frames of a stack the kernel walks (kernel.perf_event_max_stack), those that we skip
 * among them.  Read once.  While a program that takes stacks is loaded the kernel refuses to change
 * it (EBUSY).
 */
uint32_t kernel_frames(void);

/* Why the kernel lets us load programs, but none that write to user memory; the caller frees it. */
char *kernel_why_no_writing(void);

/* Are we in a namespace of users, where root may be nobody outside? */
bool kernel_in_user_namespace(void);

/*
 * Let this thread, but none that it makes, have a CPU as soon as it wakes up, unless the user has
 * chosen a priority (nice) or may not give one (priority.c).
 */
void kernel_run_soon(void);
/* Let this thread run before almost all others, on CPU alone (-1: on any), unless it may not: for a
 * child that does little and ends (unkillable.c). */
void kernel_run_first(int cpu);

/*
 * Why tracing cannot work for this user at all (no CAP_BPF ...), in the user's words; NULL: it
 * can.
 */
MUST_CHECK struct error *kernel_check_privileges(void);

#endif
