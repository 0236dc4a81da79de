/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_parts - the ranges of a function's code: compilers move rarely executed code elsewhere
 *
 * GCC calls such a part f.cold, a name that stripped programs have lost.  But each part has an FDE
 * in .eh_frame.  A jump out of a function leads to a part, and not to another function, if the
 * range of the FDE of the target contains no symbol, and
 *
 *     the FDE's state at its first byte is not that of a function just called, or
 *   the jump leads into the middle of the range, or
 *   the jump is conditional, and only this function's code jumps to or calls the range.
 *
 * So does the table of a switch (pid_switch.h) that leads into the function, too: to a part with a
 * name; to ranges without one only as far as the next address that code of the file names, where
 * the table of another function may begin.
 *
 * Stubs for functions of libraries (PLT) have no names either, but are not parts
 *
 * The sources of jumps and calls are found by a pass over all code of the file, made when the last
 * condition is first checked.  Calls through pointers are not seen.  What that pass has decoded is
 * saved for the functions that come after it, of most files all.
 */
#include <string.h>

#include "base/sort.h"
#include "provider/process/pid_code.h"
#include "provider/process/pid_object.h"
#include "provider/process/pid_switch.h"

#define PARTS_MOST 64	      /* no real function has more */
#define STEPS_MOST (1u << 20) /* 16 MB are saved of a file's */

/* --- uses of functions without a name --- */

struct code_use {
	uint64_t target, source;
};

struct code_uses {
	VECTOR(struct code_use) uses; /* by target */
	VECTOR(uint64_t) addresses;   /* that code names, sorted: each table begins at one */
	code_vector codes; /* of each range of the frames; NULL: it was too many, or taken */
};

/* Of targets, only the first bytes of another FDE's code matter. */
static void code_collect(struct code_uses *u, const struct frames *frames,
			 const struct pid_code *code)
{
	for (size_t i = 0; i < code->steps.count; i++) {
		const struct code_step *step = &code->steps.items[i];
		if (!code_step_jumps(step) && step->target)
			vector_push(&u->addresses, step->target);
		if (!code_step_jumps(step) || range_holds(&code->range, step->target))
			continue;
		const struct frame_range *r = frames_at(frames, step->target);
		if (r && r->begin == step->target)
			vector_push(&u->uses, ((struct code_use) { step->target,
								   code->range.begin + step->at }));
	}
}

static struct code_uses *uses_of(struct elf_file *elf, const struct frames *frames)
{
	struct code_uses *u = mem_zalloc(sizeof(*u));
	size_t count, steps = 0;
	const struct frame_range *r = frames_ranges(frames, &count);
	for (size_t i = 0; i < count; i++) {
		struct code_range range = { r[i].begin, r[i].end };
		struct pid_code *code = pid_code_decode(elf, range);
		code_collect(u, frames, code);
		steps += code->steps.count;
		if (steps > STEPS_MOST)
			pid_code_free(take(code));
		vector_push(&u->codes, code);
	}
	sort_by_number(u->uses.items, u->uses.count, sizeof(*u->uses.items), 0, NULL);
	sort_by_number(u->addresses.items, u->addresses.count, sizeof(uint64_t), 0, NULL);
	return u;
}

void code_uses_free(struct code_uses *u)
{
	if (!u)
		return;
	vector_free(&u->uses);
	vector_free(&u->addresses);
	pid_codes_free(&u->codes);
	free(u);
}

/* Is TARGET used by CODES alone? */
static bool is_used_by(const struct code_uses *u, uint64_t target, const code_vector *codes)
{
	for (size_t i = vector_until(&u->uses, target, target);
	     i-- && u->uses.items[i].target == target;)
		if (!pid_codes_hold(codes, u->uses.items[i].source))
			return false;
	return true;
}

/* The first address after ADDRESS that code names, or the greatest number. */
static uint64_t next_named(const struct code_uses *u, uint64_t address)
{
	size_t until = sorted_until(u->addresses.items, u->addresses.count,
				    sizeof(*u->addresses.items), 0, address);
	return until < u->addresses.count ? u->addresses.items[until] : UINT64_MAX;
}

/* --- parts --- */

struct computed_jump {
	const struct pid_code *code;
	const struct code_step *step;
};

struct search {
	struct elf_file *elf;
	const struct frames *frames;
	const struct elf_symbol *function;
	code_vector *codes;
	struct code_uses **uses;
	VECTOR(uint64_t) doubtful; /* first bytes of those that may be functions, too */
	VECTOR(struct computed_jump) jumps;
};

/* f.cold may be called after any name of the function. */
static bool is_part_of(struct elf_file *elf, const struct elf_symbol *function,
		       const struct elf_symbol *s)
{
	size_t count;
	const struct elf_symbol *names = elf_file_symbols_at(elf, function->address, &count);
	for (size_t i = 0; s && i < count; i++) {
		size_t len = strlen(names[i].name);
		if (strncmp(s->name, names[i].name, len) == 0 &&
		    strncmp(s->name + len, ".cold", 5) == 0)
			return true;
	}
	return false;
}

/* Does a function or a label with a name begin in R? */
static bool range_has_name(struct elf_file *elf, const struct frame_range *r)
{
	const struct elf_symbol *symbols;
	size_t all, at_begin;
	auto_error struct error *err = elf_file_symbols(elf, &symbols, &all);
	const struct elf_symbol *first = elf_file_symbols_at(elf, r->begin, &at_begin);
	return !err && first < symbols + all && first->address < r->end;
}

static void uses_need(struct search *s)
{
	if (!*s->uses)
		*s->uses = uses_of(s->elf, s->frames);
}

/* The code of R, by the pass over all code if that has been made. */
static struct pid_code *code_take(const struct search *s, struct code_range r)
{
	size_t count;
	const struct frame_range *first = frames_ranges(s->frames, &count);
	const struct frame_range *frame = *s->uses ? frames_at(s->frames, r.begin) : NULL;
	struct pid_code **saved = frame ? &(*s->uses)->codes.items[frame - first] : NULL;
	if (saved && *saved && frame->begin == r.begin && frame->end == r.end)
		return take(*saved);
	return pid_code_decode(s->elf, r);
}

static void add_part(struct search *s, struct code_range r)
{
	if (s->codes->count < PARTS_MOST)
		vector_push(s->codes, code_take(s, r));
}

/* The part with the address TARGET.  IS_FRESH: it begins there as a function that was just called.
 */
static bool part_at(struct search *s, uint64_t target, struct code_range *ret, bool *is_fresh)
{
	const struct elf_symbol *other = elf_file_symbol_at(s->elf, target);
	*is_fresh = false;
	if (is_part_of(s->elf, s->function, other)) {
		*ret = (struct code_range) { other->address, other->address + other->size };
		return true;
	}
	const struct frame_range *r = frames_at(s->frames, target);
	struct frame_entry entry;
	uint64_t pointer, size;
	if (!r || range_has_name(s->elf, r) || code_is_stub(s->elf, target, &pointer, &size) ||
	    !frames_entry(s->frames, r, &entry))
		return false;
	*is_fresh = entry.begins_as_its_function && target == r->begin;
	*ret = (struct code_range) { r->begin, r->end };
	return true;
}

static void part_consider(struct search *s, uint64_t target, bool is_branch)
{
	struct code_range part;
	bool is_fresh;
	if (!part_at(s, target, &part, &is_fresh))
		return;
	if (is_fresh && !is_branch)
		return; /* it is called, in place of a return */
	if (is_fresh)
		vector_push(&s->doubtful, target);
	add_part(s, part);
}

static void part_look(struct search *s, const struct pid_code *code)
{
	for (size_t i = 0; i < code->steps.count; i++) {
		const struct code_step *step = &code->steps.items[i];
		bool jumps = step->flow == FLOW_BRANCH || step->flow == FLOW_JUMP;
		if (jumps && !pid_codes_hold(s->codes, step->target))
			part_consider(s, step->target, step->flow == FLOW_BRANCH);
		if (step->flow >= FLOW_TABLE)
			vector_push(&s->jumps, ((struct computed_jump) { code, step }));
	}
}

/* A function without a name may be another one, whose table follows: so T may not reach it. */
static bool leads_to_part(struct search *s, const struct code_table *t, size_t i)
{
	struct code_range part;
	bool is_fresh;
	if (is_part_of(s->elf, s->function, elf_file_symbol_at(s->elf, t->to[i])))
		return true;
	if (!part_at(s, t->to[i], &part, &is_fresh))
		return false;
	uses_need(s);
	return t->address + i * t->word < next_named(*s->uses, t->address);
}

/* What T begins with are places of the function and of its parts, which join it then. */
static bool table_look(void *arg, const struct code_table *t)
{
	struct search *s = arg;
	size_t places = 0, ours = 0;
	struct code_range part;
	bool is_fresh;
	for (; places < t->count; places++) {
		bool is_ours = pid_codes_hold(s->codes, t->to[places]);
		if (t->to[places] == s->function->address ||
		    (!is_ours && !leads_to_part(s, t, places)))
			break;
		ours += is_ours;
	}
	for (size_t i = 0; i < places && ours && places >= PLACES_LEAST; i++)
		if (!pid_codes_hold(s->codes, t->to[i]) && part_at(s, t->to[i], &part, &is_fresh))
			add_part(s, part);
	return false;
}

/* Parts that only tables of switches lead to. */
static void search_tables(struct search *s)
{
	struct switches switches = { s->elf, s->codes };
	for (size_t i = 0; i < s->jumps.count; i++) {
		const struct computed_jump *j = &s->jumps.items[i];
		switches_visit(&switches, j->code, j->step, table_look, s);
	}
	switches_deinit(&switches);
}

static void remove_part(code_vector *codes, uint64_t begin)
{
	size_t kept = 0;
	for (size_t i = 0; i < codes->count; i++)
		if (codes->items[i]->range.begin != begin)
			codes->items[kept++] = codes->items[i];
		else
			pid_code_free(codes->items[i]);
	codes->count = kept;
}

void pid_parts(struct pid_object *object, const struct elf_symbol *function, code_vector *ret)
{
	struct search s = {
		.elf = image_elf(object->image),
		.frames = image_frames(object->image),
		.function = function,
		.codes = ret,
		.uses = &object->uses,
	};
	add_part(&s, (struct code_range) { function->address, function->address + function->size });
	for (size_t i = 0; i < ret->count; i++) {
		part_look(&s, ret->items[i]);
		if (i + 1 == ret->count)
			search_tables(&s);
	}
	vector_free(&s.jumps);
	if (s.doubtful.count)
		uses_need(&s);
	for (size_t i = 0; i < s.doubtful.count; i++)
		if (!is_used_by(object->uses, s.doubtful.items[i], ret))
			remove_part(ret, s.doubtful.items[i]);
	vector_free(&s.doubtful);
}
