/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments are on the stack, in words of 4 bytes; vectors are in registers of their own.  Structs
 * are returned in memory whatever is in them, as Linux has it (-fpcc-struct-return); 8-byte numbers
 * in eax and edx.  Static functions may get arguments in registers: debug information says so.
 */
#include "arch/call.h"

#define WORD 4u
#define EDX 2		/* DWARF's number */
#define STACK_ALIGN 16u /* of values that contain vectors; all others: a word */

static const struct call_part address_part = { 0, WORD, CALL_INTEGER };
static const struct call_value address = { WORD, WORD, .parts = &address_part, .count = 1 };

static bool is_vector(const struct call_part *p)
{
	return p->kind == CALL_FLOAT && p->size >= STACK_ALIGN;
}

static bool has_vector(const struct call_value *v)
{
	for (unsigned i = 0; i < v->count; i++)
		if (is_vector(&v->parts[i]))
			return true;
	return false;
}

void call_argument_i386(struct call *c, const struct call_value *v, struct call_place *ret)
{
	*ret = (struct call_place) { .is_address = v->by_address };
	if (v->by_address || v == &call_pointer)
		v = &address;
	if (!v->count)
		return;
	if (v->count == 1 && is_vector(v->parts)) {
		ret->kind = CALL_IN_FLOATS;
		return;
	}
	if (has_vector(v))
		c->stack = ALIGN_UP(c->stack, STACK_ALIGN);
	ret->kind = CALL_ON_STACK;
	ret->offset = c->stack;
	c->stack += ALIGN_UP(v->size, WORD);
}

/* eax, edx; of a value in memory its address is in eax. */
void call_result_i386(const struct call_value *v, struct call_place *ret, bool *takes_argument)
{
	bool is_address = v->by_address || v->is_aggregate;
	*ret = (struct call_place) { CALL_NOWHERE, .is_address = is_address };
	*takes_argument = is_address;
	if (is_address)
		v = &address;
	if (!v->count)
		return;
	ret->kind = v->parts[0].kind == CALL_INTEGER ? CALL_IN_REGISTERS : CALL_IN_FLOATS;
	ret->count = v->size > WORD ? 2 : 1;
	ret->registers[0] = arch_i386.result;
	ret->registers[1] = arch_i386.dwarf_registers[EDX];
}
