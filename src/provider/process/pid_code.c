/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/pid_code.h"

#include "provider/process/pid_object.h"
#include "provider/process/pid_switch.h"

struct literal {
	int64_t begin, end; /* from the function's first byte */
};

struct listing {
	uint64_t begin; /* that offsets count from */
	instruction_vector *ret;
	VECTOR(struct literal) literals;
	unsigned exclusive;
};

static bool instruction_list(void *arg, uint64_t address, const struct instruction *i)
{
	struct listing *l = arg;
	int64_t literal = (int64_t)(address - l->begin) + i->literal;
	if (i->literal_size)
		vector_push(&l->literals, (struct literal) { literal, literal + i->literal_size });
	bool is_exclusive = instruction_is_exclusive(i, &l->exclusive);
	vector_push(l->ret,
		    ((struct pid_instruction) { (uint32_t)(address - l->begin), is_exclusive }));
	return true;
}

static bool is_literal(const struct listing *l, uint32_t offset)
{
	for (size_t i = 0; i < l->literals.count; i++)
		if (offset >= l->literals.items[i].begin && offset < l->literals.items[i].end)
			return true;
	return false;
}

/* A probe on data would be loaded instead of the data. */
static void leave_out_literals(struct listing *l)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->ret->count; i++)
		if (!is_literal(l, l->ret->items[i].offset))
			l->ret->items[kept++] = l->ret->items[i];
	l->ret->count = kept;
}

bool pid_code_instructions(const struct elf_file *elf, const struct elf_symbol *symbol,
			   instruction_vector *ret)
{
	struct listing l = { .begin = symbol->address, .ret = ret };
	const struct code_range r = { symbol->address, symbol->address + symbol->size };
	bool readable = code_walk(elf, &r, instruction_list, &l);
	leave_out_literals(&l);
	vector_free(&l.literals);
	return readable;
}

bool pid_code_is_exclusive(struct elf_file *elf, uint64_t address)
{
	const struct elf_symbol *symbol = elf_file_symbol_at(elf, address);
	instruction_vector code = { 0 };
	bool found = false;
	if (symbol && pid_code_instructions(elf, symbol, &code))
		for (size_t i = 0; i < code.count; i++)
			found |= symbol->address + code.items[i].offset == address &&
				 code.items[i].is_exclusive;
	vector_free(&code);
	return found;
}

const char *pid_code_unreadable(const struct elf_symbol *symbol)
{
	return symbol->size ? "its code cannot be read"
			    : "the file does not say where its code ends: its symbol has no size";
}

#define PARTS_OF_EXTENT 2 /* that struct exit_extent has room for */

struct exits {
	struct elf_file *elf;
	exit_vector *found;
	const range_vector *ranges; /* of the function */
	struct switches switches;
	struct instruction before; /* the one that is looked at */
	const char *problem;
};

static bool test_is_known(const struct branch_test *t)
{
	return t->any || t->differ;
}

static enum leaving leaves(struct exits *e, uint64_t target, const struct instruction *i)
{
	if (i->flow >= FLOW_TABLE)
		return switches_have(&e->switches, &e->before, i) ? LEAVES_NEVER : LEAVES_ALWAYS;
	return instruction_leaves(i, false, !ranges_hold(e->ranges, target));
}

static bool exit_look(void *arg, uint64_t address, const struct instruction *i)
{
	struct exits *e = arg;
	uint64_t target = address + (uint64_t)i->target;
	enum leaving leaving = leaves(e, target, i);
	e->before = *i;
	if (leaving == LEAVES_NEVER)
		return true;
	struct code_exit exit = { .address = address, .jumps = i->flow != FLOW_RETURN };
	exit.target = instruction_has_target(i) ? target : 0;
	exit.operand = i->operand;
	exit.test = leaving == LEAVES_ALWAYS ? (struct branch_test) { .is_not = true } : i->test;
	if (leaving == LEAVES_SOMETIMES && !test_is_known(&exit.test))
		e->problem = "it is left by a jump whose condition is not known";
	if (i->operand.is_known && e->ranges->count > PARTS_OF_EXTENT)
		e->problem = "it jumps to computed addresses, and its code is at many places";
	vector_push(e->found, exit);
	return !e->problem;
}

static struct exit_extent extent_of(const range_vector *ranges)
{
	const struct code_range *r = ranges->items;
	struct exit_extent ret = { .size = (uint32_t)(r[0].end - r[0].begin) };
	if (ranges->count == PARTS_OF_EXTENT) {
		ret.other = (int32_t)(r[1].begin - r[0].begin);
		ret.other_size = (uint32_t)(r[1].end - r[1].begin);
	}
	return ret;
}

const char *pid_code_exits(struct image *image, const struct elf_symbol *symbol,
			   struct code_uses **uses, struct code_exits *ret)
{
	range_vector ranges = { 0 };
	struct elf_file *elf = image_elf(image);
	struct exits e = { elf, &ret->list, &ranges, { elf, &ranges } };
	const char *why = NULL;
	pid_parts(image, symbol, uses, &ranges);
	ret->extent = extent_of(&ranges);
	for (size_t i = 0; i < ranges.count && !why; i++) {
		e.before = (struct instruction) { 0 };
		if (!code_walk(elf, &ranges.items[i], exit_look, &e))
			why = e.problem ? e.problem : pid_code_unreadable(symbol);
	}
	switches_deinit(&e.switches);
	vector_free(&ranges);
	return why;
}
