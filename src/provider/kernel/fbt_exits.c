/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_exits - single instructions of a function of the kernel: the one at an offset, those that
 * leave the function
 *
 * What leaves a function are returns and jumps to other functions: these return in its place.  Code
 * that the compiler moved elsewhere (NAME.cold) belongs to the function.
 */
#include "provider/kernel/fbt_text.h"

struct search {
	const struct kernel_text *text;
	const struct text_symbol *symbol, *cold; /* cold: its moved part; NULL: it has none */
	address_vector *ret;
	bool after_sum;
	const char *problem;
};

static bool is_in(const struct search *s, const struct text_symbol *part, uint64_t address)
{
	return part && address >= part->address &&
	       address - part->address < text_size(s->text, part);
}

/* Does a jump to TARGET stay in the function? */
static bool stays(struct search *s, uint64_t target)
{
	if (is_in(s, s->symbol, target) || is_in(s, s->cold, target))
		return true;
	const struct text_symbol *to = text_symbol_at(s->text, target);
	size_t length = strlen(s->symbol->name);
	if (s->cold || !to || strncmp(to->name, s->symbol->name, length) != 0 ||
	    strncmp(to->name + length, ".cold", 5) != 0)
		return false;
	s->cold = to;
	return true;
}

static bool add_exit(void *arg, uint64_t address, const struct instruction *i)
{
	struct search *s = arg;
	bool jumps = i->flow == FLOW_JUMP || i->flow == FLOW_BRANCH;
	bool is_outside = jumps && !stays(s, address + (uint64_t)i->target);
	enum leaving leaving = instruction_leaves(i, s->after_sum, is_outside);
	s->after_sum = i->is_sum;
	if (leaving == LEAVES_SOMETIMES)
		s->problem = "it is left by a conditional jump";
	if (leaving == LEAVES_ALWAYS)
		vector_push(s->ret, address);
	return !s->problem;
}

const char *fbt_exits(const struct kernel_text *t, const struct text_symbol *symbol,
		      address_vector *ret)
{
	struct search s = { t, symbol, .ret = ret };
	if (!text_walk(t, symbol, add_exit, &s))
		return s.problem ? s.problem : "its code cannot be read";
	s.after_sum = false;
	if (s.cold && !text_walk(t, s.cold, add_exit, &s))
		return s.problem ? s.problem : "its code cannot be read";
	return NULL;
}

/* --- at an offset ----------------------------------------------------------------------------- */

const char *fbt_offset_problem(const struct kernel_text *t, const struct text_symbol *symbol,
			       uint64_t offset)
{
	bool is_exclusive;
	if (offset >= text_size(t, symbol))
		return "it is outside of the function";
	if (!text_begins_instruction(t, symbol, symbol->address + offset, &is_exclusive))
		return "no instruction begins there";
	return is_exclusive
		       ? "it is between an exclusive load and its store, which would never succeed"
		       : NULL;
}
