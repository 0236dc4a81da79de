/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * executor - one interface to what runs programs: the kernel (loader/) or this process
 *
 * In:   struct program (abi/program.h).
 * Out:  firings, whose records and values the consumer reads as a source (source.h).
 *
 * The tracer uses an executor only by the table of functions below.  Their order in a run:
 *
 *   facts    for providers, before descriptions are matched, and for the plan
 *   check    before anything is made; refuse_event and refuse_call for its events and calls
 *   load     memory, maps and code; nothing fires.  adopt: the same for a pinned program
 *   enter    each held process, by an executor whose code runs inside of processes
 *   source   for the consumer
 *   watch    processes whose code may change; watch_cgroups: control groups
 *   attach   events fire from now on, but clauses run only while control.activity is ACTIVE
 *   fire     BEGIN; later END
 *   step     in each round, and when a descriptor of poll_fd is readable
 *   load_more, attach   for probes that appear later; requests of the source report them
 *   stop     only END fires any more; source.reader->settle() waits for firings under way
 *   detach   ends what stop() has begun
 *   free
 *
 * An executor has all of struct executor_ops.  What only some executors have is in tables of their
 * own, of which an executor has all or nothing:
 *   outside   of an executor whose programs run outside of dtrace: check, sizes, is_above_mark,
 *             missed, stop, detach
 *   follow    processes, control groups and code that arrive: watch, join, load_more ...
 *   stacks    user stacks by tables, and frames of interpreters
 *   pin       what continues without dtrace: pin, adopt
 * What needs a table that is not there is refused, with one message (tracer_lacks() in
 * tracer/executor.c), or has nothing to do.
 *
 * Two run at once where an executor in a process cannot run all clauses: the kernel runs the
 * others, with a program and a source of its own (tracer/place.c).
 *
 * The interface does not hide these things: pins are in the kernel's file system, so
 * tracer/anonymous/anonymous.c makes their folder itself; the tracer asks kernel/ for CPUs,
 * namespaces and features of the machine; process/ holds and releases the processes of -c.
 *
 * Extensions, to be made when they are needed:
 *   BEGIN, END, ticks  of such an executor: interpreter_on(), on the memory that it shares with the
 *                      processes (interpreter/interpreter.h)
 *
 * To add an executor: a folder with such a table (interpreter/ has the smallest), its row in
 * ARCHITECTURE.md and its name in the row of tracer/, the table in tracer/permit.c, a word of the
 * option executor.  What the run-time library needs from it: runtime/port_bpf.h (the kernel),
 * runtime/port_native.h (any process), and the host.h of each folder that compiles the library.
 */
#ifndef EXECUTOR_EXECUTOR_H
#define EXECUTOR_EXECUTOR_H

#include "abi/interpreted.h"
#include "executor/source.h"

struct bpf_insn;
struct images;
struct process;

/* --- facts about an executor, for the plan ------------------------------------------------ */

struct executor_facts {
	uint32_t area_count;		  /* program.area_count */
	uint32_t tree_area_count;	  /* the same where children are followed; 0: no other */
	uint32_t kernel_frames;		  /* the most frames of a kernel stack that it records */
	const uint16_t *runtime_stack;	  /* for each run-time function: bytes; NULL: unknown */
	bool can_sleep;			  /* programs at user functions may sleep */
	bool (*tracepoint_cookies)(void); /* as in struct group_facts (plan/group.h) */
	/* A process's return probe fires in others, too, in which the same return is traced. */
	bool returns_of_others;
	/* Functions of processes return at the instructions that leave them: there are no return
	 * probes.  Known before descriptions are matched, whatever the KINDS. */
	bool returns_by_exits;
	bool never_splits; /* programs may have any size: a group has one part */
	/* Firings cannot keep the consumer from its CPU: they do not look (struct deadman). */
	bool never_starves;
};

/* --- the user's options, and facts about the kernel ------------------------------------------ */

/* The running kernel: types and symbols, looked up by the tracer.  Of a missing name: -1. */
struct executor_kernel {
	void *arg;
	/* The offset of MEMBER ("se.exec_start") in the kernel's struct TYPE. */
	int32_t (*offset)(void *arg, const char *type, const char *member);
	/* The offset of the kernel's per-CPU variable NAME among the per-CPU variables. */
	int64_t (*variable)(void *arg, const char *name);
	/* The BTF id of the type of the kernel's tracepoint NAME, or why it is not known. */
	struct error *(*tracepoint)(void *arg, const char *name, uint32_t *ret);
	/* The address ranges of the COUNT functions NAMES of the kernel; zeros: not known. */
	void (*functions)(void *arg, const char *const *names, unsigned count,
			  struct address_range *ret);
	/* The BTF id of the kernel's function NAME; module`name: of a module. */
	int32_t (*function)(void *arg, const char *name);
	/* Frames before the program's own, and those of a tracepoint's callers (struct arch). */
	unsigned walker_frames, tracepoint_frames;
};

/* Callbacks that see the code as it is loaded; they may be NULL. */
struct executor_viewer {
	void *arg;
	/* A whole program, all references filled in. */
	void (*code)(void *arg, const char *name, const struct bpf_insn *code, uint32_t count);
	/* The verifier's log of a program, also of an accepted one. */
	void (*log)(void *arg, const char *name, const char *text);
	/* A program was refused for its size: INSTRUCTIONS of its instructions are the group's. */
	void (*too_large)(void *arg, enum event_kind kind, uint32_t instructions);
	/* The kernel takes no program for E, of EVENT_KERNEL_FENTRY or _FEXIT. */
	void (*no_trampoline)(void *arg, const struct event *e, const struct error *why);
};

struct executor_options {
	enum buffer_policy policy;
	uint64_t buffer_size;  /* bufsize: of each area's principal buffer */
	uint64_t dynamic_size; /* dynvarsize: limits self variables */
	unsigned speculation_count;
	uint64_t speculation_size; /* specsize: bytes that each may hold */
	bool halve;		   /* bufresize=auto: halve the buffers when memory is short */
	uint64_t wall_offset;	   /* ns to add to the monotonic clock for UTC */
	int only_cpu;		   /* -x cpu: nothing fires on others; or -1 */
	/* Bytes for the tables by which user stacks are walked; 0: by frame pointers */
	uint64_t unwind_pool;
	uint64_t stack_copies; /* bytes for stacks that wait for such a table; 0: they do not */
	bool unwind_must;      /* an error where the kernel does not allow it; else a notice */
	uint32_t watched_processes; /* the most of them; 0: watch() and join() are not called */
	bool has_trees;		    /* join() may be called */
	/* Control groups of -x target (abi/state.h); 0: watch_cgroups() is not called. */
	const struct cgroup_rule *cgroup_rules;
	uint32_t cgroup_rule_count;
	uint32_t follow;   /* enum follow_flag: members of trees that are traced */
	uint32_t log_size; /* size of the buffer for the verifier's log; 0: a default that
			    * suffices for most */
	/* What the memory of an executor in processes has of the program, for cores (postmortem/).
	 */
	const void *note;
	uint64_t note_size;
	bool quiet;	       /* only mistakes and losses are reported */
	bool stays;	       /* pin() will be called */
	struct images *images; /* the files that processes run (image/) */
	/* Of an executor in processes: also where another tracer's probe would kill one */
	bool all_sites;
	struct executor_viewer viewer;
	struct executor_kernel kernel;
};

#define RING_SIZE_LEAST 4096
#define RING_SIZE_MOST (1ull << 30)

/* Bytes of an area's buffer in the memory of a process: a power of two. */
static inline uint64_t executor_ring_size(const struct executor_options *o)
{
	uint64_t size = RING_SIZE_LEAST;
	while (size < o->buffer_size && size < RING_SIZE_MOST)
		size *= 2;
	return size;
}

/* Bytes that each speculation may hold, next to a buffer of RING_SIZE bytes. */
static inline uint64_t executor_speculation_size(const struct executor_options *o,
						 uint64_t ring_size)
{
	return MIN(o->speculation_size, ring_size - 64) & ~7ull;
}

/* How many threads have self variables at once, at most (struct control). */
static inline uint64_t self_limit(const struct program *p, const struct executor_options *o)
{
	return MAX(o->dynamic_size / (p->self_size + MAP_ELEMENT), 1u);
}

/* The sizes in effect. */
struct executor_sizes {
	uint32_t buffer;
	bool buffer_lowered;  /* memory was short */
	uint32_t speculation; /* 0: the program has no speculations */
	bool speculation_lowered;
	/* Bytes that aggregations and arrays got, if less than they asked for; else 0. */
	uint64_t aggregation_lowered, dynamic_lowered;
};

/* --- a request to attach -------------------------------------------------------------------- */

struct executor_request {
	unsigned program; /* 0: the program of load(); then the programs of load_more() in their
			   * order */
	int pid;	  /* the program's events in this process; 0: in no particular one */
	/*
	 * One site of EVENT of the program's group GROUP is refused.  The function takes WHY.
	 * ALONE: it is the event's only site in its file.  The result NULL: attach the others.
	 */
	struct error *(*refused)(void *arg, unsigned group, uint32_t event, bool alone,
				 struct error *why);
	/* Is the function of this event's probe named in full?  NULL: all are. */
	bool (*is_named)(void *arg, unsigned group, uint32_t event);
	void *arg;
};

/* --- mappings of a process whose stack was copied --------------------------------------------- */

struct copied_mapping {
	uint64_t begin, end, offset; /* in the file */
	bool executable;
	bool has_file; /* KEY is its file's, or the vdso's */
	struct unwind_key key;
};

/* The mapping at ADDRESS; false: there is none. */
typedef bool copied_mapping_fn(void *arg, uint64_t address, struct copied_mapping *ret);

/* --- the table ------------------------------------------------------------------------------- */

/* What each executor has: all of it but enter. */
struct executor_ops {
	const char *word; /* of -x executor */
	const char *name; /* as in messages: "the interpreter" */

	/* KINDS: a bit for each enum event_kind that the program has. */
	struct executor_facts (*facts)(uint32_t kinds);
	/* Why the executor cannot run clauses at this event, in words that follow the probe's
	 * name, or NULL: it can. */
	const char *(*refuse_event)(const struct event *event);
	/* The same for a run-time function that code calls, as words after the clause. */
	struct error *(*refuse_call)(enum rt_function function);

	/* P and the functions of OPTIONS outlive the loaded program. */
	struct error *(*load)(const struct program *p, const struct executor_options *options,
			      void **ret);
	/*
	 * Prepare the traced process P, which outlives the loaded program: a held one, or, of -p,
	 * one that runs.  NULL: the executor is outside of processes.
	 */
	struct error *(*enter)(void *self, struct process *p);
	/* To be called once; the source is valid until free(). */
	struct error *(*source)(void *self, struct record_source *ret);
	/* BEGIN and END need no attaching. */
	struct error *(*attach)(void *self, const struct executor_request *request);
	/* Run the clauses of BEGIN or END here; INDEX: in the probe table of the group. */
	struct error *(*fire)(void *self, unsigned group, uint32_t index);
	/* STATUS: the interval of -x statusrate has passed: check CPUs and processes, too. */
	struct error *(*step)(void *self, bool status);
	/* The N-th descriptor that becomes readable when records, requests or steps are due; -1:
	 * there is none. */
	int (*poll_fd)(void *self, unsigned n);
	void (*free)(void *self);

	/* The tables below; NULL: the executor has none of it. */
	const struct executor_outside *outside;
	const struct executor_follow *follow;
	const struct executor_stacks *stacks;
	const struct executor_pin *pin;
};

/* --- what only some executors have ----------------------------------------------------------- */

/* Of an executor whose programs run outside of dtrace, at any time, in memory that may be short. */
struct executor_outside {
	/* An error if this user cannot use it here at all. */
	struct error *(*check)(void);
	struct executor_sizes (*sizes)(const void *self);
	/*
	 * Are there so many records that the consumer must not sleep? Passing the mark
	 * (control.wake_bytes) wakes the consumer once; a buffer that was refilled while it was
	 * emptied does not pass the mark again.
	 */
	bool (*is_above_mark)(const void *self);
	uint64_t (*missed)(const void *self); /* the number of firings that were skipped */
	/* Begin to detach all.  True: something was attached, and its firings may still be under
	 * way. */
	bool (*stop)(void *self);
	void (*detach)(void *self);	  /* stop(), and wait for its end */
	uint64_t (*sleeping)(void *self); /* the number of firings that wait for memory */
};

/* Processes, control groups and code that arrive while programs run. */
struct executor_follow {
	/*
	 * Report code that arrives in process PID (requests of the source): programs that the
	 * process executes, if LINKER is NULL; else libraries that it has mapped when it calls
	 * LINKER (in any process, if LINKER is in no particular one). The process waits there for
	 * control.arrivals_seen.
	 */
	struct error *(*watch)(void *self, int pid, const struct event_code *linker);
	/*
	 * Process PID is in the tree of the process TARGET, with FLAGS (enum member_flag), and so
	 * will its children be; events of the tree fire in members that are MEMBER_TRACED.  No
	 * effect on a member, or on one that has ended.  *IS_NEW: it was neither.
	 */
	struct error *(*join)(void *self, int pid, int target, uint32_t flags, bool *is_new);
	/*
	 * PID is a new member of TARGET's tree, and waits for the events of the tree: under
	 * FOLLOW_PRIVATE each member has its own.  Also if another thread than its first has
	 * executed a program.
	 */
	struct error *(*add_member)(void *self, int pid, int target);
	/*
	 * Control groups that the rules mean, and all below those that are added, are added as soon
	 * as they are made.
	 */
	struct error *(*watch_cgroups)(void *self);
	/* Tasks in the control group ID are traced.  *IS_NEW: it had not been added. */
	struct error *(*add_cgroup)(void *self, uint64_t id, bool *is_new);
	/*
	 * The attachments in process PID are dead, because a thread other than its first has
	 * executed a program; they are released when something is attached there again.
	 */
	void (*forget)(void *self, int pid);
	/*
	 * Load P, too, with the same state, buffers and maps: another program of the same
	 * clauses, for probes that appeared later.  An error if the layout of P's state differs.
	 */
	struct error *(*load_more)(void *self, const struct program *p);
	/*
	 * The N-th program of load_more() (from 1) is not needed any more: begin to detach it, and
	 * free what it alone uses.  attach() must not name it again.  What missed() counts stays.
	 */
	void (*release)(void *self, unsigned program);
	/* When the N-th program's places in the file PATH were put into processes; NULL: nothing of
	 * every process can be traced. */
	struct in_place (*in_place)(const void *self, unsigned program, const char *path);
};

/* User stacks by tables of call frame information, and frames of interpreters. */
struct executor_stacks {
	/* Which file is MAPPED in our own memory, as programs know it?  False: they do not. */
	bool (*file_key)(void *self, const void *mapped, struct unwind_key *ret);
	/*
	 * User stacks that meet the file KEY are walked by TABLE from now on; NULL: it has none.
	 * Tables that are not in use may be removed for it; who meets their files asks again.  Not
	 * HAS_ROOM: all tables that would have to go are in use.
	 */
	struct error *(*table)(void *self, const struct unwind_key *key,
			       const struct unwind_table *table, bool *has_room);
	/* Who meets the file KEY again asks again. */
	void (*forget_table)(void *self, const struct unwind_key *key);
	/* What is known of the file KEY; UNWIND_ASKED: nothing. */
	enum unwind_state (*table_state)(void *self, const struct unwind_key *key);
	/*
	 * The callers in a stack that was copied (copies() of the source).  MAPPING finds what is
	 * mapped in its process at an address, and sees to it that table_state() is known.  FRAMES
	 * has room for copy->most - copy->count words; *COUNT are written.
	 */
	enum stack_end (*walk_copy)(void *self, const struct stack_copy *copy,
				    copied_mapping_fn *mapping, void *arg, uint64_t *frames,
				    uint32_t *count);
	/* Process PID runs the interpreter IN: frames of its threads are recorded from now on. */
	struct error *(*interpreter)(void *self, int pid, const struct interpreted_process *in);
	/* What programs have copied of interpreted code; NULL: none asks for its frames. */
	const struct code_texts *(*code_texts)(const void *self);
};

/* Programs that continue without this process. */
struct executor_pin {
	/* Pin all under names in DIR, for adopt().  NAMES is a hash of the probes' names. */
	struct error *(*pin)(void *self, uint64_t names, const char *dir);
	/*
	 * Instead of load().  An error if the pins in DIR are not those of the same program, with
	 * the same NAMES, by the same dtrace.
	 */
	struct error *(*adopt)(const struct program *p, const struct executor_options *options,
			       uint64_t names, const char *dir, void **ret);
};

/* --- which functions an executor can supply, and why not ------------------------------------- */
enum rt_where { WHERE_EVERYWHERE, WHERE_USER, WHERE_KERNEL };

struct rt_row {
	const char *what;
	enum rt_where where;
};

static inline const struct rt_row *rt_row(enum rt_function function)
{
	static const struct rt_row rows[] = {
#define RT(name, where, what) { what, WHERE_##where },
#include "abi/rt.def"
#undef RT
	};
	return &rows[function];
}

/* What a program says that needs FUNCTION, for messages. */
static inline const char *rt_written(enum rt_function function)
{
	switch (function) {
	case RT_task:
	case RT_task_number:
		return "curthread, curpsinfo, cwd or the like";
	case RT_user_regs:
	case RT_thread_register:
		return "uregs[]";
	default:
		return rt_row_name(function);
	}
}

#endif
