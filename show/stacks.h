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

/* struct form's `begin` and `line`; s->state is theirs until stacks_free(). */
void stacks_begin(struct show *s);
void stacks_line(struct show *s, const char *type, struct json_object *line);
void stacks_free(struct show *s);

struct stack_set {
	const char *title; /* "@a = count()", "stacks of records" */
	struct tree *tree; /* sorted */
};

/*
 * What is to be drawn; what was left out becomes notes of S.  RET is owned by S.  An error: nothing
 * has stacks.
 */
MUST_CHECK struct error *stacks_choose(struct show *s, struct stack_set *ret);

#endif
