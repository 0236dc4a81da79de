/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - the memory that traced processes and the tracer share, when processes run the probes
 *
 * Four neighbours in each traced process, at fixed distances, so that the code reaches the others
 * from its own address and no address is in it:
 *
 *   code     PROCESS_CODE_SIZE   the agent's image (agent/agent.h)
 *   own      PROCESS_OWN_SIZE    struct process_own: a private page, which fork() wipes
 *                                (MADV_WIPEONFORK): in a child all is 0, and no firing begins
 *                                unless the run follows children
 *   kept     PROCESS_KEPT_SIZE   struct process_kept: a private page of which a child has a copy,
 *                                and by which it fills its own page, if the run follows children
 *   memory                       shared with the tracer, which may map it anywhere
 *
 * The memory begins with struct process_head; its numbers are offsets in the memory.
 *
 *   state       abi/region.h       constants, scratch   the same
 *   areas       struct process_area, each a thread's    self   a block for each area
 *   maps        struct process_map, then words and elements of each
 *   walks, pool abi/unwind.h: memory of walks of stacks, and tables for them
 *   speculations, flight recorders or rings               one for each area
 *
 * Core dumps leave all of it out (MADV_DONTDUMP), but under POLICY_RING they get what is needed to
 * read the records after the process's end (postmortem/): the head with its note, the state, the
 * areas, and, as they come into use, the recorders of threads and the pages of elements of
 * aggregations.  What they get is marked in `dumped`, a bit for each page.
 *
 * A ring.  Positions only grow; modulo the size (a power of two) they are a place.
 *
 *   position p:  u64 size << 1 | 1        0: claimed or free; size << 1: being written
 *                record, rounded up to 8; it may stick out at the end, where there is room
 *
 * Only the owner of an area claims, by a compare-exchange without lock: signal handlers nest.  The
 * word is stored last.  The reader copies a record, clears it, and moves the tail.  A record that
 * is claimed and not written holds the reader back.  If its writer is gone, whoever takes the area
 * over stores the head as `sealed`: before that position nothing is written any more, and the
 * reader skips what is not finished.
 *
 * A map.  Open addressing; a word for each place, and an element (key, value), which never moves.
 *
 *   word   hash : 32 | times that the place was taken : 29 | state : 3
 *
 *     FREE ---> BUSY ---> NEW ---> READY ---> GONE ---> BUSY ...
 *                          '--------------------^
 *
 * Two threads may insert the same key at once.  Each publishes its element as NEW and then looks
 * for others with the key: a READY one wins, a NEW one is made GONE.  Only an element that is still
 * NEW becomes READY.  So of two that do not see each other one publishes later, and that one looks
 * later.  No place becomes FREE again: a search ends at the first that is.
 */
#ifndef ABI_PROCESS_H
#define ABI_PROCESS_H

#include <stdint.h>

#include "abi/state.h"
#include "abi/unwind.h"

#define PROCESS_CODE_SIZE 0x40000
#define PROCESS_OWN_SIZE 0x10000 /* the largest page of our machines */
#define PROCESS_OWN_AT PROCESS_CODE_SIZE
#define PROCESS_KEPT_SIZE PROCESS_OWN_SIZE
#define PROCESS_KEPT_AT (PROCESS_OWN_AT + PROCESS_OWN_SIZE)
#define PROCESS_MEMORY_AT (PROCESS_KEPT_AT + PROCESS_KEPT_SIZE)

/* The image's first bytes; tools/embed-agent computes the id, of the image and its symbols. */
#define PROCESS_MAGIC 0x31746e6567617464ull
struct process_image {
	uint64_t magic, id;
};

/* What the library reads of a task in the kernel; the first is the process itself. */
struct process_task {
	uint64_t self, parent; /* addresses; 0: there is no further one */
	uint64_t arguments, arguments_end;
	uint64_t returns; /* 0: the kernel has replaced no return address here */
	uint32_t tgid, flags;
	uint32_t sequence, reserved; /* 0: struct process_mappings says what has changed */
};
#define PROCESS_ANCESTORS 32

struct process_own {
	uint32_t process; /* the tracer's number of it; 0: it is not traced */
	uint32_t pid;	  /* its own number of itself, in its PID namespace */
	/* Functions of the vdso; 0: a system call instead. */
	uint64_t clock_gettime, getcpu;
	/* Where the C library has a thread's number, from the thread pointer; 0: a system call. */
	uint64_t thread_number;
	uint64_t stack_end; /* of the main thread; 0: not known */
	uint64_t mappings; /* offset of its struct process_mappings in the memory; 0: it has none */
	uint64_t program;  /* head.program, when it began: the mappings are those of its program */
	uint32_t is_child; /* of fork(), of a traced process */
	uint32_t is_foreign; /* it is in another PID namespace: not traced */
	/* It has made a child that shares the memory, which reads this page: which of the two a
	 * firing is in says its area. */
	uint32_t has_shared, reserved;
	struct process_task tasks[PROCESS_ANCESTORS];
};
_Static_assert(sizeof(struct process_own) <= 4096, "one page");

/*
 * Threads and signal handlers of a child may all begin it: each writes the same.  So what they
 * start from does not change but by that: numbers are appended to the lineage.
 */
struct process_kept {
	struct process_own first; /* of the process that the tracer has entered, but `tasks` */
	struct process_task task; /* its tasks[0] */
	uint64_t pid_namespace;	  /* the inode of /proc/PID/ns/pid; 0: not known */
	uint32_t lineage_count;	  /* of those that follow */
	uint32_t lineage[PROCESS_ANCESTORS]; /* numbers of the processes that it comes from, the
					      * oldest first, and itself */
};
_Static_assert(sizeof(struct process_kept) <= 4096, "one page");

/*
 * A thread that waits for the probes of libraries (struct arrival) makes system calls for the
 * tracer meanwhile.  The thread makes NONE READY, and at the end again NONE; the tracer makes READY
 * CALL, and then waits for DONE, which it makes READY.  NONE instead: the thread has gone on.
 * A thread refuses (-ESTALE) what is for another ticket (control.arrivals with its own) than its.
 */
enum errand_state { ERRAND_NONE, ERRAND_READY, ERRAND_CALL, ERRAND_DONE };
#define ERRAND_DATA 65536 /* bytes, for what calls write and for a path */
struct process_errand {
	uint32_t state; /* a futex */
	uint32_t owner; /* the thread's number, as the process has it */
	uint64_t ticket, number, arguments[6];
	int64_t result; /* as the kernel's: a negative errno on error */
};

/*
 * A thread that is about to execute a program (agent/inside/execute.c).  It makes NONE TAKEN, then
 * ASKED, and at the end again NONE; the tracer makes ASKED ANSWERED when it has seized the thread,
 * or cannot.
 */
enum exec_state { EXEC_NONE, EXEC_TAKEN, EXEC_ASKED, EXEC_ANSWERED };
struct process_exec {
	uint32_t state;	 /* a futex */
	uint32_t thread; /* its number, as the process has it */
	/* A thread has executed a program when tracing was over: 1 */
	uint32_t is_late, reserved;
};

/*
 * A place of code near a file begins with this.  The jumps that lead to it, and what else to undo,
 * are in it for a later tracer, in case that this one is killed.
 */
#define PROCESS_PLACE_MAGIC 0x32656e6f6c636a64ull
struct process_place {
	uint64_t magic, image_id;	      /* the id says of which tracer this is */
	uint64_t base;			      /* of the image */
	uint64_t size;			      /* bytes that are mapped */
	uint32_t jumps, jump_count;	      /* offset in the place: struct process_jump */
	uint32_t semaphores, semaphore_count; /* addresses of two bytes that count one more */
};
struct process_jump {
	uint64_t address;
	unsigned char old_bytes[8], new_bytes[8];
	uint64_t size;
};

struct process_machine {
#define MACHINE(name, value) uint64_t name;
#include "abi/machine.def"
#undef MACHINE
};

/* Room for constants and probe tables of programs that are added while processes run. */
#define PROCESS_MORE_CONSTANTS (16u << 20)

#define PROCESS_HEAD_MAGIC 0x6d70656361727464ull /* "dtracepm" */
#define PROCESS_HEAD_VERSION 3 /* of what cores have: head, note, state, recorders */
#define PROCESS_DUMP_PAGE 4096

struct process_head {
	uint64_t magic, version;
	uint64_t sum; /* of what is before `errand`, as if this were 0, and of the note */
	uint64_t image_id, size; /* which image may use it; bytes */
	/* Only under POLICY_RING, else 0: offsets, bytes. */
	uint64_t note, note_size, dumped;
	/* offsets */
	uint64_t control, counters, globals, keyless, clause_drops; /* the last: 0: not wanted */
	uint64_t constants, more_constants, errand_data, scratch, areas, self, maps, walks, pool,
		mappings, flight, speculations, rings;
	/* numbers of the run-time library: loader/library_number.def */
	uint64_t area_count; /* a power of two */
	uint64_t slot_size, slots_end, string_size, clauses, wall_offset, policy;
	uint64_t self_size, map_count, cpu_count;
	uint64_t ring_size, ring_stride, record_most; /* bytes of the longest record in a ring */
	uint64_t flight_stride, speculation_count, speculation_size, speculation_stride;
	uint64_t pool_size; /* of tables by which stacks are walked: a power of two */
	uint64_t calls; /* values of entries (abi/call.h): tags, then cells; 0: there are none */
	uint64_t call_mask, call_cells, call_size, call_values;
	uint64_t exits;	     /* the struct process_map of places of returns that follow jumps; 0 */
	uint64_t exit_count; /* of those places, which nobody reads */
	uint64_t follows;    /* enum follow_flag: children that fire, too */
	struct process_machine machine;
	/* Changed by processes, or by the kernel. */
	struct process_errand errand;
	struct process_exec exec;
	uint64_t reap_tries; /* claims without a free area since one was found */
	uint64_t dumps;	     /* calls of madvise() for elements so far */
	uint64_t undumped;   /* calls of madvise() that failed: what cores do not get */
	uint64_t program;    /* grows when the traced process has executed another one */
	uint32_t foreigners; /* children in PID namespaces of their own, which are not traced */
	uint32_t reserved;
	uint64_t arrivals_in_children; /* libraries that children have loaded: without probes */
	uint32_t wake; /* a futex: grows when a ring passes a mark (control.wake_bytes) */
	/* A futex that the tracer's robust list has: FUTEX_OWNER_DIED means that it has ended. */
	uint32_t tracer;
};

/*
 * What agent_exits() has of a group whose returns follow jumps (abi/exit.h), in the process's code.
 * Functions that are covered: their addresses, sorted; none if no jump is looked up.
 */
struct process_exits {
	uint64_t table;		      /* the group's probe table */
	uint32_t entries, entry_size; /* of it */
	uint32_t group, covered_count;
	uint64_t covered[];
};

/* --- areas ------------------------------------------------------------------------------------ */

/*
 * The owner: the process's number and the thread's, as the process has it.  A thread's place is its
 * number modulo the count, or the next that is not another's.  Owners are replaced, never removed,
 * so a search ends at the first place that never had one.
 *
 * BEGIN, END and ticks fire in the tracer, which has an area for them like a thread: the last one,
 * reserved before any process begins.  Its owner is a number that no thread has.  No process
 * writes to such an area, so what the tracer keeps of it (the head of its ring) is never read back.
 */
#define AREA_NEVER 0
#define AREA_FREE 1		  /* its owner has ended */
#define AREA_TRACER 2		  /* process 0: there is none */
#define AREA_CLAIMED (1ull << 63) /* its owner prepares it */
/*
 * Its owner may be two processes: it was about to make a child that shares the memory until it
 * executes a program (vfork(), posix_spawn()), not a thread.  The child does not fire, or in an
 * area of its own (head.follows); in the thread itself the next firing ends the state.
 */
#define AREA_FORKS (1ull << 62)

struct process_area {
	uint64_t owner;
	uint64_t has_self;
	uint64_t random;
	/* The owner's stack, as far as it is known: up to its control block. */
	uint64_t stack_low, stack_high, stack_tried;
	uint64_t own; /* the address of the owner's page, as it has it: readable while it lives */
	uint64_t reserved;
	uint64_t head, sealed; /* of its ring */
	uint64_t reserved_too[6];
	uint64_t tail; /* the tracer's */
	uint64_t reserved_last[15];
};
_Static_assert(sizeof(struct process_area) == 256, "layout");

/* Bytes of a flight recorder that records of clauses use: speculations may need the whole stride.
 */
static inline uint64_t recorder_room(const struct process_head *h)
{
	return sizeof(struct flight) + h->ring_size + h->slot_size + FLIGHT_OVERHEAD;
}

static inline uint64_t area_key(uint32_t process, uint32_t thread)
{
	return (uint64_t)(process & 0x3fffffff) << 32 | thread;
}

/* --- stacks ----------------------------------------------------------------------------------- */

/*
 * The code that a process has mapped, by address, with the tables of the files (abi/unwind.h).  The
 * tracer writes the list that is not current, and then makes it current; walks that have begun
 * compare unwind_pool.generation.
 */
#define PROCESS_MAPPINGS_MOST 8192
struct process_mappings {
	uint64_t current; /* 0 or 1 */
	uint64_t counts[2];
	struct walk_mapping lists[2][PROCESS_MAPPINGS_MOST];
};

/* --- rings ------------------------------------------------------------------------------------ */

#define RING_WRITTEN 1ull

/* As record_room() of the library. */
static inline uint64_t ring_room(uint64_t size)
{
	return (size + 8 + 7) & ~7ull;
}

/* --- maps ------------------------------------------------------------------------------------- */

enum place_state { PLACE_FREE, PLACE_BUSY, PLACE_NEW, PLACE_READY, PLACE_GONE };
#define PLACE_STATE 7ull
#define PLACE_TAKEN 8ull			   /* one of `times` */
#define PLACE_TIMES (0xffffffffull & ~PLACE_STATE) /* all of its bits */
#define PLACE_PROBES 128			   /* places that a search looks at */

struct process_map {
	uint64_t words, elements; /* offsets */
	uint32_t mask;		  /* places - 1; twice as many as elements, at least */
	uint32_t key_size, value_size;
	uint32_t value_at, stride; /* in an element */
	uint32_t max_entries;
	uint64_t count;	    /* elements now */
	uint32_t shift;	    /* of a hash: its first place */
	uint32_t is_dumped; /* cores get its elements */
	uint32_t reserved[2];
};
_Static_assert(sizeof(struct process_map) == 64, "layout");

#endif
