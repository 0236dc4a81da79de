/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan - which events share a program, and where each value is
 *
 * In:   struct typed_program (sema/typed.h), read only; options of the user
 *       and facts of the executor.
 * Out:  struct plan, indexed by the numbers of clauses, variables and aggregations.
 *
 * All decisions that concern more than one instruction are made here, by functions over the typed
 * tree; codegen writes them down.  Two need what the first round of code has found: the parts of
 * groups (plan_split()), and which tables have all elements from the start (plan_complete()).  What
 * its code needs (struct needs) codegen adds to the
 * plan in rounds (codegen/needs.c): a walk that found it out before repeated each gen_*() function.
 *
 *   group.c        which events share a program (group.h)
 *   split.c        which programs are split
 *   analysis.c     one walk over the program: types in keys, alloca memory, reads
 *   piece.c        which addresses may be of scratch memory, and the table of its pieces
 *   lookahead.c    reads whose address is known before the clause's body
 *   layout.c       variables, keys and their maps, the slot; aggregations: aggregation.c; records:
 *                  record.c
 *   print.c        the plan as text (-xdump=plan)
 *   place.c        which clauses one executor must run together
 *   verify.c       the promises below
 *
 * Always true (plan_verify()):
 *   1. Each variable, aggregation and field has one place, not shared with another: in the globals,
 *      the thread's block, the frame, the slot, a key, a record.
 *   2. A key has the size of its map's keys.
 *   3. A clause is in the groups of all events of its probes, once for each, and in one part of
 *      a group for each pass.
 *
 * A program that needs more stack or maps than the kernel gives is planned again (struct
 * plan_limits); programs that fit pay nothing.
 *
 * A group of more than about 4,000 instructions is split by clauses into at most 32 parts (the
 * kernel follows 33 tail calls), each a program that continues in the next.  The price is 10 to 30
 * ns for each part that a firing enters, and a slot, which carries `this` variables from part to
 * part; the gain is the time to load, which grows with the square of a program's size.  A program
 * that the executor refuses for its size is planned again in smaller parts, as a last resort with
 * `this` variables in the slot instead of the frame (tracer/split.c).  Programs that may sleep are
 * not split to load faster, because the kernel has no tail calls for them; refused for their size,
 * they lose the right to sleep, with a message, and are split.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "abi/abi.h"
#include "base/base.h"
#include "base/diagnostic.h"
#include "plan/group.h"
#include "sema/typed.h"

struct arch;

/*
 * -x target: clauses see only tasks that pass one of these tests.  The clauses of BEGIN, END, ERROR
 * and tick have no task of interest, and see all.
 */
enum task_test_kind { TASK_IN_CGROUPS, TASK_OF_USER, TASK_OF_PROGRAM };

#define TASK_NAME_SIZE 16 /* in task_struct */

struct task_test {
	enum task_test_kind kind;
	uint32_t user;		   /* TASK_OF_USER: the real user id */
	char name[TASK_NAME_SIZE]; /* TASK_OF_PROGRAM: of the process's first thread */
};

/* Where a test reads: task->cgroups->dfl_cgrp->kn->id, ->cred->uid, ->group_leader->comm. */
struct task_offsets {
	int32_t cgroups, cgroup, node, number;
	int32_t credentials, user;
	int32_t leader, name;
};

/* The user's options, and facts about the executor. */
struct plan_options {
	const struct arch *arch;
	uint32_t area_count;	   /* program.area_count */
	uint32_t cpu_count;	   /* program.cpu_count */
	bool drops_by_clause;	   /* count them by clause, too */
	bool is_for_programs;	   /* records say which thread left them, histograms have sums */
	uint32_t string_size;	   /* strsize */
	uint32_t kernel_frames;	   /* of a stack that the kernel walks, at most; also the most that
				    * stackdepth counts */
	uint32_t user_frames;	   /* of a user stack; if more than that, ustackdepth only counts */
	bool frames_chosen;	   /* by -x maxframes: no warning about missing frames */
	uint32_t loop_passes;	   /* maxloop */
	uint32_t scratch_size;	   /* alloca and copyin of sizes unknown to the compiler */
	uint64_t dynamic_size;	   /* dynvarsize */
	uint64_t aggregation_size; /* aggsize, for each CPU */
	bool cpu_parts;		   /* aggpercpu: the values of each CPU are needed */
	int32_t thread_status_offset; /* of task_struct.thread_info.status; -1: unknown */
	/* Of a thread's numbers in task_struct; -1: unknown, or the tracer is in another PID
	 * namespace. */
	int32_t task_tgid_offset, task_pid_offset;
	/* task_struct.utask and uprobe_task.depth; 0: unknown, or not needed */
	int32_t task_probes_offset, unfinished_calls_offset;
	const struct task_test *task_tests;
	unsigned task_test_count; /* 0: every task passes */
	struct task_offsets task_offsets;
	bool tests_tree;	       /* tasks must also be in the tree of a -c or -p process */
	int only_cpu;		       /* -xcpu: fire on this CPU alone; -1: on all */
	const uint16_t *runtime_stack; /* for each run-time function: bytes; NULL: unknown */
	bool more_may_come;	       /* probes may appear while these programs run */
	/* As in struct group_facts (plan/group.h). */
	bool (*tracepoint_cookies)(void);
	unsigned tracepoints_alone;
	bool returns_of_others; /* as in struct executor_facts (executor/executor.h), */
	bool never_starves;	/* this too */
	/* As in struct group_facts (plan/group.h). */
	const struct event *(*exits)(void *arg, const struct event *e);
	unsigned exits_most;
	void (*exits_dropped)(void *arg, unsigned returns);
	const struct event *(*trampoline)(void *arg, const struct event *e);
	void *exits_arg;   /* of all three */
	bool can_sleep;	   /* programs at user functions may sleep */
	bool checks;	   /* verify the plan (tests) */
	bool this_in_slot; /* no this variable is in the frame: less for the verifier to follow
			    */
	/* By enum event_kind: programs of more instructions (about) are split; NULL: none is. */
	const uint32_t *part_size;
};

/* The limits that an earlier plan of the same program has exceeded. */
struct plan_limits {
	bool spill;	    /* the stack is too small: data that grow with the program are in the
			     * slot */
	unsigned temps_max; /* ... and so many temporaries are kept at once */
	bool share_maps;    /* there are too many maps: several keys in one */
};

/* --- places ------------------------------------------------------------------------------ */

/* A key: of an associative array, or of an aggregation. */
struct key_place {
	int map; /* index into plan.maps; -1: none */
	const struct value_field *fields;
	unsigned count;
	uint32_t size, id;	  /* id not 0: it is before the fields */
	uint32_t shard_offset;	  /* 0: no struct key_shard */
	unsigned areas_per_shard; /* a power of two */
	bool has_generations;
	uint32_t generation_offset; /* in the globals */
};

enum home {
	HOME_BLOCK, /* the globals, or the thread's block */
	HOME_FRAME, /* a `this` variable: a number */
	HOME_SLOT,  /* a `this` variable */
	HOME_CALL,  /* the cell of a call */
	HOME_MAP,   /* an associative array, or a variable that does not fit in the thread's
		     * block */
};

struct variable_place {
	enum home home;
	uint32_t offset; /* in the globals, the block, the frame's or slot's `this` variables */
	struct key_place key; /* HOME_MAP; that of a self array ends with the thread */
	bool is_pointed_to;   /* the address of a part of it is taken */
	bool may_be_scratch;  /* a value assigned to it may be an address of scratch memory */
};

/*
 * A clause's alloca memory of constant sizes, from alloca_begin.  Clauses share this memory,
 * except those that keep an address in a `this` variable for later clauses.
 */
struct clause_alloca {
	uint32_t at, size;
	unsigned calls, first_call;   /* of sizes unknown to the compiler: number, and that of the
					 first among all */
	unsigned pieces, first_piece; /* of all sizes: number, and the first in the table */
	bool is_kept;
};

/* --- lookaheads: reads of user memory whose address is known before the body (lookahead.c) --- */

/* A condition on which a place in a clause's text is executed. */
struct condition {
	const struct texpr *value; /* it must not be 0; NULL: not a plain expression */
	const struct condition *outer;
};

struct lookahead {
	unsigned statement;
	const struct texpr *address;
	int32_t offset; /* from there, of a byte to read */
	bool is_text;	/* a string begins there, and its end is searched for */
	const struct condition *conditions;
};

/* --- needs ---------------------------------------------------------------------------------- */

/* Since when something is needed; a predicate comes before the body. */
enum moment { MOMENT_NEVER, MOMENT_BODY, MOMENT_START };

/*
 * Reads at addresses that are not of user memory.  Types do not distinguish a pointer of the kernel
 * from one into D's memory (alloca(), copyin(), &variable), or a number that is no address at all.
 */
enum kernel_memory {
	KERNEL_MEMORY_NONE,
	/* An executor without kernel memory runs the clause; where the kernel's is meant, the read
	 * faults. */
	KERNEL_MEMORY_PERHAPS,
	KERNEL_MEMORY_SURELY, /* a symbol, curthread, what their memory points to */
};

/* What a clause needs at one kind of event. */
struct needs {
	enum moment slot, time, run_time; /* run_time: vtimestamp */
	bool block;			  /* the thread's, of self variables */
	bool suspends;			  /* absent user memory may suspend the firing */
	enum kernel_memory kernel_memory; /* the addresses that it reads; needs_kernel_memory() */
	/* Reads at known addresses are tried before the body, from this statement on; 0: none. */
	unsigned lookahead_from;
	uint32_t instructions; /* of its code, about: of the first round, unreachable ones included
				*/
	/* Of the run-time library, called by the code of some round: a bit for each. */
	uint64_t functions[(RT_COUNT + 63) / 64];
};

static inline bool clause_calls(const struct needs *n, enum rt_function function)
{
	return n->functions[function / 64] >> function % 64 & 1;
}

struct clause_plan {
	struct clause_layout layout;
	uint32_t tail; /* bytes of its record's tail, at most; 0: it has none */
	struct clause_alloca alloca;
	const struct lookahead *lookaheads; /* at a system call's entry */
	unsigned lookahead_count;
	/* By event, and as an ERROR clause of its programs; NULL: not in a program of that kind. */
	struct needs *needs[EVENT_COUNT][2];
	const uint32_t *inserts; /* places that may make an element, by map, the same at all events;
				    NULL: none */
};

struct plan {
	const struct typed_program *typed;
	const struct plan_options *options;
	struct plan_limits limits;
	struct event_groups groups;

	struct clause_plan *clauses;
	struct variable_place *variables[SCOPE_THIS + 1];
	struct aggregation_layout *aggregations;
	struct map_layout *maps;
	unsigned map_count;
	const struct probe *error_probe; /* dtrace:::ERROR, if clauses are enabled there */
	bool error_exits;		 /* one of them calls exit() */

	uint32_t globals_size, keyless_size, self_size, call_size;
	bool lists_threads;	 /* foreach (self->x): threads with self variables are in a table */
	uint32_t suspended_size; /* of struct suspended and the data after it; 0: no firing is
				  * suspended */
	bool suspends;		 /* some clause at a system call's entry may be suspended */
	bool has_nested;	 /* functions that programs call are probed (group.h) */
	bool has_jumps;		 /* functions whose returns are probed end by jumps */
	uint32_t zeros_size;

	/* The slot: header, `this` variables, alloca memory, then records, keys, temporaries. */
	uint32_t this_frame_size, this_slot_size; /* bytes of `this` variables */
	uint32_t token_at;			  /* the string that strtok() works on; 0: none */
	uint32_t spill_at;			  /* temporaries, if limits.spill */
	uint32_t alloca_begin, alloca_end, alloca_dynamic; /* alloca_dynamic: of unknown sizes */
	uint32_t alloca_shared;	 /* bytes of constant sizes that clauses share */
	unsigned alloca_calls;	 /* of unknown sizes, in all clauses */
	uint32_t alloca_largest; /* the largest constant size */
	uint32_t alloca_empty;	 /* bytes before all others, a NUL: what alloca(0) returns */
	/*
	 * The table of pieces (piece.c): `this` variables that are pointed to, what clauses keep
	 * for later ones, then what each clause has for itself.
	 */
	uint32_t pieces_at;
	unsigned piece_count, this_pieces, kept_pieces;

	/* A clause may use an address of alloca memory that an earlier clause has assigned
	   to a `this` variable: then the memory is valid until the firing ends. */
	bool keeps_alloca, keeps_alloca_at_entry;
	bool copies_at_run_time;		/* copies of sizes known only at run time ... */
	uint32_t run_time_room[SCOPE_THIS + 1]; /* ... at most this in self and global variables */
	bool reads_user;			/* some clause reads user memory */
	bool points_into[SCOPE_THIS + 1];	/* addresses of parts of such variables are taken */
	bool registers_at_entry, registers_at_return; /* clauses of system calls read them */
	bool reads_run_time; /* clauses at a system call's entry use vtimestamp */
	/* Assignments that a rerun of their clause repeats (codegen/suspend.c). */
	const struct texpr *const *redone;
	unsigned redone_count;
};

/*
 * The plan of T, in A; A, T and OPTIONS must outlive it.  Programs that cannot be compiled
 * are diagnosed in D.  Each group has one part, and no needs are known.
 */
struct plan *plan_make(struct arena *a, const struct typed_program *t,
		       const struct plan_options *options, struct plan_limits limits,
		       struct diagnostics *d);
/* The sizes of clauses are known: groups that are too large get several parts, in A. */
void plan_split(struct arena *a, struct plan *plan);
/* All needs are known: which tables have all elements from the start; PLAN is verified. */
void plan_complete(struct plan *plan);

/* The needs of CLAUSE at EVENT, so far as they are known; IN_ERROR: as an ERROR clause of a program
 * for EVENT. */
struct needs plan_needs(const struct plan *plan, const struct tclause *clause,
			enum event_kind event, bool in_error);
bool needs_user_memory(const struct needs *n);
enum kernel_memory needs_kernel_memory(const struct needs *n);

void plan_print(const struct plan *p, struct strbuf *out);
/* The false statement of "Always true", or NULL. */
const char *plan_verify(const struct plan *p);

/* --- clauses of two executors (place.c) --------------------------------------------------------
 */

struct clause_place {
	bool moves;	    /* to the other executor */
	unsigned because;   /* of this clause, with which it shares ...; itself: it needs to */
	const char *shares; /* ... this: "self->x" */
};

/* By clause.  NEEDS, too: the clauses that only the other executor can run. */
struct clause_place *plan_places(struct arena *a, const struct typed_program *t, const bool *needs);
/* Bytes of V, a global variable, that are copied to the other executor after BEGIN; 0: none. */
uint32_t plan_copy_size(const struct plan *p, const struct variable *v);

/* --- predicates and sizes --------------------------------------------------------------------- */

const struct variable_place *plan_variable(const struct plan *p, const struct variable *v);
uint32_t plan_variable_size(const struct plan *p, const struct variable *v);
const struct clause_plan *plan_clause(const struct plan *p, const struct tclause *clause);
struct key_place plan_aggregation_key(const struct aggregation_layout *layout);
/* The largest record that the clause can leave, without the buffer's own header. */
uint32_t plan_record_size(const struct plan *p, const struct tclause *clause);
/* The actions of S and the statements after it; those inside S, a loop or an if. */
unsigned plan_count_actions(const struct tstmt *s);
unsigned plan_actions_inside(const struct tstmt *s);
/* Has a loop in LIST actions? How many records may passes leave in a firing? */
bool plan_prints_in_loops(const struct tstmt *list);
uint64_t plan_records_of_loops(const struct plan *p, const struct tstmt *list);
/* Is the record assembled in the frame? Is the key PLACE of these KEYS? */
bool plan_record_in_frame(const struct plan *p, const struct tclause *clause);
bool plan_key_in_frame(const struct plan *p, const struct texpr *keys,
		       const struct key_place *place);
uint32_t plan_string_room(const struct plan *p); /* of a struct rt_string in memory */
/* Does a rerun of the clause repeat the assignment? */
bool plan_is_redone(const struct plan *p, const struct texpr *assignment);
/* May a write through a pointer change a variable? A rerun of the clause then sees the change. */
bool plan_writes_variables(const struct plan *p);
/* Does the prologue claim a slot for all clauses?  `this` variables live in it. */
bool plan_shares_slot(const struct plan *p);
/* The bytes of that slot, after its header, that a suspended firing keeps. */
uint32_t plan_shared_size(const struct plan *p);
/* Of these, the zeros when the firing begins: `this` variables, pieces of all clauses. */
uint32_t plan_zeroed_size(const struct plan *p);
uint32_t plan_largest_piece(const struct plan *p); /* of alloca memory: bytes, at most */
/* Bytes at the end of alloca memory that only the verifier requires. */
uint32_t plan_verifier_room(const struct plan *p);
bool plan_may_sleep(const struct plan *p, enum event_kind event);
/* Do the returns of functions among these events follow jumps (abi/exit.h)? */
bool plan_follows_jumps(const struct plan *p, enum event_kind event);
/* Do programs at EVENT count themselves in and out? */
bool plan_counts_running(const struct plan *p, enum event_kind event);
/* Does the program of KIND for GROUP, of whose events all or none are tick's, test its task? */
bool plan_tests_task(const struct plan *p, const struct event_group *group, enum event_kind kind);
bool plan_is_element(const struct plan *p, const struct texpr *e); /* in a hash map? */
/* A number in the frame has all 64 bits there, whatever its type. */
bool plan_is_in_frame(const struct plan *p, const struct texpr *e);
bool plan_is_shared(const struct plan *p, const struct variable *v); /* with other firings? */
/* --- piece.c --- */
/* May the value of E be an address of scratch memory? Never where nothing is allocated there. */
bool plan_may_be_scratch(const struct plan *p, const struct texpr *e);
/* Of the table's pieces, those that may exist in CLAUSE: so many, from the first. */
unsigned plan_pieces_of(const struct plan *p, const struct tclause *clause);
/* Is V a `this` variable in the slot that pointers lead to? */
bool plan_is_piece(const struct plan *p, const struct variable *v);
/*
 * Is the size of the memory at TO known at compile time? Elements of associative arrays are
 * accessible only so: no pointer leads to them.
 */
bool plan_has_known_room(const struct plan *p, const struct texpr *to);

/* --- predicates of the typed tree: typed_predicate.c ---------------------------------------- */

struct variable *root_variable(const struct texpr *e); /* NULL: memory */
/* Whose memory is at the address E, of what is not user memory?  Never NONE. */
enum kernel_memory plan_memory_at(const struct texpr *e);
bool is_zero_value(const struct texpr *e); /* 0, or the NULL string */
bool is_probe_name(const struct texpr *e);
bool is_execname(const struct texpr *e);
/* Is E a string in memory? */
bool plan_is_text(const struct texpr *e);
/* Is E execname == TEXT, or !=?  TEXT is not terminated; see string.len. */
bool plan_compares_execname(const struct texpr *e, const struct texpr **text);
/* The longest text that the string expression E can have, if others are at most STRING_SIZE. */
uint32_t string_bound(const struct texpr *e, uint32_t string_size);
/* Is it known at compile time, and small enough for its own place? How many bytes? */
bool is_constant_size(const struct texpr *size);
uint32_t alloca_constant_room(const struct texpr *size);
bool is_number_size(uint32_t size); /* 1, 2, 4 or 8 */
/* Is `OP N` one instruction? */
bool plan_one_instruction(enum op op, bool is_signed, int64_t n);
/* May the value RIGHT be zero when OP divides by it? */
bool plan_may_divide_by_zero(enum op op, const struct texpr *right);
bool aggregate_needs_mark(const struct aggregation *a);
bool clause_has_event(const struct tclause *clause, enum event_kind kind);
/* Add the clause's events to COUNTS, by kind. */
void clause_count_events(const struct tclause *clause, unsigned *counts);
/* Is argN somewhere in user memory for a probe of the clause? */
bool plan_argument_in_memory(const struct tclause *clause, unsigned index);
bool has_exit(const struct clause_layout *layout);

enum speculates { SPECULATES_NEVER, SPECULATES_SOMETIMES, SPECULATES_ALWAYS };
enum speculates clause_speculates(const struct tclause *clause);

/* Keys: literals of at most so many bytes are written as words; more zeros are a call. */
#define KEY_LITERAL_WORDS 64
#define KEY_CLEARED_IN_LINE 512 /* the call costs as much as 60 words (25 ns on 6.18) */

#endif
