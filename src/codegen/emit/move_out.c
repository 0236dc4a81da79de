/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that were generated where they are used, moved after the code around them
 *
 * The body of a loop is a function of its own, and may have such functions inside it; the kernel
 * wants each in one piece.  Until code_finish() all places are indices of instructions, so these
 * are what changes.
 */
#include "codegen/emit/emit.h"

#include <assert.h>

/* Inner functions end first, so the first function of the list that has it is the innermost. */
static size_t inner_function_of(const struct code *c, size_t instruction)
{
	size_t i = 0;
	while (i < c->functions.count && (instruction < c->functions.items[i].begin ||
					  instruction >= c->functions.items[i].end))
		i++;
	return i;
}

static size_t inner_function_of_label(const struct code *c, label l)
{
	size_t i = 0;
	while (i < c->functions.count &&
	       (l < c->functions.items[i].first_label || l >= c->functions.items[i].end_label))
		i++;
	return i;
}

/* New places of the instructions, by the old ones; OWNERS: by instruction. */
static uint32_t *new_places(const struct code *c, const size_t *owners)
{
	uint32_t next = (uint32_t)c->functions_from;
	uint32_t *places = mem_alloc((c->insns.count + 1) * sizeof(*places));
	for (size_t i = 0; i < c->functions_from; i++)
		places[i] = (uint32_t)i;
	/* the code around them is the last owner, and comes first */
	for (size_t owner = c->functions.count + 1; owner-- > 0;)
		for (size_t i = c->functions_from; i < c->insns.count; i++)
			if (owners[i] == owner)
				places[i] = next++;
	places[c->insns.count] = next;
	return places;
}

/* The new place of L: that of the next instruction of its function. */
static uint32_t label_new_place(const struct code *c, label l, const size_t *owners,
				const uint32_t *places)
{
	size_t at = (size_t)c->labels.items[l].at, owner = inner_function_of_label(c, l);
	if (at < c->functions_from)
		return (uint32_t)at;
	while (at < c->insns.count && owners[at] != owner)
		at++;
	return places[at];
}

static int relocation_compare(const void *a, const void *b)
{
	const struct relocation *x = a, *y = b;
	return x->instruction < y->instruction ? -1 : x->instruction > y->instruction;
}

/* Marks of one instruction stay in their order: it is that of the text. */
static void marks_move(struct code *c, const size_t *owners, const uint32_t *places)
{
	size_t count = c->lines.count, kept = 0;
	struct line_mark *sorted = mem_alloc((count + 1) * sizeof(*sorted));
	for (size_t owner = c->functions.count + 1; owner-- > 0;)
		for (size_t i = 0; i < count; i++) {
			struct line_mark mark = c->lines.items[i];
			size_t of = mark.instruction < c->functions_from ? c->functions.count
				    : mark.instruction < c->insns.count	 ? owners[mark.instruction]
									 : c->functions.count;
			if (of != owner)
				continue;
			mark.instruction = places[mark.instruction];
			sorted[kept++] = mark;
		}
	memcpy(c->lines.items, sorted, count * sizeof(*sorted));
	free(sorted);
}

void code_move_functions(struct code *c)
{
	size_t count = c->insns.count;
	if (!c->functions.count) {
		c->functions_from = count;
		return;
	}
	auto_free size_t *owners = mem_alloc((count + 1) * sizeof(*owners));
	for (size_t i = c->functions_from; i < count; i++)
		owners[i] = inner_function_of(c, i);
	auto_free uint32_t *places = new_places(c, owners);
	for (size_t i = 0; i < c->labels.count; i++)
		if (c->labels.items[i].at >= 0)
			c->labels.items[i].at =
				(int32_t)label_new_place(c, (label)i, owners, places);
	marks_move(c, owners, places);
	for (size_t i = 0; i < c->fixups.count; i++)
		c->fixups.items[i].instruction = places[c->fixups.items[i].instruction];
	for (size_t i = 0; i < c->relocations.count; i++)
		c->relocations.items[i].instruction = places[c->relocations.items[i].instruction];
	qsort(c->relocations.items, c->relocations.count, sizeof(*c->relocations.items),
	      relocation_compare);
	auto_free struct bpf_insn *moved = mem_alloc((count + 1) * sizeof(*moved));
	for (size_t i = 0; i < count; i++)
		moved[places[i]] = c->insns.items[i];
	memcpy(c->insns.items, moved, count * sizeof(*moved));
	c->functions.count = 0;
	c->functions_from = count;
}
