/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plan - what each clause needs and where each value is, before any code
 *
 * In:   struct typed_program (sema/typed.h), read only; options of the user
 *       and facts of the executor.
 * Out:  struct plan, indexed by the numbers of clauses, variables and aggregations.
 *
 * All decisions that concern more than one instruction are made here, by pure functions over the
 * typed tree; codegen writes them down.  So the needs of a script can be printed (-xdump=plan) and
 * queried before anything is compiled.
 *
 *   group.c        which events share a program (group.h)
 *   split.c        which programs are split
 *   needs.c        what a clause needs at one kind of event: needs_value.c, needs_variable.c,
 *                  needs_field.c, needs_call.c
 *   analysis.c     one walk over the program: types in keys, alloca memory, reads
 *   lookahead.c    reads whose address is known before the clause's body
 *   layout.c       variables, keys and their maps, the slot; aggregations: aggregation.c; records:
 *                  record.c
 *   print.c        the plan as text (-xdump=plan)
 *   verify.c       the promises below
 *
 * Always true (plan_verify()):
 *   1. Each variable, aggregation and field has one place, not shared with another: in the globals,
 *      the thread's block, the frame, the slot, a key, a record.
 *   2. A key has the size of its map's keys.
 *   3. Only a clause at a system call's entry that reads user memory may be suspended.
 *   4. A clause asks for room if and only if it leaves a record.
 *   5. A clause is in the groups of all events of its probes, once for each, and in one part of
 *      a group for each pass.
 *
 * A program that needs more stack or maps than the kernel gives is planned again (struct
 * plan_limits); programs that fit pay nothing.
 */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "abi/abi.h"
#include "base/base.h"
#include "base/diagnostic.h"
#include "plan/group.h"
#include "sema/typed.h"

struct arch;

/* What the user chose, and facts of the executor. */
struct plan_options {
	const struct arch *arch;
	uint32_t area_count;	   /* program.area_count */
	uint32_t cpu_count;	   /* program.cpu_count */
	bool drops_by_clause;	   /* count them by clause, too */
	uint32_t string_size;	   /* strsize */
	uint32_t kernel_frames;	   /* of a stack that the kernel walks: stackdepth counts as many */
	bool frames_chosen;	   /* by -x maxframes: nobody misses the others */
	uint32_t scratch_size;	   /* alloca and copyin of sizes unknown to the compiler */
	uint64_t dynamic_size;	   /* dynvarsize */
	uint64_t aggregation_size; /* aggsize, for each CPU */
	bool cpu_parts;		   /* aggpercpu: what each CPU added is asked for */
	int32_t thread_status_offset; /* of task_struct.thread_info.status; -1: unknown */
	/* Of a thread's numbers in task_struct; -1: unknown, or the tracer's are others. */
	int32_t task_tgid_offset, task_pid_offset;
	int only_cpu;		       /* -xcpu: fire on this CPU alone; -1: on all */
	const uint16_t *runtime_stack; /* for each run-time function: bytes; NULL: unknown */
	bool more_may_come;	       /* probes, while these programs run */
	bool tracepoint_cookies;       /* programs at raw tracepoints know theirs */
	bool can_sleep;		       /* programs at user functions may sleep */
	bool checks;		       /* does the code need what the plan says? (tests) */
	/* By enum event_kind: programs of more instructions (about) are split; NULL: none is. */
	const uint32_t *part_size;
};

/* What an earlier plan of the same program has run into. */
struct plan_limits {
	bool spill;	    /* the stack is too small: what grows with the text lies in the slot */
	unsigned temps_max; /* ... and so many temporaries are kept at once */
	bool share_maps;    /* there are too many maps: several keys in one */
};

/* --- places ------------------------------------------------------------------------------ */

/* A key: of an associative array, or of an aggregation. */
struct key_place {
	int map; /* index into plan.maps; -1: none */
	const struct value_field *fields;
	unsigned count;
	uint32_t size, id;	  /* id not 0: it stands before the fields */
	uint32_t shard_offset;	  /* 0: no struct key_shard */
	unsigned areas_per_shard; /* a power of two */
	bool has_generations;
	uint32_t generation_offset; /* in the globals */
};

enum home {
	HOME_BLOCK, /* the globals, or the thread's block */
	HOME_FRAME, /* a this variable: a number */
	HOME_SLOT,  /* a this variable */
	HOME_MAP,   /* an associative array, or what the thread's block has no room for */
};

struct variable_place {
	enum home home;
	uint32_t offset;      /* in the globals, the block, the frame's or slot's this variables */
	struct key_place key; /* HOME_MAP; that of a self array ends with the thread */
	bool is_pointed_to;   /* the address of a part of it is taken */
};

/*
 * What a clause has of alloca memory, from alloca_begin: constant sizes.  The clauses share these
 * places, but for those that keep an address in a this variable, for later ones.
 */
struct clause_alloca {
	uint32_t at, size;
	unsigned calls, first_call; /* of sizes unknown to the compiler: number, and that of the
				       first among all */
	bool is_kept;
};

/* --- lookaheads: reads of user memory whose address is known before the body (lookahead.c) --- */

/* What decides whether a clause comes to a place of its text. */
struct condition {
	const struct texpr *value; /* it must not be 0; NULL: not a plain expression */
	const struct condition *outer;
};

struct lookahead {
	unsigned statement;
	const struct texpr *address;
	int32_t offset; /* from there, of a byte that is read */
	bool is_text;	/* it begins there, and its end is looked for */
	const struct condition *conditions;
};

/* --- needs ---------------------------------------------------------------------------------- */

/* From when on; a predicate comes before the body. */
enum moment { MOMENT_NEVER, MOMENT_BODY, MOMENT_START };

/* What a clause needs at one kind of event. */
struct needs {
	enum moment slot, time, run_time; /* run_time: vtimestamp */
	bool room;			  /* for a record: asked before the body */
	bool user_memory;
	/*
	 * A read at an address that is not a user's.  Types do not tell a pointer of the kernel
	 * from one into D's own memory (alloca(), copyin(), &variable), so this says that the
	 * kernel's memory may be read.  An executor without it runs the clause, and such a read is
	 * a fault.
	 */
	bool kernel_memory;
	bool suspends; /* absent user memory may suspend the firing */
	/* Reads at known addresses are looked at before the body, from this statement on;
	   UINT32_MAX: none. */
	unsigned lookahead_from;
	uint32_t instructions;			  /* of its code, about */
	uint64_t functions[(RT_COUNT + 63) / 64]; /* of the run-time library: a bit for each */
};

struct clause_plan {
	struct clause_layout layout;
	uint32_t tail; /* bytes of its record's tail, at most; 0: it has none */
	struct clause_alloca alloca;
	const struct lookahead *lookaheads; /* at a system call's entry */
	unsigned lookahead_count;
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

	uint32_t globals_size, keyless_size, self_size;
	uint32_t suspended_size; /* of struct suspended and what follows; 0: no firing waits */
	bool suspends;		 /* some clause at a system call's entry may be suspended */
	uint32_t zeros_size;

	/* The slot: header, this variables, alloca memory, then records, keys, temporaries. */
	uint32_t this_frame_size, this_slot_size; /* bytes of this variables */
	uint32_t token_at;			  /* the string that strtok() works on; 0: none */
	uint32_t spill_at;			  /* temporaries, if limits.spill */
	uint32_t alloca_begin, alloca_end, alloca_dynamic; /* alloca_dynamic: of unknown sizes */
	uint32_t alloca_shared; /* bytes of constant sizes that clauses share */
	unsigned alloca_calls;	/* of unknown sizes, in all clauses */

	/* A clause may use an address of alloca memory that an earlier one has put in a this
	   variable: then the memory lasts as long as the firing. */
	bool keeps_alloca, keeps_alloca_at_entry;
	bool copies_at_run_time;		/* as many bytes as are known then ... */
	uint32_t run_time_room[SCOPE_THIS + 1]; /* ... at most this in self and global variables */
	bool reads_user;			/* some clause reads user memory */
	bool points_into[SCOPE_THIS + 1];	/* addresses of parts of such variables are taken */
	bool registers_at_entry, registers_at_return; /* clauses of system calls read them */
	bool reads_run_time; /* clauses at a system call's entry ask for vtimestamp */
	/* Assignments that are made good when their clause is run again (codegen/suspend.c). */
	const struct texpr *const *redone;
	unsigned redone_count;
};

/*
 * The plan of T, in A, which must outlive it, as must T, OPTIONS.  What cannot be compiled is
 * diagnosed in D.
 */
const struct plan *plan_make(struct arena *a, const struct typed_program *t,
			     const struct plan_options *options, struct plan_limits limits,
			     struct diagnostics *d);

/* What CLAUSE needs at EVENT; IN_ERROR: as an ERROR clause of a program for EVENT. */
void plan_needs(const struct plan *plan, const struct tclause *clause, enum event_kind event,
		bool in_error, struct needs *ret);

void plan_print(const struct plan *p, struct strbuf *out);
/* What does not hold of P that always should; or NULL. */
const char *plan_verify(const struct plan *p);

/* --- questions ------------------------------------------------------------------------------- */

const struct variable_place *plan_variable(const struct plan *p, const struct variable *v);
const struct clause_plan *plan_clause(const struct plan *p, const struct tclause *clause);
struct key_place plan_aggregation_key(const struct aggregation_layout *layout);
/* The largest record that the clause can leave, without the buffer's own header. */
uint32_t plan_record_size(const struct plan *p, const struct tclause *clause);
/* Is it put together in the frame?  Is the key PLACE of these KEYS? */
bool plan_record_in_frame(const struct plan *p, const struct tclause *clause);
bool plan_key_in_frame(const struct plan *p, const struct texpr *keys,
		       const struct key_place *place);
uint32_t plan_string_room(const struct plan *p); /* of a struct rt_string in memory */
/* Is E made good when its clause is run again? */
bool plan_is_redone(const struct plan *p, const struct texpr *assignment);
/* May what is written through a pointer be a variable?  Whoever runs anew sees it, too. */
bool plan_writes_variables(const struct plan *p);
/* Does the prologue claim a slot for all clauses?  this variables live in it. */
bool plan_shares_slot(const struct plan *p);
/* The area of that slot, after its header, that a firing that waits keeps. */
uint32_t plan_shared_size(const struct plan *p);
/* Bytes of alloca memory at the end that only the verifier wants. */
uint32_t plan_verifier_room(const struct plan *p);
bool plan_may_sleep(const struct plan *p, enum event_kind event);
bool plan_is_element(const struct plan *p, const struct texpr *e); /* in a hash map? */
/* A number in the frame has all 64 bits there, whatever its type. */
bool plan_is_in_frame(const struct plan *p, const struct texpr *e);
bool plan_is_shared(const struct plan *p, const struct variable *v); /* with other firings? */
/*
 * Is it known when compiling how much room there is at TO?  Elements of associative arrays are had
 * in no other way: no pointer leads to them.
 */
bool plan_has_known_room(const struct plan *p, const struct texpr *to);

/* --- predicates of the typed tree: typed_predicate.c ---------------------------------------- */

struct variable *root_variable(const struct texpr *e); /* NULL: memory */
bool is_zero_value(const struct texpr *e);	       /* 0, or the NULL string */
bool is_probe_name(const struct texpr *e);
bool is_execname(const struct texpr *e);
/* Is E text that lies in memory? */
bool plan_is_text(const struct texpr *e);
/* Is E execname == TEXT, or !=?  TEXT has no end of its own; see string.len. */
bool plan_compares_execname(const struct texpr *e, const struct texpr **text);
/* The longest text that the string expression E can have, if others are at most STRING_SIZE. */
uint32_t string_bound(const struct texpr *e, uint32_t string_size);
/* Is it known when compiling, and one that has a place of its own?  Of how many bytes? */
bool is_constant_size(const struct texpr *size);
uint32_t alloca_constant_room(const struct texpr *size);
bool is_number_size(uint32_t size); /* 1, 2, 4 or 8 */
/* Is `OP N` one instruction? */
bool plan_one_instruction(enum op op, bool is_signed, int64_t n);
bool aggregate_needs_mark(const struct aggregation *a);
bool clause_has_event(const struct tclause *clause, enum event_kind kind);
/* The kind of events whose probes fire what KIND's program runs. */
enum event_kind event_of_probes(enum event_kind kind);
/* Where argN is for the clause's probes at EVENT; NULL: there is none. */
const struct arg_location *plan_argument(const struct tclause *clause, enum event_kind event,
					 unsigned index);
bool has_exit(const struct clause_layout *layout);

enum speculates { SPECULATES_NEVER, SPECULATES_SOMETIMES, SPECULATES_ALWAYS };
enum speculates clause_speculates(const struct tclause *clause);

/*
 * Arguments of a run-time function whose parameters are, from R2 on, what KINDS
 * says: 's' a string, 'n' a number; DEFAULT_NUMBER for numbers that were left out.
 */
struct rt_call {
	enum rt_function function;
	const char *kinds;
	int64_t default_number;
};
/* Of subroutines that are such a call and nothing else; NULL: E's is not one of them. */
const struct rt_call *plan_rt_call(const struct texpr *e);

/* Keys: literals of at most so many bytes are written as words; more zeros are a call. */
#define KEY_LITERAL_WORDS 64
#define KEY_CLEARED_IN_LINE 512 /* the call costs what 60 words do (25 ns on 6.18) */

#endif
