/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/call.h"

#define INTEGERS 8
#define FLOATS 8
#define SAME_MOST 4 /* floats of one size that are passed in registers each */

/* Its floating-point registers; 0: not all of it is of one such type. */
static unsigned floats_of(const struct call_value *v)
{
	if (v->count > SAME_MOST)
		return 0;
	for (unsigned i = 0; i < v->count; i++)
		if (v->parts[i].kind == CALL_INTEGER || v->parts[i].size != v->parts[0].size)
			return 0;
	return v->count;
}

static void argument_in_floats(struct call *c, const struct call_value *v, unsigned count,
			       struct call_place *ret)
{
	if (c->floats + count > FLOATS) {
		c->floats = FLOATS;
		call_on_stack(c, v, ret);
		return;
	}
	c->floats += count;
	ret->kind = CALL_IN_FLOATS;
}

static void place_by_count(const uint16_t *registers, unsigned count, struct call_place *ret)
{
	ret->kind = CALL_IN_REGISTERS;
	ret->count = count;
	for (unsigned i = 0; i < count; i++)
		ret->registers[i] = registers[i];
}

void call_argument_aarch64(struct call *c, const struct call_value *v, struct call_place *ret)
{
	*ret = (struct call_place) { CALL_NOWHERE };
	if (!v->count && !v->by_address && !v->size)
		return;
	unsigned floats = v->by_address ? 0 : floats_of(v);
	if (floats) {
		argument_in_floats(c, v, floats, ret);
		return;
	}
	ret->is_address = v->by_address || v->size > 16;
	if (ret->is_address)
		v = &call_pointer;
	unsigned count = (v->size + 7) / 8;
	if (v->align > 8)
		c->integers = ALIGN_UP(c->integers, 2);
	if (c->integers + count > INTEGERS) {
		c->integers = INTEGERS;
		call_on_stack(c, v, ret);
		return;
	}
	if (v->count) /* an empty class of C++ has a byte: its register holds nothing */
		place_by_count(arch_aarch64.argument + c->integers, count, ret);
	c->integers += count;
}

/* The caller passes the address of a large result in x8, which the function may change. */
void call_result_aarch64(const struct call_value *v, struct call_place *ret, bool *takes_argument)
{
	*ret = (struct call_place) { CALL_NOWHERE };
	*takes_argument = false;
	if (v->by_address || (v->size > 16 && !floats_of(v)))
		ret->kind = CALL_UNKNOWN;
	else if (floats_of(v))
		ret->kind = CALL_IN_FLOATS;
	else if (v->count)
		place_by_count(arch_aarch64.argument, (v->size + 7) / 8, ret);
}
