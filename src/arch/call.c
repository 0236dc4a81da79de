/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/call.h"

#include <string.h>

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

/* --- Go --------------------------------------------------------------------------------------- */

#define GO_FLOATS 15

/* Has each register eight bytes of the value? */
static bool are_words(const struct call_value *v)
{
	for (unsigned i = 0; i < v->count && v->count > 1; i++)
		if (v->parts[i].size != WORD || v->parts[i].offset != i * WORD)
			return false;
	return v->count <= CALL_REGISTERS_MAX;
}

static unsigned integers_of(const struct call_value *v)
{
	unsigned count = 0;
	for (unsigned i = 0; i < v->count; i++)
		count += v->parts[i].kind == CALL_INTEGER;
	return count;
}

void call_go(const struct arch *a, struct call *c, const struct call_value *v,
	     struct call_place *ret)
{
	unsigned integers = integers_of(v), floats = v->count - integers;
	*ret = (struct call_place) { v->count ? CALL_UNKNOWN : CALL_NOWHERE };
	if (v->has_array || c->integers + integers > a->go_register_count ||
	    c->floats + floats > GO_FLOATS)
		return;
	if (floats) {
		ret->kind = CALL_IN_FLOATS;
	} else if (v->count && are_words(v)) {
		ret->kind = CALL_IN_REGISTERS;
		ret->count = v->count;
		memcpy(ret->registers, a->go_registers + c->integers,
		       v->count * sizeof(*ret->registers));
	}
	c->integers += integers;
	c->floats += floats;
}
