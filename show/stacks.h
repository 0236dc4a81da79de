/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks - the call stacks of a run, by the aggregation that has them
 *
 * A row of an aggregation is a stack if one of its keys is one: keys that are no stacks are the
 * outermost frames, then come those of the process, then those of the kernel.  Its weight is the
 * value; of a histogram the number of values.  Without such an aggregation the records of stack()
 * and ustack() are the stacks, with a weight of 1 each.
 *
 * Each printing of an aggregation shows all of it, so the last one counts; if it was cleared after
 * a printing, the next one is added.
 */
#ifndef SHOW_STACKS_H
#define SHOW_STACKS_H

#include "show/show.h"
#include "show/tree.h"

struct stacks;

struct stacks *stacks_new(bool has_places); /* do frames of different places differ? */
void stacks_free(struct stacks *s);
void stacks_add_line(struct stacks *s, const struct show *show, const char *type,
		     struct json_object *line);

struct stack_set {
	const char *title;    /* "@a = count()", "stacks of records" */
	const char *name;     /* of the aggregation; NULL: records */
	const char *function; /* count() of records */
	struct tree *tree;    /* sorted */
};

/*
 * The stacks of the aggregation NAME, NULL: of records, owned by S; what was left out of them
 * becomes notes of SHOW.  False: there are none, or none has a weight.
 */
bool stacks_find(struct stacks *s, struct show *show, const char *name, struct stack_set *ret);

/* What is to be drawn; others become notes of SHOW.  An error: nothing has stacks. */
MUST_CHECK struct error *stacks_choose(struct stacks *s, struct show *show, struct stack_set *ret);

/* struct form's `begin` and `line` of forms that draw stacks; show->state is a struct stacks. */
void stacks_begin(struct show *show);
void stacks_line(struct show *show, const char *type, struct json_object *line);

#endif
