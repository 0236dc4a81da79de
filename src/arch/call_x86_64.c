/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/call.h"

#define INTEGERS 6
#define FLOATS 8

/* Of each eight bytes of a value that is passed in registers. */
struct classes {
	unsigned count;
	bool is_integer[2];
};

/* The second half of a vector is in the register of the first. */
static unsigned last_word(const struct call_part *p)
{
	return (p->offset + (p->kind == CALL_FLOAT ? 1 : p->size) - 1) / 8;
}

/* False: the value is passed in memory. */
static bool classify(const struct call_value *v, struct classes *ret)
{
	*ret = (struct classes) { 0 };
	bool is_vector = v->count == 1 && v->parts[0].kind == CALL_FLOAT;
	if (v->size > 16 && !is_vector)
		return false;
	for (unsigned i = 0; i < v->count; i++) {
		const struct call_part *p = &v->parts[i];
		bool is_unaligned = p->size && p->offset % MIN(p->size, 8u) != 0;
		if (p->kind == CALL_LONG_DOUBLE || is_unaligned || last_word(p) > 1)
			return false;
		for (unsigned w = p->offset / 8; w <= last_word(p); w++)
			ret->is_integer[w] |= p->kind == CALL_INTEGER;
		ret->count = MAX(ret->count, last_word(p) + 1);
	}
	return true;
}

/* Its registers, from INTEGERS, which has the next free ones. */
static void place_by_classes(const struct classes *classes, const uint16_t *integers,
			     struct call_place *ret)
{
	ret->kind = CALL_IN_REGISTERS;
	ret->count = classes->count;
	for (unsigned w = 0; w < classes->count; w++)
		if (classes->is_integer[w])
			ret->registers[w] = *integers++;
		else
			ret->kind = CALL_IN_FLOATS;
}

void call_argument_x86_64(struct call *c, const struct call_value *v, struct call_place *ret)
{
	struct classes classes;
	*ret = (struct call_place) { .is_address = v->by_address };
	if (v->by_address)
		v = &call_pointer;
	if (!v->count)
		return;
	bool fits = classify(v, &classes);
	unsigned integers = classes.is_integer[0] + classes.is_integer[1];
	unsigned floats = classes.count - integers;
	if (!fits || c->integers + integers > INTEGERS || c->floats + floats > FLOATS) {
		call_on_stack(c, v, ret);
		return;
	}
	place_by_classes(&classes, arch_x86_64.argument + c->integers, ret);
	c->integers += integers;
	c->floats += floats;
}

/* rax, rdx; of a value in memory its address is in rax. */
void call_result_x86_64(const struct call_value *v, struct call_place *ret, bool *takes_argument)
{
	const uint16_t registers[] = { arch_x86_64.result, arch_x86_64.argument[2] };
	struct classes classes;
	*ret = (struct call_place) { CALL_NOWHERE };
	*takes_argument = false;
	if (v->count == 1 && v->parts[0].kind == CALL_LONG_DOUBLE) {
		ret->kind = CALL_IN_FLOATS; /* st(0) */
		return;
	}
	bool is_address = v->by_address || !classify(v, &classes);
	if (is_address)
		classify(&call_pointer, &classes);
	else if (!v->count)
		return;
	place_by_classes(&classes, registers, ret);
	ret->is_address = *takes_argument = is_address;
}
