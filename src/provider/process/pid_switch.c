/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/pid_switch.h"

#include <string.h>

#include "provider/process/pid_object.h"

#define PLACES_MOST 512

void switches_deinit(struct switches *s)
{
	vector_free(&s->bases);
}

/* --- tables --- */

/* A function that is called where it begins is not a place inside of it. */
static bool is_place_inside(const struct switches *s, uint64_t address)
{
	return address != s->codes->items[0]->range.begin && pid_codes_hold(s->codes, address);
}

static bool is_another(const struct switches *s, uint64_t address)
{
	const struct elf_symbol *f = elf_file_symbol_at(s->elf, address);
	return f && f->is_function && f->address == address;
}

/* Is T that of a switch, as far as the function's addresses go? */
static bool is_of_switch(void *arg, const struct code_table *t)
{
	const struct switches *s = arg;
	size_t places = 0;
	while (places < t->count && is_place_inside(s, t->to[places]))
		places++;
	return places >= PLACES_LEAST && (places == t->count || !is_another(s, t->to[places]));
}

static bool visit_distances(const struct switches *s, uint64_t table, table_visit_fn *visit,
			    void *arg)
{
	uint64_t to[PLACES_MOST];
	struct bytes there = elf_file_code(s->elf, table, PLACES_MOST * sizeof(int32_t));
	struct code_table t = { table, sizeof(int32_t), to, there.size / sizeof(int32_t) };
	for (size_t i = 0; i < t.count; i++)
		to[i] = table + (uint64_t)(int32_t)bytes_u32(&there);
	return visit(arg, &t);
}

static bool visit_addresses(const struct switches *s, uint64_t table, table_visit_fn *visit,
			    void *arg)
{
	uint64_t to[PLACES_MOST];
	struct code_table t = { table, elf_file_word(s->elf), to, 0 };
	if (t.word == 8) {
		t.count = elf_file_words(s->elf, table, PLACES_MOST, to);
		return visit(arg, &t);
	}
	t.address = (uint32_t)table;
	struct bytes there = elf_file_code(s->elf, t.address, PLACES_MOST * 4);
	for (; t.count < there.size / 4; t.count++)
		to[t.count] = bytes_u32(&there);
	return visit(arg, &t);
}

/* --- bases: addresses that the function loads into a register --- */

static void bases_add(struct switches *s, const struct pid_code *code)
{
	for (size_t i = 0; i < code->steps.count; i++) {
		const struct code_step *step = &code->steps.items[i];
		if (step->reg != JUMP_NO_REGISTER)
			vector_push(&s->bases, ((struct table_base) { step->target, step->reg }));
	}
}

static void search_bases(struct switches *s)
{
	if (s->has_bases)
		return;
	s->has_bases = true;
	for (size_t i = 0; i < s->codes->count; i++)
		bases_add(s, s->codes->items[i]);
}

static bool visit_of_sum(struct switches *s, const uint8_t *summands, table_visit_fn *visit,
			 void *arg)
{
	bool is_enough = false;
	search_bases(s);
	for (size_t i = 0; i < s->bases.count && !is_enough; i++) {
		const struct table_base *b = &s->bases.items[i];
		if (b->reg == summands[0] || b->reg == summands[1])
			is_enough = visit_distances(s, b->address, visit, arg);
	}
	return is_enough;
}

static bool visit_of_memory(struct switches *s, const struct jump_operand *o, table_visit_fn *visit,
			    void *arg)
{
	bool is_enough = false;
	uint64_t displacement = (uint64_t)(int64_t)o->displacement;
	if (o->base == JUMP_NO_REGISTER)
		return visit_addresses(s, displacement, visit, arg);
	search_bases(s);
	for (size_t i = 0; i < s->bases.count && !is_enough; i++) {
		const struct table_base *b = &s->bases.items[i];
		if (b->reg == o->base)
			is_enough = visit_addresses(s, b->address + displacement, visit, arg);
	}
	return is_enough;
}

/* --- jumps --- */

/* STEP of CODE, and the one before it; none: it is no sum. */
static bool jump_decode(const struct switches *s, const struct pid_code *code,
			const struct code_step *step, struct instruction *before,
			struct instruction *jump)
{
	uint64_t address = code->range.begin + step->at;
	*before = (struct instruction) { 0 };
	return pid_instruction_at(s->elf, address, jump) &&
	       (!step->before || pid_instruction_at(s->elf, address - step->before, before));
}

static bool jump_visit(struct switches *s, const struct instruction *before,
		       const struct instruction *jump, table_visit_fn *visit, void *arg)
{
	const struct jump_operand *o = &jump->operand;
	if (!o->is_known)
		return false;
	if (o->word)
		return o->index != JUMP_NO_REGISTER && visit_of_memory(s, o, visit, arg);
	return before->is_sum && before->summands[0] == o->base &&
	       visit_of_sum(s, before->summands, visit, arg);
}

bool switches_visit(struct switches *s, const struct pid_code *code, const struct code_step *step,
		    table_visit_fn *visit, void *arg)
{
	struct instruction before, i;
	return jump_decode(s, code, step, &before, &i) && jump_visit(s, &before, &i, visit, arg);
}

bool switches_have(struct switches *s, const struct pid_code *code, const struct code_step *step)
{
	struct instruction before, i;
	if (!jump_decode(s, code, step, &before, &i))
		return false;
	bool is_scaled = before.is_sum && before.summands[0] == JUMP_NO_REGISTER &&
			 pid_arch(s->elf) == &arch_aarch64;
	bool is_marked = !i.operand.is_known;
	return (step->flow == FLOW_TABLE && (is_scaled || is_marked)) ||
	       jump_visit(s, &before, &i, is_of_switch, s);
}
