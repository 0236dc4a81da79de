/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * executor - what runs programs: the kernel (loader/), or this process (interpreter/)
 *
 * In:   struct program (abi/program.h).
 * Out:  firings, whose records and values the consumer reads as a source (source.h).
 *
 * The tracer knows an executor by this table of functions alone.  Their order in a run:
 *
 *   facts    for the plan
 *   check    before anything is made; refuse_event and refuse_call for what the program has
 *   load     memory, maps and code; nothing fires.  adopt: the same of what was pinned
 *   source   for the consumer
 *   watch    processes whose code may change
 *   attach   events fire from now on, but clauses run only while control.activity is ACTIVE
 *   fire     BEGIN; later END
 *   step     in each round, and when a descriptor of poll_fd is readable
 *   load_more, attach   for probes that came later; requests of the source report them
 *   stop     nothing but END fires any more; source.reader->settle() waits for what has begun
 *   detach   what stop() has begun is done
 *   free
 *
 * What an executor cannot do or has no need of is NULL in its table; all other functions are there:
 *   check, refuse_event     it runs for everybody, at every event
 *   sizes, is_above_mark, missed, stop, detach     nothing to say or to do
 *   watch with forget, drop_returns, load_more, pin, adopt       the tracer refuses what needs
 * them, in the same words for each (tracer_lacks() in tracer/executor.c)
 *
 * What this does not hide: pins are of the kernel's file system, so tracer/anonymous.c makes their
 * folder itself; CPUs, namespaces and features of the machine are asked of kernel/ by the tracer,
 * too; -c processes are held and let go by process/.
 *
 * To come, each where somebody needs it:
 *   the held process   an executor inside of the traced process enters it between load() and
 *                      attach(), while it is held: options will have its struct process
 *   a table            struct arrival gets a kind for a table that is missing (unwinding); a
 *                      function here takes the table
 *   several at once    each probe's clauses go where needs (plan/plan.h) and refuse_event() allow:
 *                      one program and one source for each executor
 */
#ifndef EXECUTOR_EXECUTOR_H
#define EXECUTOR_EXECUTOR_H

#include "executor/source.h"

struct bpf_insn;

/* --- what the plan must know of an executor ----------------------------------------------- */

struct executor_facts {
	uint32_t area_count;	       /* program.area_count */
	uint32_t kernel_frames;	       /* the most of a stack that it walks in the kernel */
	const uint16_t *runtime_stack; /* for each run-time function: bytes; NULL: unknown */
	bool can_sleep;		       /* programs at user functions may sleep */
	bool tracepoint_cookies;       /* programs at raw tracepoints know theirs */
};

/* --- what the user chose, and what the tracer knows ------------------------------------------ */

/* The running kernel: types and symbols of the tracer.  Of a missing thing: -1. */
struct executor_kernel {
	void *arg;
	/* Where MEMBER ("se.exec_start") is in the kernel's struct TYPE. */
	int32_t (*offset)(void *arg, const char *type, const char *member);
	/* Where the kernel's per-CPU variable NAME is among these. */
	int64_t (*variable)(void *arg, const char *name);
	/* Which of the kernel's types its tracepoint NAME has (BTF id), or why that is not known.
	 */
	struct error *(*tracepoint)(void *arg, const char *name, uint32_t *ret);
	/* Where the COUNT functions NAMES of the kernel begin and end; zeros: not known. */
	void (*functions)(void *arg, const char *const *names, unsigned count,
			  struct address_range *ret);
	/* The BTF id of its function NAME, if programs may call it. */
	int32_t (*function)(void *arg, const char *name);
	/* Frames of its stack walk before a program's own (struct arch). */
	unsigned walker_frames;
};

/* Who wants to see what is loaded; functions may be NULL. */
struct executor_viewer {
	void *arg;
	/* A whole program, all references filled in. */
	void (*code)(void *arg, const char *name, const struct bpf_insn *code, uint32_t count);
	/* What the verifier says of it, also when it accepts it. */
	void (*log)(void *arg, const char *name, const char *text);
	/* One that is refused for its size: INSTRUCTIONS of it are the group's. */
	void (*too_large)(void *arg, enum event_kind kind, uint32_t instructions);
};

struct executor_options {
	enum buffer_policy policy;
	uint64_t buffer_size;  /* bufsize: of each area's principal buffer */
	uint64_t dynamic_size; /* dynvarsize: limits self variables */
	unsigned speculation_count;
	uint64_t speculation_size;  /* specsize: bytes that each may hold */
	bool halve;		    /* bufresize=auto: smaller ones when memory is short */
	uint64_t wall_offset;	    /* ns to add to the monotonic clock for UTC */
	int only_cpu;		    /* -x cpu: nothing fires on others; or -1 */
	uint32_t watched_processes; /* so many at most; 0: watch() is not called */
	uint32_t log_size;	    /* room for the verifier's log; 0: what suffices for most */
	bool quiet;		    /* messages are of mistakes and losses alone */
	struct executor_viewer viewer;
	struct executor_kernel kernel;
};

/* What sizes have become. */
struct executor_sizes {
	uint32_t buffer;
	bool buffer_lowered;  /* memory was short */
	uint32_t speculation; /* 0: the program has no speculations */
	bool speculation_lowered;
	/* Bytes that aggregations and arrays got where they could not have all; else 0. */
	uint64_t aggregation_lowered, dynamic_lowered;
};

/* --- what is to be attached ----------------------------------------------------------------- */

struct executor_request {
	unsigned program; /* 0: that of load(); then those of load_more() in their order */
	int pid;	  /* its events in this process; 0: those in no process */
	/*
	 * One place of EVENT of the program's group GROUP is refused, with WHY, which is taken;
	 * ALONE: it is the only one of its file.  NULL: go on without it.
	 */
	struct error *(*refused)(void *arg, unsigned group, uint32_t event, bool alone,
				 struct error *why);
	void *arg;
};

/* --- the table ------------------------------------------------------------------------------- */

struct executor_ops {
	const char *word; /* of -x executor */
	const char *name; /* as in messages: "the interpreter" */

	/* KINDS: a bit for each enum event_kind that the program has. */
	struct executor_facts (*facts)(uint32_t kinds);
	/* An error if this user cannot use it here at all.  NULL: everybody can. */
	struct error *(*check)(void);
	/*
	 * Why it cannot run clauses at this event, in words after the probe's name; NULL: it can.
	 * No such function: at all.
	 */
	const char *(*refuse_event)(const struct event *event);
	/* The same of what code calls, after the clause's. */
	struct error *(*refuse_call)(enum rt_function function);

	/* P outlives what is loaded, and so do the functions of OPTIONS. */
	struct error *(*load)(const struct program *p, const struct executor_options *options,
			      void **ret);
	/*
	 * P, too, over the same state, buffers and maps: another program of the same clauses, for
	 * probes that came later.  An error if P's state is laid out in another way.
	 */
	struct error *(*load_more)(void *self, const struct program *p);
	struct executor_sizes (*sizes)(const void *self); /* NULL: as they were asked for */
	/* Once; the source is of use until free(). */
	struct error *(*source)(void *self, struct record_source *ret);

	/*
	 * Report what arrives in process PID (requests of the source): programs that it executes,
	 * if LINKER is NULL; else libraries that it has mapped when it calls LINKER, where it waits
	 * for control.arrivals_seen.
	 */
	struct error *(*watch)(void *self, int pid, const struct event_code *linker);
	/*
	 * What is attached in process PID is dead since another thread than its first one has
	 * executed a program; it is let go of when something is attached there again.
	 */
	void (*forget)(void *self, int pid);
	/*
	 * Return probes that replace return addresses would end process PID from now on: begin to
	 * take those away that are there, and attach no more of them.
	 */
	void (*drop_returns)(void *self, int pid);
	/* BEGIN and END need no attaching. */
	struct error *(*attach)(void *self, const struct executor_request *request);
	/* Run the clauses of BEGIN or END here; INDEX: in the probe table of the group. */
	struct error *(*fire)(void *self, unsigned group, uint32_t index);

	/* STATUS: the time of -x statusrate has come, too, to look at CPUs and processes. */
	struct error *(*step)(void *self, bool status);
	/* The N-th descriptor that becomes readable when records, requests or steps are due; -1: no
	 * more. */
	int (*poll_fd)(void *self, unsigned n);
	/*
	 * Are there so many records that nobody must sleep?  Passing the mark (control.wake_bytes)
	 * wakes the consumer once; a buffer that was refilled while it was emptied does not pass it
	 * again.  NULL: never.
	 */
	bool (*is_above_mark)(const void *self);
	/* Firings that it has skipped; NULL: it skips none. */
	uint64_t (*missed)(const void *self);

	/* Begin to detach all.  True: something was attached, whose firings may still go on. */
	bool (*stop)(void *self);
	void (*detach)(void *self); /* stop(), and wait for its end */

	/*
	 * Let all go on without us, under names in DIR, for adopt().  NAMES is a number that stands
	 * for the names of the probes; adopt() returns an error if what is in DIR was not loaded
	 * from the very same program, under the same NAMES, by the same dtrace.
	 */
	struct error *(*pin)(void *self, uint64_t names, const char *dir);
	struct error *(*adopt)(const struct program *p, const struct executor_options *options,
			       uint64_t names, const char *dir, void **ret);
	void (*free)(void *self);
};

#endif
