/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loader - the kernel as executor: program to loaded programs
 *
 * In:   struct program (abi/program.h).
 * Out:  descriptors: a program for each group, maps, the mapped state region; events attached.
 *
 * For each group the loader puts together the group's code and the functions of
 * the run-time library that it calls (link.c), fills in descriptors and
 * addresses (relocate.c), describes all functions in BTF, which the kernel wants
 * for functions that it verifies one by one (program_btf.c), and loads the result.
 * Maps are made when the first instruction refers to them (maps.c, program_map.c,
 * buffers.c), so a script without strings has no scratch memory.  load.c does all
 * this for each group, with the library of runtime.c and the kernel's offsets of kernel_offsets.c.
 * watcher.c loads the small programs that the others rely on.
 * reader.c reads buffers and maps for the consumer.
 *
 * attach.c has a row for each kind of event: the type of program that it wants, and what attaches
 * it.
 *
 * Always true:
 *   1. Everything hangs on descriptors of this process: its end is the end.  Only what
 *      loader_pin() was asked to pin stays, for another process to adopt (pin.c).
 *   2. A refusal by the verifier is our mistake, unless it is a limit of its own;
 *      the message says which.  It names the clause and its line, and the
 *      verifier's log is shown under -xdebug (verifier_log.c).
 */
#ifndef LOADER_LOADER_H
#define LOADER_LOADER_H

#include "abi/abi.h"
#include "base/base.h"
#include "executor/flight.h"
#include "executor/source.h"

/* Who wants to see what is loaded; functions may be NULL. */
struct loader_watch {
	void *arg;
	/* A whole program, all references filled in. */
	void (*code)(void *arg, const char *name, const struct bpf_insn *code, uint32_t count);
	/* What the verifier says of it, also when it accepts it. */
	void (*log)(void *arg, const char *name, const char *text);
};

struct loader_options {
	bool halve; /* bufresize=auto: smaller buffers and maps when memory is short */
	enum buffer_policy policy;
	uint64_t buffer_size; /* bufsize: of each CPU's principal buffer */
	unsigned speculation_count;
	uint64_t speculation_size; /* specsize: bytes that each may hold */
	uint64_t dynamic_size;	   /* dynvarsize: limits self variables */
	unsigned cpu_count;	   /* online: as many buffers, up to a limit */
	uint32_t log_size;	   /* room for the verifier's log; 0: what suffices for most */
	struct loader_watch watch;
	/* Programs that tell of code arriving in so many processes at most; 0: none. */
	uint32_t watched_processes;
	unsigned walker_frames; /* of the kernel, before a program's own in its stack (struct arch)
				 */
	uint64_t wall_offset;	/* ns to add to the monotonic clock for UTC */
	/* Where MEMBER ("se.exec_start") lies in the kernel's struct TYPE, or -1. */
	int32_t (*offset)(void *arg, const char *type, const char *member);
	/* Where the kernel's per-CPU variable NAME lies among these, or -1. */
	int64_t (*variable)(void *arg, const char *name);
	/* Which of the kernel's types its tracepoint NAME has (BTF id), or why that is not known.
	 */
	struct error *(*tracepoint)(void *arg, const char *name, uint32_t *ret);
	/* Where the COUNT functions NAMES of the kernel begin and end; zeros: not known. */
	void (*functions)(void *arg, const char *const *names, unsigned count,
			  struct address_range *ret);
	/* What the kernel knows its function NAME by (BTF), if programs may call it, or -1. */
	int32_t (*function)(void *arg, const char *name);
	void *arg;
};

struct link_set; /* kernel/kernel.h: what is attached and closed together */

struct loaded {
	const struct program *program; /* a loan */
	void *state;		       /* the state region (abi/state.h), mapped */
	size_t state_size;
	struct control *control;
	struct area_counters *counters;	   /* one for each possible CPU */
	struct clause_drops *clause_drops; /* [CPUs][clauses]; NULL: not wanted */
	char *globals, *keyless;
	int *maps;	   /* program->map_count descriptors */
	int *programs;	   /* program->group_count descriptors */
	int thread_exit;   /* program for sched_process_exit, or -1 */
	int thread_switch; /* for sched_switch, or -1 */
	/* What tells of code that arrives (struct arrival), or -1: */
	int code_mapped;      /* for a dynamic linker's function for debuggers; on demand, below */
	int program_executed; /* for sched_process_exec */
	int watched;	      /* hash of process numbers, to be filled */
	int arrivals;	      /* ring of ARRIVALS_SIZE */
	int *rings;	      /* ring_count of them: CPU n writes to n % ring_count; -1: none */
	unsigned ring_count;
	bool ring_lowered; /* memory was short */
	uint32_t ring_size;
	void *flight; /* bufpolicy=ring: flight_count recorders (abi/state.h), mapped; else NULL */
	size_t flight_size;
	uint32_t flight_count, flight_stride;
	bool speculation_lowered;  /* memory was short */
	uint32_t speculation_size; /* as it became; 0: the program has no speculations */
	/* Bytes that aggregations and arrays got where the kernel refused more; else 0. */
	uint64_t aggregation_lowered, dynamic_lowered;
	/* What loader_source() opens: by CPU, NULL where there is none; the ring of arrivals. */
	struct ring **opened, *arrivals_opened;
	struct flight_memory flight_memory;
	VECTOR(int) descriptors; /* all of the above and more, to close */
	struct maps *maps_made;	 /* the loader's */
};

#define ARRIVALS_SIZE 4096

/* Nothing is attached yet.  On error nothing stays open. */
struct error *loader_load(const struct program *p, const struct loader_options *options,
			  struct loaded *ret);

/*
 * Load P, too, over the state, buffers and maps of what is loaded: another program of the same
 * clauses, for probes that came later.  PROGRAMS gets P's group_count descriptors, which LOADED
 * closes.  An error if P's state is laid out in another way.
 */
struct error *loader_load_more(const struct program *p, const struct loader_options *options,
			       struct loaded *loaded, int *programs);
enum attach_when {
	ATTACH_FIRST,
	ATTACH_CPU_CAME, /* all is attached already; only_cpu has just come online */
	ATTACH_CPU_LEFT, /* what was attached on one CPU goes to one_cpu: the CPU went offline */
};

/* Events of one group, to be attached to its loaded program. */
struct attach_request {
	const struct group_code *group;
	int program; /* fd */
	int pid;     /* not 0: events in this process alone; 0: those in no process */
	enum attach_when when;
	int only_cpu; /* the only one that is traced, or -1 */
	int one_cpu;  /* where events go that happen on one CPU and do not mind which */
	/*
	 * The kernel refuses one place of the group's EVENT, with WHY, which is taken; ALONE: it is
	 * the only one.  NULL: go on without it.
	 */
	struct error *(*refused)(void *arg, uint32_t event, bool alone, struct error *why);
	void *arg;
};

/*
 * Let the program run at these events.  BEGIN and END need no attaching.  On error nothing
 * stays attached.
 */
struct error *loader_attach(const struct attach_request *request, struct link_set *links);

/* Load loaded->code_mapped, unless it is. */
struct error *loader_load_code_watcher(const struct loader_options *options, struct loaded *loaded);
void loaded_deinit(struct loaded *l);

/* L as the consumer reads it (reader.c), once; L stays where it is meanwhile. */
struct error *loader_source(struct loaded *l, struct record_source *ret);
/*
 * Passing the mark wakes the consumer once.  A buffer that was refilled while it was emptied does
 * not pass the mark again: then nobody must sleep, or it is full long before the next round.
 */
bool loader_is_above_mark(const struct loaded *l);
bool loader_has_requests(const struct loaded *l);

/*
 * Pin what another process needs to go on with L in DIR (kernel.h, pins).  NAMES is a number that
 * stands for the names of the probes.
 */
struct error *loader_pin(const struct loaded *l, uint64_t names, const char *dir);

/*
 * The opposite: L as it was loaded elsewhere, by P's numbers.  An error if what is pinned in DIR
 * was not loaded from the very same program, under the same NAMES, by the same dtrace.
 */
struct error *loader_adopt(const struct program *p, uint64_t names, const char *dir,
			   struct loaded *ret);

/* For each enum rt_function: bytes of stack that a call of it needs, with all that it calls. */
const uint16_t *loader_runtime_stack(void);

#endif
