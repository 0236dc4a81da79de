/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of plan/ share while a plan is made; see plan.h */
#ifndef PLAN_PLAN_INTERNAL_H
#define PLAN_PLAN_INTERNAL_H

#include "plan/plan.h"

/*
 * One component of an aggregation's key over all its uses.  If it is a probe name here and
 * another string there it is kept as text everywhere; otherwise four bytes, the probe's id,
 * stand for it.  Stacks have room for the longest, strings for the longest that can come.
 */
struct component {
	const struct texpr *sample; /* the first use, for what types do not tell; NULL: none */
	bool is_mixed;		    /* not the same probe name everywhere */
	uint32_t frames, bound;
};

/* What a clause has assigned to a this variable so far (lookahead.c). */
struct known {
	bool is_assigned;
	const struct texpr *value;	    /* plain; NULL: not known */
	const struct condition *conditions; /* of the assignment */
	unsigned nodes;			    /* of value */
};

/* A variable while the plan is made. */
struct variable_state {
	uint32_t *key_bounds; /* the longest text that each string component can have */
	unsigned mentions;    /* in the clause at hand ... */
	bool is_own;	      /* ... which has set it before all else */
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
	uint32_t key_ids; /* given so far */
	VECTOR(const struct texpr *) redone;
	/* What clauses at a system call's entry do; points: keep the address of a this variable. */
	bool reads_at_entry, writes_at_entry, points_at_entry;

	/* the clause at hand */
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

/* COUNT items of SIZE bytes, in the plan's arena. */
void *plan_keep(struct planner *p, const void *items, size_t count, size_t size);

/* --- analysis.c --- */
/* The walk.  The answer is the bytes of alloca memory that constant sizes take. */
uint32_t analyze_program(struct planner *p);

/* --- lookahead.c, for the analysis --- */
/* VALUE was assigned, NULL: what nobody knows. */
void lookahead_assigned(struct planner *p, const struct texpr *target, const struct texpr *value);
/* What follows is reached only if the condition E HOLDS, or does not. */
void condition_enter(struct planner *p, const struct texpr *e, bool holds);
void condition_leave(struct planner *p);
/* E reads user memory; SIZE bytes at the address E are read. */
void lookahead_read(struct planner *p, const struct texpr *e);
void lookahead_bytes(struct planner *p, const struct texpr *e, uint32_t size);

/* --- key.c --- */
uint32_t aligned_to(uint32_t offset, uint32_t size);
/* A component: its kind and size.  BOUND is of strings; SAMPLE may be NULL. */
struct value_field key_field(const struct type *type, const struct texpr *sample, uint32_t bound);
/*
 * Places for the fields of a key, and the map that it is a key of: M has kind, name, value size
 * and shards, and gets the rest.  ROOM bytes are there for all elements of each shard.
 */
struct key_place place_key(struct planner *p, struct value_field *fields, unsigned count,
			   struct map_layout m, bool has_shard, uint64_t room);

/* --- layout.c --- */
void place_program(struct planner *p, uint32_t alloca_size);

/* --- aggregation.c --- */
void place_aggregation(struct planner *p, const struct aggregation *a,
		       struct aggregation_layout *ret);

/* --- needs.c --- */
/* Add to INSERTS, by map, the places of CLAUSE at EVENT that may make an element. */
void needs_inserts(const struct plan *plan, const struct tclause *clause, enum event_kind event,
		   uint32_t *inserts);

/* --- split.c --- */
/* Each group's parts.  All else of PLAN is there. */
void split_groups(struct arena *a, struct plan *plan);

/* --- record.c --- */
void place_record(struct planner *p, const struct tclause *clause, struct clause_plan *ret);

#endif
