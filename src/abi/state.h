/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * state - the memory that programs and consumer share
 *
 * One mapped region (a BPF array with BPF_F_MMAPABLE, or shared memory for
 * another executor), in this order:
 *
 *   struct control          256 bytes
 *   struct area_counters    128 bytes for each area
 *   globals                 program.globals_size
 *   keyless aggregations    program.keyless_size for each area
 *   drops by clause         struct clause_drops for each clause, again for each area;
 *                           only if program.drops_by_clause
 *
 * Speculations are a separate region, made if the program has them (below).
 *
 * An area is the memory that firings add to which never run at the same time: counters, keyless
 * aggregations, slots, a buffer, elements of keyed aggregations (struct key_shard).  Firings of
 * different areas do not wait for each other.  The kernel's areas are the possible CPUs; an
 * executor inside a process gives each thread one.  So an area is not D's cpu, which is in a
 * record's header.
 *
 * RT_area always returns a number less than program.area_count.  An executor that has no area
 * for a firing does not begin it: it adds 1 to control.no_area, and the consumer reports a drop.
 * Such a firing cannot be counted elsewhere, because all other counters belong to an area.
 *
 * An atomic add that does not fetch is only to memory of the firing's own area: an executor
 * whose areas are threads may omit the lock.  Memory that areas share (control, globals,
 * elements of large values, speculations, recorders) is changed by the form that fetches.
 *
 * All counters only grow (but `running`) and are added to atomically: programs are preempted
 * and interrupted by one another in the same area.
 */
#ifndef ABI_STATE_H
#define ABI_STATE_H

#include "abi/record.h"
#include "abi/unwind.h"

enum activity {
	ACTIVITY_INACTIVE, /* nothing but BEGIN may fire */
	ACTIVITY_ACTIVE,
	ACTIVITY_DRAINING, /* exit() was called, or the consumer stops: only END may fire */
	ACTIVITY_STOPPED,
};

/* Which functions of the kernel stood between a system call and our program
 * (runtime/stack/stack.c): at entries, at returns, at other tracepoints. */
#define CALLER_HAS_STUB 1u
#define CALLER_HAS_ITERATOR 2u
enum caller_place { CALLER_ENTRY, CALLER_RETURN, CALLER_OTHER };

/*
 * The kernel follows so many unfinished calls of a thread, and omits further return probes
 * (MAX_URETPROBE_DEPTH).  The call that returns now is one of them; since Linux 6.11 it is no
 * longer counted when its program runs.
 */
#define UNFINISHED_CALLS 64
#define DEEP_CELLS 8
#define LOOP_PASSES_MOST 8388608u /* as BPF_MAX_LOOPS; of loops in loops together, too: 20 ms */

/*
 * The deadman: tracing ends when the consumer gets no CPU (-x deadman)
 *
 * Probes may cost more than a machine has, and then nothing else ends them: no signal arrives, and
 * the consumer, which would stop them, does not run.  So programs see to it.  Each second the
 * consumer writes 0 to `alone`.  The first firing in DEADMAN_TICKS of the kernel's ticks adds the
 * time since the last such look; when the sum passes the limit, tracing ends.  Only these sums
 * count, of at most DEADMAN_NS for a look: neither a machine that was suspended nor probes that
 * hardly fire end tracing.
 *
 * All other firings compare look_at with the kernel's jiffies, which the kernel loads in line: 0.2
 * to 0.4 ns (6.18; 64 such tests and without them).
 */
#define DEADMAN_TICKS 32 /* 32 to 320 ms */
#define DEADMAN_NS 1000000000ull
#define DEADMAN_LOOKS_NS 100000000ull /* between looks of firings that have the time (faults) */

struct deadman {
	uint64_t look_at; /* in ticks: a firing from then on looks */
	uint64_t looked;  /* ns of CLOCK_MONOTONIC: the last look */
	uint64_t alone;	  /* ns that firings have seen go by since the consumer ran */
	uint64_t limit;	  /* ns; 0: never */
};

struct control {
	uint32_t activity; /* enum activity; ACTIVE to DRAINING by exit() */
	uint32_t exited;   /* exit() was called */
	struct deadman deadman;
	uint64_t self_live; /* threads that have self variables now */
	uint64_t self_limit;
	/* a buffer that passes a multiple of it wakes the consumer; a power of two */
	uint64_t wake_bytes;
	uint64_t serials;	  /* self blocks made so far */
	uint64_t status;	  /* of exit() */
	uint64_t zero;		  /* always 0, which the verifier cannot know */
	uint16_t callers_seen[4]; /* for each enum caller_place: CALLER_HAS_... */
	uint64_t suspended;	  /* suspended firings, not resumed yet: see struct suspended */
	uint64_t overtaken;	/* suspended firings lost because the kernel skipped their return */
	uint64_t arrivals;	/* see struct arrival */
	uint64_t arrivals_seen; /* the first so many have their probes */
	uint32_t arrivals_missed; /* threads that went on before theirs had, or had no room */
	uint32_t arrivals_alone;  /* the last one got no answer: do not wait for the next */
	uint64_t no_area;	  /* firings dropped because the executor had no area for them */
	uint64_t arrivals_beats;  /* grows while the tracer makes probes for an arrival */
	uint32_t members; /* processes in trees that are traced or may be: enum member_flag */
	uint32_t members_missed; /* children that did not join: no room */
	/* -x target: */
	uint64_t without_task;	 /* firings in interrupts of a task that is meant: left out */
	uint64_t cgroups_missed; /* control groups that are meant, but there was no room */
	uint64_t unreached;	 /* firings at functions of the kernel that reached no program */
	/* Processes whose returns may be missing: of each remainder of numbers, the last one. */
	uint32_t deep[DEEP_CELLS];
	uint64_t nested;	    /* firings at functions that a program had called: left out */
	uint64_t exit_places;	    /* elements of the table of struct exit_place (abi/exit.h) */
	uint64_t exit_notes_missed; /* returns that fired at a jump, as there was no room for a note
				     */
	uint64_t abandoned;	    /* the deadman has ended tracing */
	uint64_t calls_dropped;	    /* values of entries for which there was no cell (abi/call.h) */
	uint64_t calls_unseen;	    /* firings that lack the values of their entry: left out */
	uint64_t records_lost;	    /* records that were not finished: their threads have ended */
	uint64_t reserved[6];
};
_Static_assert(sizeof(struct control) == 320, "layout");

/*
 * Control groups of -x target: those that a rule means, and all below.
 *
 * A map has their ids, which the kernel never uses twice.  In front of it are cells, so that a test
 * needs no look-up: an id is only ever in cell id % CGROUP_CELLS.
 *
 *   the id itself       it is one of them
 *   CGROUP_CELL_SHARED  two of them have this cell: ask the map
 *   any other           it is not
 *
 * Ids of new groups are numbers in a row, so cells are hardly ever shared.  (6.18, one core, a
 * loaded machine, each including a call of 9 ns: loading the id from the task and testing its cell
 * 13 ns, bpf_current_task_under_cgroup() 12 for each group, bpf_get_current_cgroup_id() 30, a
 * look-up in the map 26 more.)
 */
#define CGROUP_CELLS 512
#define CGROUP_CELL_SHARED (~0ull)
#define CGROUPS_MOST 65536

enum cgroup_rule_kind {
	CGROUP_PATH,   /* the group's path is the text */
	CGROUP_NAME,   /* the last part of its path is */
	CGROUP_PREFIX, /* the last part begins with it */
};

#define CGROUP_NAME_SIZE 256  /* with the NUL, as the kernel has it */
#define CGROUP_PATH_SIZE 1024 /* the same of what the kernel's tracepoints report */
#define CGROUP_RULES 64

struct cgroup_rule {
	uint32_t kind; /* enum cgroup_rule_kind */
	uint32_t len;
	char text[CGROUP_PATH_SIZE];
};

/* The kernel makes control groups one at a time, so one place for names is enough. */
struct cgroup_rules {
	uint64_t count;
	char path[CGROUP_PATH_SIZE];
	char name[CGROUP_NAME_SIZE];
	struct cgroup_rule rule[CGROUP_RULES];
};

/*
 * Code that arrives in a watched process: its dynamic linker has mapped a library, or it has
 * executed another program.  Each is reported to the consumer, through a separate ring.
 */
enum arrival_kind {
	ARRIVAL_CODE,
	ARRIVAL_PROGRAM,
	/* The same by another thread than the first, which uprobes know the process by: they are
	 * not put into the new program's memory (6.18). */
	ARRIVAL_PROGRAM_OF_THREAD,
	/* A stack has met code of a file whose table for unwinding (abi/unwind.h) is not there. */
	ARRIVAL_TABLE,
	/* No process is left that is traced, or may be. */
	ARRIVAL_NO_MEMBER,
	/* A child of a member, before its first instruction (FOLLOW_PRIVATE). */
	ARRIVAL_CHILD,
};

struct arrival {
	uint32_t tgid;
	uint16_t kind;	 /* enum arrival_kind */
	uint16_t waits;	 /* the process does, until the arrival is seen, */
	uint32_t cpu;	 /* there, and spins */
	uint32_t target; /* the root of its tree (struct watched_process); 0: it is in none */
	/* of ARRIVAL_TABLE: */
	uint64_t address; /* in the process */
	struct unwind_key key;
};

/* How long a thread waits for the probes of what has arrived: from the tracer's last beat
 * (control.arrivals_beats); and in all. */
#define ARRIVAL_HOLD_NS 1000000000ull
#define ARRIVAL_HOLD_MOST_NS 10000000000ull

/* In the run-time library's calls: the kernel's function that schedules task work. */
#define KERNEL_TASK_WORK 0x10000

/*
 * The data of each watched process, by its tgid (and more keys: runtime/process/namespace.c).
 * Programs at forks and ends of threads keep the set up to date, if it has trees: a child is there
 * before it runs, and until it is freed.
 */
struct watched_process {
	uint64_t work;	 /* struct bpf_task_work: a function that the kernel runs before the program
			  * begins */
	uint32_t target; /* the -c or -p process in whose tree it is; 0: in none */
	uint32_t flags;	 /* enum member_flag */
};

/* A process that waits in task work for its probes (runtime/process/arrival.c), by its tgid. */
struct task_wait {
	uint64_t work;	 /* as above */
	uint64_t kind;	 /* enum arrival_kind */
	uint64_t ticket; /* see struct arrival; 0: not reported yet */
	uint64_t beats, until, end;
};

enum member_flag {
	MEMBER_WATCHED = 1, /* its new code is reported */
	MEMBER_TRACED = 2,  /* probes of its target fire in it */
	MEMBER_IS_ROOT = 4, /* it is the -c or -p process itself */
	MEMBER_NAMED = 8,   /* a description names it: its new code is reported in any case */
	MEMBER_ENDED = 16,  /* it is not in control.members any more, and runs no code */
};
#define MEMBER_COUNTS (MEMBER_WATCHED | MEMBER_TRACED | MEMBER_IS_ROOT) /* in control.members */
#define MEMBER_REPORTED (MEMBER_WATCHED | MEMBER_NAMED)

/* Which processes of a tree are traced, besides its root (-x follow). */
enum follow_flag {
	FOLLOW_FORK = 1, /* children, until they execute a program */
	FOLLOW_EXEC = 2, /* from the program on that they execute */
	/* each by its own links: a child waits for them (runtime/process/arrival.c) */
	FOLLOW_PRIVATE = 4,
};

/* Losses by area.  Each row has its own message. */
struct area_counters {
	uint64_t principal; /* records that did not fit, or firings without scratch */
	uint64_t aggregation;
	uint64_t dynamic;
	uint64_t speculative;
	uint64_t spec_busy, spec_unavailable;
	uint64_t truncated_strings; /* operations that left a part of a text out: strsize */
	uint64_t truncated_stacks;  /* stacks and depths that ended at the limit of the kernel's
				     * walk */
	uint64_t error_in_error;
	uint64_t records; /* records that got in */
	/* when this CPU last changed threads, see runtime/process/vtime.c; 0: unknown */
	uint64_t switched;
	uint64_t ran;	  /* ns that the thread which then began had run before */
	uint64_t running; /* firings begun and not ended, of programs that count themselves */
	uint64_t unproven_depths; /* and callers, of user stacks: abi/stack_end.def */
	uint64_t uncopied_stacks; /* their tables were not there, nor room for a copy */
	uint64_t unnamed_frames;  /* of interpreters: abi/interpreted.h */
};
_Static_assert(sizeof(struct area_counters) == 128, "layout");

/* The same by the clause that lost it (dropsby=clause). */
enum clause_drop {
	CLAUSE_DROP_PRINCIPAL,
	CLAUSE_DROP_AGGREGATION,
	CLAUSE_DROP_DYNAMIC,
	CLAUSE_DROP_SPECULATION,
	CLAUSE_DROP_TRUNCATED_STRINGS,
	CLAUSE_DROP_TRUNCATED_STACKS,
	CLAUSE_DROP_KINDS,
};

struct clause_drops {
	uint64_t count[CLAUSE_DROP_KINDS];
};

/*
 * Self variables are in a block of the thread's storage that begins with a serial number, the
 * thread's name in the keys of self arrays.  The number there is twice as large, so the first
 * word's highest bit is free: it is set if the block is not counted in self_live.
 */
#define SELF_RELEASED (1ull << 63)

/*
 * An entry of the table of threads, which foreach (self->x) walks.  The key is the serial number.
 * The entry is added with the block, and removed when the thread ends.  The walk copies the block
 * and skips it if it does not begin with that number: its memory was given to another thread.
 */
struct self_thread {
	uint64_t block, task; /* addresses */
};

/*
 * Scratch memory of one firing.  Each area has SLOTS_PER_AREA of them; a firing
 * claims one by an atomic exchange of `busy`, so that whatever interrupts or
 * preempts it in this area takes another.  None free: a counted drop.
 */
#define SLOTS_PER_AREA 8

struct slot {
	uint64_t busy; /* 0: free; 1: claimed; else the firing that takes it on in its next part */
	uint64_t address;     /* of this slot, as a number: base of alloca and copyin pointers */
	uint32_t fault;	      /* set by the run-time library: enum fault + 1; 0: none */
	uint32_t alloca_used; /* bytes */
	uint64_t fault_address;
	uint64_t token;		      /* strtok(): offset of the rest, 0: nothing started */
	uint32_t truncations_pending; /* counted at the clause's end: it may be suspended and
					 truncate again */
	/* Of the clause at work; counted for it under dropsby=clause. */
	uint16_t truncated_strings, truncated_stacks;
	uint64_t unknown; /* written and read back: a number of which the verifier knows nothing */
	uint32_t alloca_kept; /* alloca_used when a clause begins */
	uint32_t bytes;	      /* how many are about to be written through a pointer */
			      /* the compiler's layout follows: place_slot() in plan/layout.c */
};
_Static_assert(sizeof(struct slot) == 64, "layout");

/*
 * Bytes of the slot that D's pointers may lead to: memory of alloca() or copyin(), or a this
 * variable.  A table of them is in the slot (plan/piece.c); both 0: not allocated yet.
 */
struct piece {
	uint32_t begin, end; /* offsets in the slot */
};
#define PIECES_MOST 256 /* in one table */

/* What RT_piece_test answers of some bytes. */
#define PIECE_NONE -1  /* scratch memory, and not all of them are in one of the firing's pieces */
#define PIECE_OTHER 0  /* no scratch memory */
#define PIECE_INSIDE 1 /* all are in one piece */

/* In a size for frames, which is a multiple of words: more frames were requested. */
#define STACK_WANTS_MORE 1ull
/* Likewise: frames are only counted, and need no memory; of user stacks that are walked by tables.
 */
#define STACK_COUNTS 2ull
/*
 * Likewise: words of frames of code in no file are kept after the room for frames, in as much
 * memory (frame_method()), up to one that is 0.
 */
#define STACK_METHODS 4ull
/* Likewise, of user stacks: the frames stay in memory, so a stack whose table is missing ends
 * there. */
#define STACK_IS_VALUE (1ull << 32)
#define STACK_FLAGS (7ull | STACK_IS_VALUE)

/* --- suspended firings -------------------------------------------------------------
 *
 * Programs at system calls cannot wait for absent user memory.  A clause at a call's entry that
 * meets absent memory before its first effect is suspended with all clauses after it. They are
 * resumed when the same thread reaches the call's return, before the clauses of the return: by then
 * the kernel itself has read the memory that the call's arguments point to.
 *
 * One for each thread, in task storage, because no thread is in two calls at once.
 */
#define SUSPENDED_ARGUMENTS 6

struct suspended {
	uint32_t pending; /* 1 from suspension until resumption */
	uint32_t gone;	  /* not 0: the thread came back to other memory (execve), or elsewhere */
	uint32_t clause;  /* the first to be run, of the group's */
	uint32_t resume;  /* probe_entry.resume of the probe that fired */
	uint64_t memory;  /* the process's address space then */
	uint64_t pc, stack_pointer;
	uint64_t time, run_time;
	uint64_t argument[SUSPENDED_ARGUMENTS];
	char name[16];	       /* execname */
	uint64_t token;	       /* slot.token */
	uint64_t slot_address; /* slot.address */
	uint64_t alloca_kept;  /* slot.alloca_kept */
			       /*
				* this variables follow: those of the frame, those of the slot, what strtok() works on;
				* then alloca memory that they point to
				*/
};
_Static_assert(sizeof(struct suspended) == 144, "layout");

/* --- bufpolicy -------------------------------------------------------------------- */

/* In the order of option.def. */
enum buffer_policy {
	/* the consumer empties the buffers during tracing */
	POLICY_SWITCH,
	/* the first record that does not fit ends tracing */
	POLICY_FILL,
	/* the newest records survive: struct flight instead of a buffer */
	POLICY_RING,
};

/*
 * A flight recorder: written under POLICY_RING, read by the consumer when tracing has stopped.
 * Positions count units of 8 bytes and are FLIGHT_BITS wide; modulo the size (a power of two)
 * they are a place after this header.
 *
 *   position p:  u64 p << 32 | size of the record      0 while it is written
 *                record, rounded up to 8; it may stick out at the end, where there is room
 *   p + n - 1:   u64 p << 32 | n                       wrapped, so that the reader finds it
 *
 * The reader goes backward from `head`, from the last word of a record to its first.  A writer
 * claims its range before it writes, and claims follow one another in one word:
 *
 *   writers : 8 | floor : 28 | head : 28
 *
 * `floor` is where the first of the writers at work has begun.  No writer may claim positions
 * a whole size above it: so an interrupted writer, however late it continues, never
 * overwrites a newer record, and no record is torn.
 */
#define FLIGHT_BITS 28
#define FLIGHT_MASK ((1ull << FLIGHT_BITS) - 1)
#define FLIGHT_WRITER (1ull << 2 * FLIGHT_BITS)
#define FLIGHT_OVERHEAD 16 /* bytes around a record */

struct flight {
	uint64_t word;
	uint64_t reserved[7];
};
_Static_assert(sizeof(struct flight) == 64, "layout");

/* --- speculations ----------------------------------------------------------------
 *
 * Each is a struct speculation and specsize bytes of records after it.  A record is
 *
 *   u64 size | record, rounded up to 8         size 0: no more follow
 *
 *       speculation()
 *     NEW ----------------------> ACTIVE    the id was never given out before
 *
 *                 speculation()           commit()               the last writer leaves
 *     INACTIVE ----------------> ACTIVE ------------> COMMITTING ----------------------> INACTIVE
 *                                       ------------> DISCARDING ---------------------->
 *                                          discard()
 *
 * Two states are passed on the way and last a few instructions: CLOSING before COMMITTING, while
 * commit() writes the group's header, and FINISHING before INACTIVE.
 *
 * A speculate()d clause is a writer while it runs: it counts itself first and then reads the
 * state, while commit() and discard() change the state first and then check for writers.  So one
 * of them sees the other, and the one that finds an ended speculation without writers finishes
 * it: it writes the records to its area's buffer, all in one record (RECORD_GROUP), or discards
 * them.  No record is lost or doubled under any interleaving, and no CPU waits.
 */
enum speculation_state {
	SPECULATION_NEW,
	SPECULATION_INACTIVE,
	SPECULATION_ACTIVE,
	SPECULATION_CLOSING, /* commit() writes its part of the group's header */
	SPECULATION_COMMITTING,
	SPECULATION_DISCARDING,
	SPECULATION_FINISHING,
};

struct speculation {
	uint32_t state; /* enum speculation_state */
	uint32_t writers;
	uint64_t used;	  /* bytes requested; those beyond specsize were refused */
	uint64_t records; /* that are there */
	uint64_t reserved[10];
	/* the header of a record whose content is what follows */
	struct record_header group;
};
_Static_assert(sizeof(struct speculation) == 128, "layout");

#define JSON_ROOM 192 /* bytes that the compiler gives rt_json() to work in */

/*
 * A string in memory: variables, temporaries, literals.  Zeroed memory is the
 * NULL string.  `tag` is length + 1; the bytes end with a NUL.
 */
struct rt_string {
	uint64_t tag;
	char text[];
};

#define LLTOSTR_UNSIGNED (-10) /* a base of rt_lltostr(): 10, and the value has no sign */
#define STRING_SIZE_MAX 65536  /* the greatest strsize (option.def) */
#define PACKET_SIZE_MAX 65535  /* the greatest pcapsize (option.def) */

/*
 * Frames of a stack: never more than these, also in option.def; they have the size of the longest
 * string.  The kernel walks kernel.perf_event_max_stack frames, usually STACK_FRAMES_USUAL.
 */
#define STACK_FRAMES_MAX 8192
#define STACK_FRAMES_USUAL 127

/*
 * MAX of rt_text_user() and similar functions: the whole string is needed, so a truncation is
 * counted.
 */
#define TEXT_TO_ITS_END -1

/*
 * Names of a path that d_path() keeps, those next to the root: as many as can begin in a string.
 * The longest path of the kernel (PATH_MAX) has no more than PATH_NAMES_MAX.
 */
#define PATH_NAMES_MAX 2048

static inline uint32_t path_names(uint32_t string_size)
{
	uint32_t names = string_size / 2 + 1;
	return names < PATH_NAMES_MAX ? names : PATH_NAMES_MAX;
}

/* --- aggregation values --------------------------------------------------------
 * Arrays of 64-bit words that begin as zeros and are only added to (or raised), so that a new key
 * needs no initial value: aggregate.def.
 */

/*
 * The values of areas are kept apart: a key has an element for each group of areas that used it;
 * this struct, in the key, distinguishes the groups.  The consumer adds them up.
 *
 * The generation separates values before a trunc() from those after it: the consumer raises the
 * number that firings read, and when those that had read the old one have ended, no firing adds to
 * the old elements any more (consumer/generation.c).  It may wrap.
 */
struct key_shard {
	uint16_t group;
	uint16_t generation;
};
_Static_assert(sizeof(struct key_shard) == 4, "layout");

/* quantize: bucket 64 is 0; 65+k holds 2^k <= x < 2^(k+1); 63-k holds -2^(k+1) < x <= -2^k. */
#define QUANTIZE_BUCKETS 128
#define QUANTIZE_ZERO 64

/*
 * llquantize(f, l, h, s): buckets for x >= 0 and their mirror image:
 *   centre      |x| < f^l, index = LL (LL = llquantize_side())
 *   centre + i  i-th bucket of magnitudes l...h, from 1
 *   centre + LL |x| >= f^(h+1); centre - i the same for -x
 * Each magnitude m has buckets of width max(f^(m+1)/s, 1) from f^m to f^(m+1).
 */
struct llquantize {
	uint16_t factor, low, high, steps;
};

#endif
