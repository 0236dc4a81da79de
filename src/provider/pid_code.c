/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/pid_code.h"

#include <string.h>

#include "arch/arch.h"
#include "probe/probe.h"

#define INSTRUCTION_MOST 16 /* bytes */

/* VISIT's answer: go on? */
typedef bool visit_fn(void *arg, uint32_t offset, const struct instruction *i);

static bool walk(const struct elf_file *elf, const struct elf_symbol *symbol, visit_fn *visit,
		 void *arg)
{
	const struct arch *arch = arch_host();
	if (!symbol->size || symbol->size > UINT32_MAX)
		return false;
	for (uint32_t at = 0; at < symbol->size;) {
		struct bytes code = elf_file_code(elf, symbol->address + at, INSTRUCTION_MOST);
		struct instruction i;
		if (!arch->decode(&code, &i) || !visit(arg, at, &i))
			return false;
		at += i.length;
	}
	return true;
}

struct literal {
	int64_t begin, end; /* from the function's first byte */
};

struct listing {
	instruction_vector *ret;
	VECTOR(struct literal) literals;
	unsigned exclusive;
};

static bool note(void *arg, uint32_t offset, const struct instruction *i)
{
	struct listing *l = arg;
	int64_t literal = offset + i->literal;
	if (i->literal_size)
		vector_push(&l->literals, (struct literal) { literal, literal + i->literal_size });
	bool is_exclusive = instruction_is_exclusive(i, &l->exclusive);
	vector_push(l->ret, (struct pid_instruction) { offset, is_exclusive });
	return true;
}

static bool is_literal(const struct listing *l, uint32_t offset)
{
	for (size_t i = 0; i < l->literals.count; i++)
		if (offset >= l->literals.items[i].begin && offset < l->literals.items[i].end)
			return true;
	return false;
}

/* A probe on data would be loaded in its place. */
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
	struct listing l = { .ret = ret };
	bool readable = walk(elf, symbol, note, &l);
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

struct exits {
	struct elf_file *elf;
	const struct elf_symbol *symbol;
	const struct elf_symbol *part;	 /* GCC moves what is rarely run into "f.cold" */
	const struct elf_symbol *walked; /* one of the two */
	offset_vector *ret;
	bool after_sum;
	const char *problem;
};

static bool is_part(const struct elf_symbol *of, const struct elf_symbol *s)
{
	size_t len = strlen(of->name);
	return s && strncmp(s->name, of->name, len) == 0 && strncmp(s->name + len, ".cold", 5) == 0;
}

static bool is_inside(const struct elf_symbol *s, uint64_t address)
{
	return address >= s->address && address - s->address < s->size;
}

/* Does a jump from OFFSET leave the function? */
static bool leaves(struct exits *e, uint32_t offset, const struct instruction *i)
{
	uint64_t target = e->walked->address + offset + (uint64_t)i->target;
	if (is_inside(e->symbol, target))
		return false;
	const struct elf_symbol *other = elf_file_symbol_at(e->elf, target);
	if (!is_part(e->symbol, other))
		return true;
	e->part = other;
	return false;
}

static bool look(void *arg, uint32_t offset, const struct instruction *i)
{
	struct exits *e = arg;
	bool after_sum = e->after_sum, exit = false;
	e->after_sum = i->is_sum;
	switch (i->flow) {
	case FLOW_NEXT:
	case FLOW_TABLE:
		break;
	case FLOW_RETURN:
	case FLOW_POINTER:
		exit = true;
		break;
	case FLOW_REGISTER:
		exit = !after_sum;
		break;
	case FLOW_JUMP:
		exit = leaves(e, offset, i);
		break;
	case FLOW_BRANCH:
		/* A probe there would fire when the branch is not taken, too. */
		if (leaves(e, offset, i))
			e->problem = "it is left by a conditional jump";
		break;
	}
	if (exit)
		vector_push(e->ret, (uint32_t)(e->walked->address - e->symbol->address) + offset);
	return !e->problem;
}

static bool look_through(struct exits *e, const struct elf_symbol *symbol)
{
	e->walked = symbol;
	e->after_sum = false;
	return walk(e->elf, symbol, look, e);
}

const char *pid_code_exits(struct elf_file *elf, const struct elf_symbol *symbol,
			   offset_vector *ret)
{
	struct exits e = { .elf = elf, .symbol = symbol, .ret = ret };
	if (!look_through(&e, symbol) || (e.part && !look_through(&e, e.part)))
		return e.problem ? e.problem : "its code cannot be read";
	return NULL;
}
