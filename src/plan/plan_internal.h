/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the files of plan/ while a plan is made; see plan.h */
#ifndef PLAN_PLAN_INTERNAL_H
#define PLAN_PLAN_INTERNAL_H

#include "plan/plan.h"

/*
 * One component of an aggregation's key over all its uses.  If it is a probe name in one
 * use and another string in another, it is kept as a string everywhere; otherwise as the
 * probe's id, four bytes.  Stacks have space for the longest, strings for the longest
 * possible.
 */
struct component {
	const struct texpr *sample; /* the first use, for facts that types do not have; NULL:
				     * none */
	bool is_mixed;		    /* not the same probe name everywhere */
	uint32_t frames, interpreted, strings, bound;
};

/* The value that a clause has assigned to a this variable so far (lookahead.c). */
struct known {
	bool is_assigned;
	const struct texpr *value;	    /* plain; NULL: not known */
	const struct condition *conditions; /* of the assignment */
	unsigned nodes;			    /* of value */
};

/* A variable while the plan is made. */
struct variable_state {
	uint32_t *key_bounds; /* the greatest length of each string component */
	unsigned mentions;    /* in the current clause ... */
	bool is_own;	      /* ... which has assigned it before any other use */
	struct known known;   /* of this variables */
};

struct planner {
	struct plan *plan;
	struct arena *arena;
	const struct typed_program *typed;
	const struct plan_options *options;
	struct diagnostics *diagnostics;

	struct variable_state *variables[SCOPE_THIS + 1];
	struct component **components; /* of each aggregation's key */
	bool *begins_anew;	       /* by aggregation: its elements have generations */
	VECTOR(struct map_layout) maps;
	uint32_t key_ids;				  /* given so far */
	VECTOR(const struct texpr *) redone, assignments; /* assignments: all, and updates */
	/* Properties of clauses at a system call's entry; points: they keep the address of a this
	 * variable. */
	bool reads_at_entry, writes_at_entry, points_at_entry;

	/* the current clause */
	const struct tclause *clause;
	bool at_entry;			    /* of a system call */
	unsigned statement, assigned;	    /* number; in how many values assigned to numbers */
	const struct condition *conditions; /* the innermost one */
	VECTOR(struct lookahead) lookaheads;
};

static inline struct variable_state *variable_state(struct planner *p, const struct variable *v)
{
	return &p->variables[v->scope][v->index];
}

/*
 * Files that come later may have other translators for args[] of the current clause, whose literals
 * are others, too.  They are recorded like any strings, so that the layout holds for them.
 */
static inline bool clause_is_open(const struct planner *p)
{
	return p->clause->declaration && p->options->more_may_come;
}

/* COUNT items of SIZE bytes, in the plan's arena. */
void *plan_keep(struct planner *p, const void *items, size_t count, size_t size);

/* --- analysis.c --- */
/* The walk.  The result is the bytes of alloca memory of constant sizes. */
uint32_t analyze_program(struct planner *p);

/* --- lookahead.c, for the analysis --- */
/* VALUE was assigned; NULL: an unknown value. */
void lookahead_assigned(struct planner *p, const struct texpr *target, const struct texpr *value);
/* The following code is reached only if the condition E HOLDS, or does not. */
void condition_enter(struct planner *p, const struct texpr *e, bool holds);
void condition_leave(struct planner *p);
/* E reads user memory; SIZE bytes at the address E are read. */
void lookahead_read(struct planner *p, const struct texpr *e);
void lookahead_bytes(struct planner *p, const struct texpr *e, uint32_t size);

/* --- piece.c --- */
/* The table of pieces; the result is its bytes.  Variables have their places. */
uint32_t place_pieces(struct planner *p);

/* --- key.c --- */
uint32_t aligned_to(uint32_t offset, uint32_t size);
/* A component: its kind and size.  BOUND is of strings; SAMPLE may be NULL. */
struct value_field key_field(const struct type *type, const struct texpr *sample, uint32_t bound);
/*
 * Places for the fields of a key, and the map that it is a key of: M has kind, name, value size
 * and shards; the other members are set.  ROOM: bytes for all elements of each shard.
 */
struct key_place place_key(struct planner *p, struct value_field *fields, unsigned count,
			   struct map_layout m, bool has_shard, uint64_t room);

/* --- layout.c --- */
void place_program(struct planner *p, uint32_t alloca_size);

/* --- aggregation.c --- */
void place_aggregation(struct planner *p, const struct aggregation *a,
		       struct aggregation_layout *ret);

/* --- record.c --- */
void place_record(struct planner *p, const struct tclause *clause, struct clause_plan *ret);

#endif
