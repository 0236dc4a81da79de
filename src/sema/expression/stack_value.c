/* SPDX-License-Identifier: BSD-2-Clause */
/* stack_value - stacks in variables */
#include "sema/sema_internal.h"

struct texpr *stack_read(struct sema *s, struct texpr *e)
{
	if (e->kind != TEXPR_ASSIGN || !type_is_kept_stack(e->type))
		return e;
	return mistake(s, e->range, D_OP_ACT,
		       "the assignment of a stack must be a whole statement");
}

struct texpr *stack_kept(struct sema *s, struct texpr *e, const struct type *wanted)
{
	if (e->kind != TEXPR_STACK || type_is_kept_stack(e->type))
		return e;
	if (e->stack.interpreted)
		return mistake(s, e->range, D_OP_ACT,
			       "the frames of jstack() cannot be kept or compared: ustack() can");
	uint32_t most = e->stack.user ? s->env->ustack_frames : s->env->stack_frames;
	uint32_t frames = MIN(e->stack.frames, most);
	bool fits = wanted && type_is_kept_stack(wanted) &&
		    type_is_user_stack(wanted) == e->stack.user && frames <= wanted->count;
	struct texpr *kept = texpr_copy(s, e);
	kept->stack.frames = frames;
	kept->stack.wants_more = false;
	kept->type = fits ? wanted : types_stack(s->types, e->stack.user, frames);
	return kept;
}
