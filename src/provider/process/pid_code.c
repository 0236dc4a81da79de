/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/pid_code.h"

#include <string.h>

#include "provider/process/pid_object.h"

typedef void code_visit_fn(void *arg, const struct bytes *code, uint64_t address,
			   const struct instruction *i);

/* Visit all instructions from the first to the last; false: some bytes are unknown. */
static bool code_walk(const struct elf_file *elf, const struct code_range *r, code_visit_fn *visit,
		      void *arg)
{
	const struct arch *arch = pid_arch(elf);
	if (r->end <= r->begin || r->end - r->begin > UINT32_MAX)
		return false;
	struct bytes all = elf_file_code(elf, r->begin, r->end - r->begin + INSTRUCTION_MOST);
	for (uint64_t at = r->begin; at < r->end;) {
		struct bytes code = bytes_slice(&all, at - r->begin, all.size - (at - r->begin));
		struct instruction i;
		if (code.failed || !arch->decode(&code, &i))
			return false;
		visit(arg, &code, at, &i);
		at += i.length;
	}
	return true;
}

bool pid_instruction_at(const struct elf_file *elf, uint64_t address, struct instruction *ret)
{
	struct bytes code = elf_file_code(elf, address, INSTRUCTION_MOST);
	return pid_arch(elf)->decode(&code, ret);
}

/* --- steps --- */

struct decoding {
	struct pid_code *to;
	unsigned before; /* the length of the instruction before */
};

static uint64_t step_target(const struct bytes *code, const struct instruction *i, uint64_t address)
{
	bool is_table = i->flow == FLOW_TABLE && i->operand.is_known && i->operand.word;
	if (instruction_has_target(i))
		return address + (uint64_t)i->target;
	if (is_table)
		return (uint64_t)(int64_t)i->operand.displacement;
	return i->address_register == JUMP_NO_REGISTER ? 0 : code_displaced(code, i, address);
}

static void step_add(void *arg, const struct bytes *code, uint64_t address,
		     const struct instruction *i)
{
	struct decoding *d = arg;
	d->to->calls |= i->is_call;
	d->to->is_below_stack |= i->is_below_stack;
	if (i->flow != FLOW_NEXT || i->address_register != JUMP_NO_REGISTER)
		vector_push(
			&d->to->steps,
			((struct code_step) { (uint32_t)(address - d->to->range.begin),
					      (uint8_t)i->flow, i->address_register,
					      (uint8_t)d->before, step_target(code, i, address) }));
	d->before = i->length;
}

struct pid_code *pid_code_decode(const struct elf_file *elf, struct code_range r)
{
	struct decoding d = { mem_zalloc(sizeof(*d.to)) };
	d.to->range = r;
	d.to->is_whole = code_walk(elf, &r, step_add, &d);
	return d.to;
}

void pid_code_free(struct pid_code *c)
{
	if (c)
		vector_free(&c->steps);
	free(c);
}

bool pid_codes_hold(const code_vector *codes, uint64_t address)
{
	for (size_t i = 0; i < codes->count; i++)
		if (range_holds(&codes->items[i]->range, address))
			return true;
	return false;
}

void pid_codes_free(code_vector *codes)
{
	for (size_t i = 0; i < codes->count; i++)
		pid_code_free(codes->items[i]);
	vector_free(codes);
}

/* --- offsets --- */

struct literal {
	int64_t begin, end; /* from the function's first byte */
};

struct listing {
	uint64_t begin; /* that offsets count from */
	instruction_vector *ret;
	VECTOR(struct literal) literals;
	unsigned exclusive;
};

static void instruction_list(void *arg, const struct bytes *code, uint64_t address,
			     const struct instruction *i)
{
	struct listing *l = arg;
	int64_t literal = (int64_t)(address - l->begin) + i->literal;
	if (i->literal_size)
		vector_push(&l->literals, (struct literal) { literal, literal + i->literal_size });
	bool is_exclusive = instruction_is_exclusive(i, &l->exclusive);
	vector_push(l->ret,
		    ((struct pid_instruction) { (uint32_t)(address - l->begin), is_exclusive }));
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
