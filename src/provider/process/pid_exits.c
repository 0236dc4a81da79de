/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_exits - where a return probe is
 *
 * It is at the exits of its function, and at those of the functions that it ends by a jump to, and
 * so on (abi/exit.h).  These destinations are functions of the same file: an exit of a library's
 * free() would be stepped in each call of it, for the sake of a function that ends by it.  They are
 * found by
 *
 *     the target of a direct jump, also into the middle of a function
 *     a stub (PLT) whose symbol is this file's and no other file's of the process: whichever
 *     order the dynamic linker searches them in, it finds this one.  Of every process nobody
 *     knows the other files.
 *
 * Other jumps, through a pointer, a register, a table of functions or a stub, are looked up when
 * they fire: they are followed to functions, also of other files, whose exits have sites for
 * another reason.  A stub's pointer that the dynamic linker has not resolved yet leads to none.
 *
 * A destination is not covered, so that the return fires at the jump, if its exits are not all
 * known, if another function has a part of its code, and beyond DESTINATIONS_MOST of one probe; nor
 * is one of Go, whose stacks move.
 */
#include "provider/process/pid_object.h"

#include "abi/exit.h"
#include "provider/process/pid.h"
#include "provider/process/pid_code.h"
#include "provider/process/pid_switch.h"

/* An instruction that leaves its function: a return, or a jump to another function. */
struct code_exit {
	uint64_t address;
	bool jumps;
	uint64_t target; /* it jumps there; 0: to an address in memory or in a register */
	struct jump_operand operand; /* then it says where, if it is known: maybe in the function */
	struct branch_test test;     /* when it jumps; is_not alone: always */
};
typedef VECTOR(struct code_exit) exit_vector;

/* The exits of a function of an object, found once. */
struct function_exits {
	uint64_t begin, end;
	const char *problem;	   /* why they are not known; NULL: they are */
	exit_vector list;	   /* none: it never returns */
	struct exit_extent extent; /* if it jumps to computed addresses */
};

static void function_exits_free(void *arg, const void *key, size_t size, void *value)
{
	struct function_exits *f = value;
	vector_free(&f->list);
	free(f);
}

void pid_exits_free(struct hash *exits)
{
	if (exits)
		hash_visit(exits, function_exits_free, NULL);
	hash_free(exits);
}

/* --- the exits of a function --- */

#define PARTS_OF_EXTENT 2 /* that struct exit_extent has room for */

static enum leaving step_leaves(struct switches *s, const struct pid_code *code,
				const struct code_step *step)
{
	if (step->flow >= FLOW_TABLE)
		return switches_have(s, code, step) ? LEAVES_NEVER : LEAVES_ALWAYS;
	const struct instruction i = { .flow = (enum flow)step->flow };
	return instruction_leaves(&i, false, !pid_codes_hold(s->codes, step->target));
}

/* Why the exits are not known by the one at STEP of CODE; NULL: it is in F. */
static const char *exit_add(struct function_exits *f, struct switches *s,
			    const struct pid_code *code, const struct code_step *step)
{
	static const struct branch_test always = { .is_not = true };
	struct code_exit exit = { .address = code->range.begin + step->at };
	struct instruction i = { 0 };
	enum leaving leaving = step_leaves(s, code, step);
	if (leaving == LEAVES_NEVER)
		return NULL;
	pid_instruction_at(s->elf, exit.address, &i);
	exit.jumps = i.flow != FLOW_RETURN;
	exit.target = code_step_jumps(step) ? step->target : 0;
	exit.operand = i.operand;
	exit.test = leaving == LEAVES_ALWAYS ? always : i.test;
	vector_push(&f->list, exit);
	if (leaving == LEAVES_SOMETIMES && !i.test.any && !i.test.differ)
		return "it is left by a jump whose condition is not known";
	if (i.operand.is_known && s->codes->count > PARTS_OF_EXTENT)
		return "it jumps to computed addresses, and its code is at many places";
	return NULL;
}

static struct exit_extent extent_of(const code_vector *codes)
{
	const struct code_range *r = &codes->items[0]->range;
	struct exit_extent ret = { .size = (uint32_t)(r->end - r->begin) };
	if (codes->count == PARTS_OF_EXTENT) {
		const struct code_range *other = &codes->items[1]->range;
		ret.other = (int32_t)(other->begin - r->begin);
		ret.other_size = (uint32_t)(other->end - other->begin);
	}
	return ret;
}

static const char *exits_of_codes(const struct elf_symbol *symbol, struct switches *s,
				  struct function_exits *ret)
{
	const char *why = NULL;
	for (size_t i = 0; i < s->codes->count && !why; i++) {
		const struct pid_code *code = s->codes->items[i];
		for (size_t k = 0; k < code->steps.count && !why; k++)
			why = exit_add(ret, s, code, &code->steps.items[k]);
		if (!why && !code->is_whole)
			why = pid_code_unreadable(symbol);
	}
	return why;
}

/* Also of its other parts (pid_parts.c), which may be before its begin. */
static const char *function_exits_find(struct pid_object *object, const struct elf_symbol *symbol,
				       struct function_exits *ret)
{
	code_vector codes = { 0 };
	struct switches switches = { pid_object_elf(object), &codes };
	pid_parts(object, symbol, &codes);
	ret->extent = extent_of(&codes);
	const char *why = exits_of_codes(symbol, &switches, ret);
	switches_deinit(&switches);
	pid_codes_free(&codes);
	return why;
}

static const char *exits_check_sites(const struct elf_file *elf, const exit_vector *list)
{
	uint64_t at;
	for (size_t i = 0; i < list->count; i++)
		if (!pid_site_exact(elf, list->items[i].address, &at))
			return "one of its exits cannot be probed";
	return NULL;
}

static const struct function_exits *function_exits_of(struct pid_object *object,
						      const struct elf_symbol *symbol)
{
	if (!object->exits)
		object->exits = hash_new();
	void **place = hash_place(object->exits, &symbol->address, sizeof(symbol->address));
	if (*place)
		return *place;
	struct function_exits *f = mem_zalloc(sizeof(*f));
	*place = f;
	f->begin = symbol->address;
	f->end = symbol->address + symbol->size;
	f->problem = function_exits_find(object, symbol, f);
	if (!f->problem)
		f->problem = exits_check_sites(pid_object_elf(object), &f->list);
	return f;
}

/* --- destinations --- */

static bool has_global(struct pid_object *object, const char *name)
{
	auto_error struct error *err = pid_object_open(object);
	if (err)
		return true; /* nobody knows */
	const struct elf_symbol *s = elf_file_symbol_named(pid_object_elf(object), name);
	return s && (s->global || s->weak);
}

/* Does another file of OBJECT's process define NAME, too?  One of every process may. */
static bool is_defined_elsewhere(const struct pid_object *object, const char *name)
{
	const struct pid_table *t = object->table;
	if (!object->pid)
		return true;
	for (size_t i = 0; i < t->known.count; i++) {
		struct pid_object *other = t->known.items[i];
		if (other != object && other->pid == object->pid && other->is_mapped &&
		    has_global(other, name))
			return true;
	}
	return false;
}

/* The function of OBJECT that the stub at ADDRESS jumps to, or NULL. */
static const struct elf_symbol *behind_stub(struct pid_object *object, uint64_t address)
{
	struct elf_file *elf = pid_object_elf(object);
	uint64_t pointer = 0, size;
	if (!code_is_stub(elf, address, &pointer, &size))
		return NULL;
	const char *name = elf_file_pointer_symbol(elf, pointer);
	const struct elf_symbol *s = name ? elf_file_symbol_named(elf, name) : NULL;
	return s && !is_defined_elsewhere(object, name) ? s : NULL;
}

/* The function whose code a jump to ADDRESS runs. */
static bool exit_function_at(struct pid_object *object, uint64_t address, struct elf_symbol *ret)
{
	struct elf_file *elf = pid_object_elf(object);
	const struct elf_symbol *s = elf_file_symbol_at(elf, address);
	if (!s || !s->size)
		s = behind_stub(object, address);
	if (s && s->size && s->is_function && !s->is_ifunc) {
		*ret = *s;
		return true;
	}
	uint64_t pointer, size;
	const struct frame_range *r = frames_at(image_frames(object->image), address);
	if (s || !r || code_is_stub(elf, address, &pointer, &size))
		return false;
	*ret = (struct elf_symbol) { "", r->begin, r->end - r->begin, .is_function = true };
	return true;
}

static bool is_others(struct pid_object *object, const struct elf_symbol *symbol)
{
	struct elf_file *elf = pid_object_elf(object);
	uint64_t begin = symbol->address, last = begin + symbol->size - 1;
	const struct elf_symbol *before = elf_file_symbol_at(elf, begin - 1);
	const struct elf_symbol *in = elf_file_symbol_at(elf, last);
	return (before && before->size && before->address + before->size > begin) ||
	       (in && in->size && in->address > begin);
}

static bool exits_are_emulated(struct pid_object *object, const exit_vector *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!pid_site_is_emulated(pid_object_elf(object), list->items[i].address, true))
			return false;
	return true;
}

/* What the exits of one probe are found for. */
struct finding {
	struct pid_object *object;
	bool only_emulated;
	VECTOR(const struct function_exits *) functions; /* the probe's, then destinations */
	site_vector *sites;
};

/* The destination that begins with FUNCTION, if it is covered; it joins the others. */
static bool exits_join(struct finding *f, const struct function_exits *function)
{
	for (size_t i = 0; i < f->functions.count; i++)
		if (f->functions.items[i] == function)
			return true;
	if (function->problem || f->functions.count > DESTINATIONS_MOST ||
	    (f->only_emulated && !exits_are_emulated(f->object, &function->list)))
		return false;
	vector_push(&f->functions, function);
	return true;
}

/* The function at TARGET if it is covered, or NULL. */
static const struct function_exits *destination(struct finding *f, uint64_t target)
{
	struct elf_symbol symbol;
	if (elf_file_is_go(pid_object_elf(f->object)) ||
	    !exit_function_at(f->object, target, &symbol) || is_others(f->object, &symbol))
		return NULL;
	const struct function_exits *function = function_exits_of(f->object, &symbol);
	return exits_join(f, function) ? function : NULL;
}

/* --- sites --- */

/* Where a jump to the stub of a function of a library finds the address: at the stub's pointer. */
static struct jump_operand stub_operand(const struct elf_file *elf, const struct code_exit *exit)
{
	const struct arch *a = pid_arch(elf);
	uint64_t pointer = 0, size;
	bool is_stub = code_is_stub(elf, exit->target, &pointer, &size) && pointer;
	int64_t distance = (int64_t)(pointer - exit->address);
	if (!is_stub || distance != (int32_t)distance)
		return (struct jump_operand) { 0 };
	return (struct jump_operand) { true, (uint8_t)(a->pc / 8), JUMP_NO_REGISTER,
				       0,    (uint8_t)a->word,	   (int32_t)distance };
}

static void site_look_up(struct elf_file *elf, const struct code_exit *exit,
			 struct event_site *site)
{
	struct jump_operand o = exit->target ? stub_operand(elf, exit) : exit->operand;
	if (!o.is_known)
		return;
	site->role = SITE_LOOKUP;
	site->is_followed = !elf_file_is_go(elf);
	site->is_near = site->is_followed && elf_file_code_segments(elf) == 1;
	site->operand = (struct exit_operand) { o.base, o.index, o.scale, o.word };
	site->destination = o.displacement;
}

static void exit_site_add(struct finding *f, const struct function_exits *function,
			  const struct code_exit *exit)
{
	struct event_site site = {
		.inside = (uint32_t)(exit->address - function->begin),
		.role = exit->jumps ? SITE_AWAY : SITE_RETURN,
		.of_destination = function != f->functions.items[0],
		.extent = function->extent,
		.function_size = (uint32_t)(function->end - function->begin),
		.test = { exit->test.any, exit->test.differ, exit->test.is_not },
	};
	pid_site_exact(pid_object_elf(f->object), exit->address, &site.at);
	elf_file_offset(pid_object_elf(f->object), function->begin, &site.function);
	const struct function_exits *to = exit->target ? destination(f, exit->target) : NULL;
	if (to) {
		site.role = SITE_JUMP;
		site.destination = (int32_t)(to->begin - exit->address);
	} else if (exit->jumps) {
		site_look_up(pid_object_elf(f->object), exit, &site);
	}
	vector_push(f->sites, site);
}

const char pid_exits_are_slow[] = "one of its exits would be single-stepped (pidfast)";

const char *pid_exits(struct pid_object *object, const struct elf_symbol *symbol,
		      bool only_emulated, site_vector *ret)
{
	struct finding f = { .object = object, .only_emulated = only_emulated, .sites = ret };
	const struct function_exits *own = function_exits_of(object, symbol);
	if (own->problem)
		return own->problem;
	if (only_emulated && !exits_are_emulated(object, &own->list))
		return pid_exits_are_slow;
	vector_push(&f.functions, own);
	for (size_t i = 0; i < f.functions.count; i++) {
		const struct function_exits *function = f.functions.items[i];
		for (size_t k = 0; k < function->list.count; k++)
			exit_site_add(&f, function, &function->list.items[k]);
	}
	vector_free(&f.functions);
	return NULL;
}
