/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/call.h"

static const struct call_part pointer_part = { 0, 8, CALL_INTEGER };
const struct call_value call_pointer = { 8, 8, .parts = &pointer_part, .count = 1 };

#define WORD 8u

void call_on_stack(struct call *c, const struct call_value *v, struct call_place *ret)
{
	if (v->align > WORD)
		c->stack = ALIGN_UP(c->stack, 2 * WORD);
	ret->kind = CALL_ON_STACK;
	ret->offset = c->stack;
	c->stack += ALIGN_UP(v->size, WORD);
}
