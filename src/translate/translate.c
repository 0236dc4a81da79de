/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The walk: functions of a group, and passes over its instructions
 *
 * A jump takes 2 bytes where its target is near.  So the first pass takes each instruction to be as
 * long as one can be, and passes follow until one changes nothing.  Code only gets shorter from
 * pass to pass.
 */
#include "translate/translate.h"

#include <assert.h>

#include "translate/internal.h"

bool walk_stop(struct walk *w, const char *problem)
{
	if (!w->problem)
		w->problem = problem;
	return false;
}

/* --- functions -------------------------------------------------------------------------------- */

static void walk_add_function(struct walk *w, uint32_t begin, bool is_body)
{
	for (size_t i = 0; i < w->functions.count; i++)
		if (w->functions.items[i].begin == begin)
			return;
	vector_push(&w->functions, (struct function) { .begin = begin, .is_body = is_body });
}

static int compare_functions(const void *a, const void *b)
{
	const struct function *f = a, *g = b;
	return (f->begin > g->begin) - (f->begin < g->begin);
}

/* Functions are one after the other: each ends where the next begins. */
static void split_functions(struct walk *w)
{
	const struct group_code *g = w->group;
	walk_add_function(w, 0, false);
	if (g->error_entry)
		walk_add_function(w, g->error_entry, false);
	for (uint32_t i = 0; i < g->relocation_count; i++)
		if (g->relocations[i].kind == RELOCATE_FUNCTION)
			walk_add_function(w, g->relocations[i].addend, true);
	struct function *f = w->functions.items;
	size_t count = w->functions.count;
	qsort(f, count, sizeof(*f), compare_functions);
	for (size_t i = 0; i < count; i++)
		f[i].end = i + 1 < count ? f[i + 1].begin : g->count;
}

const struct function *walk_function(const struct walk *w, uint32_t begin)
{
	const struct function *f = w->functions.items;
	while (f->begin != begin)
		f++;
	return f;
}

/* R6 to R9, which C functions save, and FP. */
static const enum machine_register saved[] = { RBX, R13, R14, R15 };

static bool has_frame(const struct function *f)
{
	return f->names >> BPF_REG_10 & 1;
}

static unsigned pushes(const struct function *f)
{
	return (unsigned)__builtin_popcount(f->names >> BPF_REG_6 & 15) + has_frame(f) + f->is_body;
}

/* Below what is pushed: the frame, and what aligns the stack for calls. */
static int function_room(const struct function *f)
{
	int frame = has_frame(f) ? ALIGN_UP(f->frame, 8) : 0;
	bool is_odd = (8 + (int)pushes(f) * 8 + frame) & 15;
	return frame + (f->calls && is_odd ? 8 : 0);
}

void put_prologue(struct walk *w)
{
	const struct function *f = w->function;
	if (f->is_body) {
		put_push(&w->code, R12);
		put_move(&w->code, 8, R12, R8);
	}
	for (unsigned i = 0; i < ARRAY_SIZE(saved); i++)
		if (f->names >> (BPF_REG_6 + i) & 1)
			put_push(&w->code, saved[i]);
	if (has_frame(f)) {
		put_push(&w->code, RBP);
		put_move(&w->code, 8, RBP, RSP);
	}
	if (function_room(f))
		put_number(&w->code, NUMBER_SUB, 8, operand_in_register(RSP), function_room(f));
}

void put_epilogue(struct walk *w)
{
	const struct function *f = w->function;
	if (has_frame(f))
		put_leave(&w->code);
	else if (function_room(f))
		put_number(&w->code, NUMBER_ADD, 8, operand_in_register(RSP), function_room(f));
	for (unsigned i = ARRAY_SIZE(saved); i-- > 0;)
		if (f->names >> (BPF_REG_6 + i) & 1)
			put_pop(&w->code, saved[i]);
	if (f->is_body)
		put_pop(&w->code, R12);
	put_return(&w->code);
}

/* --- what the walk relies on ------------------------------------------------------------------ */

static bool mark_begins(struct walk *w, bool *begins)
{
	const struct group_code *g = w->group;
	uint32_t i = 0;
	while (i < g->count) {
		begins[i] = true;
		i += insn_is_wide(&g->code[i]) ? 2 : 1;
	}
	w->begins = begins;
	return i == g->count;
}

static bool is_instruction(const struct walk *w, uint32_t at)
{
	return at < w->group->count && w->begins[at];
}

static bool check_row(struct walk *w, const struct relocation *r)
{
	struct translate_binding b;
	if (r->index >= RT_COUNT)
		return walk_stop(w, "a call of a function that is not there");
	if (w->owner->bind(w->owner->arg, r->index, &b))
		return true;
	w->missing = rt_row_name(r->index);
	return walk_stop(w, w->missing);
}

static bool check_relocation(struct walk *w, const struct relocation *r)
{
	w->at = r->instruction;
	if (!is_instruction(w, r->instruction))
		return walk_stop(w, "a relocation that is not at an instruction");
	if (r > w->group->relocations && r->instruction <= r[-1].instruction)
		return walk_stop(w, "a relocation out of order");
	bool of_call = r->kind == RELOCATE_CALL || r->kind == RELOCATE_ERROR;
	const struct bpf_insn *n = &w->group->code[r->instruction];
	if (of_call ? !insn_is_call(n) : !insn_is_wide(n))
		return walk_stop(w, "a relocation of another instruction");
	if (r->kind == RELOCATE_FUNCTION && !is_instruction(w, r->addend))
		return walk_stop(w, "the address of a function that is not there");
	return r->kind != RELOCATE_CALL || check_row(w, r);
}

static bool check_relocations(struct walk *w)
{
	const struct group_code *g = w->group;
	for (uint32_t i = 0; i < g->relocation_count; i++)
		if (!check_relocation(w, &g->relocations[i]))
			return false;
	w->at = g->error_entry;
	return is_instruction(w, g->error_entry) ||
	       walk_stop(w, "ERROR clauses that are not there");
}

static bool function_has(const struct walk *w, const struct function *f, int64_t at)
{
	return at >= f->begin && at < f->end && w->begins[at];
}

/* Of an access by FP itself; about others the verifier of the program knows more. */
static bool is_in_frame(const struct bpf_insn *n)
{
	int class = BPF_CLASS(n->code);
	unsigned base = class == BPF_LDX ? n->src_reg : n->dst_reg;
	if (base != BPF_REG_10 || (class != BPF_LDX && class != BPF_ST && class != BPF_STX))
		return true;
	return n->off >= -FRAME_MOST && n->off + (int)insn_width(n) <= 0;
}

static bool check_instruction(struct walk *w, const struct function *f)
{
	const struct bpf_insn *n = &w->group->code[w->at];
	if (insn_is_jump(n) && !function_has(w, f, (int64_t)w->at + 1 + n->off))
		return walk_stop(w, "a jump out of its function");
	if (insn_falls_through(n) &&
	    !function_has(w, f, (int64_t)w->at + (insn_is_wide(n) ? 2 : 1)))
		return walk_stop(w, "runs over the end of its function");
	return is_in_frame(n) || walk_stop(w, "an access outside of the frame");
}

static bool check_all_instructions(struct walk *w)
{
	for (size_t i = 0; i < w->functions.count; i++) {
		const struct function *f = &w->functions.items[i];
		for (w->at = f->begin; w->at < f->end; w->at++)
			if (w->begins[w->at] && !check_instruction(w, f))
				return false;
	}
	return true;
}

/* --- stack ------------------------------------------------------------------------------------ */

/* With what its own instructions push, and its return address. */
static uint32_t function_stack(const struct walk *w, const struct function *f)
{
	return 8 + pushes(f) * 8 + (uint32_t)function_room(f) +
	       (f->calls ? w->owner->call_stack : 0);
}

static struct function *walk_function_at(const struct walk *w, uint32_t at)
{
	struct function *f = w->functions.items;
	while (f->end <= at)
		f++;
	return f;
}

/* The instruction AT calls F, or loads its address for a call. */
static bool function_calls(const struct walk *w, uint32_t at, const struct function *f)
{
	struct function *by = walk_function_at(w, at);
	uint32_t stack = function_stack(w, by) + f->stack;
	if (stack <= by->stack)
		return false;
	by->stack = stack;
	return true;
}

/* The most of each function with those that it calls; false: they call each other. */
static bool find_stacks(struct walk *w)
{
	const struct group_code *g = w->group;
	bool grows = true;
	for (size_t i = 0; i < w->functions.count; i++)
		w->functions.items[i].stack = function_stack(w, &w->functions.items[i]);
	for (size_t round = 0; grows && round <= w->functions.count; round++) {
		grows = false;
		for (uint32_t i = 0; i < g->relocation_count; i++) {
			const struct relocation *r = &g->relocations[i];
			bool is_error = r->kind == RELOCATE_ERROR && g->error_entry;
			if (is_error || r->kind == RELOCATE_FUNCTION)
				grows |= function_calls(
					w, r->instruction,
					walk_function(w, is_error ? g->error_entry : r->addend));
		}
	}
	return !grows || walk_stop(w, "functions that call each other");
}

/* --- passes ----------------------------------------------------------------------------------- */

/* One that is left out is translated, too: it may have to be refused. */
static bool walk_instruction(struct walk *w)
{
	struct assembler before = w->code;
	if (!put_instruction(w))
		return false;
	if (w->is_dead[w->at])
		w->code = before;
	return true;
}

static bool walk_function_once(struct walk *w, struct function *f)
{
	w->function = f;
	f->entry = (uint32_t)w->code.used;
	put_prologue(w);
	for (w->at = f->begin; w->at < f->end; w->at++) {
		size_t begin = w->at == f->begin ? f->entry : w->code.used;
		w->offsets[w->at] = (uint32_t)w->code.used;
		if (w->begins[w->at] && !walk_instruction(w))
			return false;
		assert(w->code.used - begin <= TRANSLATE_MOST);
	}
	return true;
}

static bool walk_all(struct walk *w)
{
	uint32_t count = w->group->count;
	for (uint32_t i = 0; i <= count; i++)
		w->offsets[i] = i * TRANSLATE_MOST;
	for (size_t i = 0; i < w->functions.count; i++)
		w->functions.items[i].entry = w->functions.items[i].begin * TRANSLATE_MOST;
	do {
		w->code.used = 0;
		for (size_t i = 0; i < w->functions.count; i++)
			if (!walk_function_once(w, &w->functions.items[i]))
				return false;
		size_t before = w->offsets[count];
		w->offsets[count] = (uint32_t)w->code.used;
		if (before == w->code.used)
			return true;
	} while (true);
}

static bool translate_group(struct walk *w, bool *begins)
{
	const struct group_code *g = w->group;
	if (!g->count || g->count > TRANSLATE_INSTRUCTIONS_MOST)
		return walk_stop(w, "no code, or too much");
	if (!mark_begins(w, begins))
		return walk_stop(w, "half of an instruction at the end");
	if (!check_relocations(w))
		return false;
	split_functions(w);
	if (!check_all_instructions(w))
		return false;
	find_pointers(w);
	find_dead(w);
	find_pointers(w);
	return !w->problem && find_stacks(w) && walk_all(w);
}

static struct error *walk_error(const struct walk *w)
{
	return error_new("cannot translate the code of %s: instruction %u: %s%s",
			 event_name(w->group->kind), w->at,
			 w->missing ? "this executor does not have the function " : "",
			 w->missing ? w->missing : w->problem);
}

struct error *translate(const struct group_code *group, const struct translate_owner *owner,
			const struct translate_place *place, struct translation *ret)
{
	auto_free bool *begins = mem_zalloc(group->count + 1);
	auto_free bool *is_dead = mem_zalloc(group->count + 1);
	auto_free int32_t *context_loads = mem_zalloc((group->count + 1) * sizeof(int32_t));
	struct walk w = { .group = group,
			  .owner = owner,
			  .is_dead = is_dead,
			  .context_loads = context_loads,
			  .code = { place->bytes, place->size, 0, place->address, 0 },
			  .offsets = mem_alloc((group->count + 1) * sizeof(*w.offsets)) };
	struct error *err = NULL;
	if (!translate_group(&w, begins))
		err = walk_error(&w);
	else if (w.code.used > place->size)
		err = error_new("the code of %s needs %zu bytes, its place has %zu",
				event_name(group->kind), w.code.used, place->size);
	if (!err) {
		*ret = (struct translation) {
			.size = (uint32_t)w.code.used,
			.offsets = w.offsets,
			.stack = w.functions.items->stack,
			.context_words = w.context_words,
			.takes_context = w.takes_context,
			.owner_words = w.owner_words,
			.registers = w.code.changed & CHANGED_BY_CALLS,
		};
		w.offsets = NULL;
	}
	free(w.offsets);
	vector_free(&w.functions);
	return err;
}

void translation_deinit(struct translation *t)
{
	free(t->offsets);
}
