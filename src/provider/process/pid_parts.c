/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/process/pid_parts.h"

#include <string.h>

#include "base/sort.h"
#include "provider/process/pid_object.h"
#include "provider/process/pid_switch.h"

#define INSTRUCTION_MOST 16 /* bytes */
#define PARTS_MOST 64	    /* no real function has more */

bool range_holds(const struct code_range *r, uint64_t address)
{
	return address >= r->begin && address < r->end;
}

bool ranges_hold(const range_vector *ranges, uint64_t address)
{
	for (size_t i = 0; i < ranges->count; i++)
		if (range_holds(&ranges->items[i], address))
			return true;
	return false;
}

bool code_walk(const struct elf_file *elf, const struct code_range *r, code_visit_fn *visit,
	       void *arg)
{
	const struct arch *arch = pid_arch(elf);
	if (r->end <= r->begin || r->end - r->begin > UINT32_MAX)
		return false;
	struct bytes all = elf_file_code(elf, r->begin, r->end - r->begin + INSTRUCTION_MOST);
	for (uint64_t at = r->begin; at < r->end;) {
		struct bytes code = bytes_slice(&all, at - r->begin, all.size - (at - r->begin));
		struct instruction i;
		if (code.failed || !arch->decode(&code, &i) || !visit(arg, at, &i))
			return false;
		at += i.length;
	}
	return true;
}

/* --- uses of functions without a name --- */

struct code_use {
	uint64_t target, source;
};

struct code_uses {
	VECTOR(struct code_use) uses; /* by target */
	VECTOR(uint64_t) addresses;   /* that code names, sorted: each table begins at one */
};

struct collecting {
	const struct elf_file *elf;
	const struct frames *frames;
	const struct frame_range *source;
	struct code_uses *to;
};

static void collect_address(struct collecting *c, uint64_t address, const struct instruction *i)
{
	struct bytes code = elf_file_code(c->elf, address, i->length);
	bool is_table = i->flow == FLOW_TABLE && i->operand.is_known && i->operand.word;
	if (is_table)
		vector_push(&c->to->addresses, (uint64_t)(int64_t)i->operand.displacement);
	else if (i->address_register != JUMP_NO_REGISTER)
		vector_push(&c->to->addresses, code_displaced(&code, i, address));
}

/* Of targets, only the first bytes of another FDE's code matter. */
static bool collect(void *arg, uint64_t address, const struct instruction *i)
{
	struct collecting *c = arg;
	collect_address(c, address, i);
	uint64_t target = address + (uint64_t)i->target;
	if (!instruction_has_target(i) || (target >= c->source->begin && target < c->source->end))
		return true;
	const struct frame_range *r = frames_at(c->frames, target);
	if (r && r->begin == target)
		vector_push(&c->to->uses, ((struct code_use) { target, address }));
	return true;
}

static int by_target(const void *left, const void *right)
{
	const struct code_use *a = left, *b = right;
	return a->target < b->target ? -1 : a->target > b->target;
}

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return *a < *b ? -1 : *a > *b;
}

static struct code_uses *uses_of(struct elf_file *elf, const struct frames *frames)
{
	struct code_uses *u = mem_zalloc(sizeof(*u));
	size_t count;
	const struct frame_range *r = frames_ranges(frames, &count);
	for (size_t i = 0; i < count; i++) {
		struct collecting c = { elf, frames, &r[i], u };
		code_walk(elf, &(struct code_range) { r[i].begin, r[i].end }, collect, &c);
	}
	if (u->uses.count)
		qsort(u->uses.items, u->uses.count, sizeof(*u->uses.items), by_target);
	if (u->addresses.count)
		qsort(u->addresses.items, u->addresses.count, sizeof(uint64_t), by_number);
	return u;
}

void code_uses_free(struct code_uses *u)
{
	if (!u)
		return;
	vector_free(&u->uses);
	vector_free(&u->addresses);
	free(u);
}

/* Is TARGET used by code in RANGES alone? */
static bool is_used_by(const struct code_uses *u, uint64_t target, const range_vector *ranges)
{
	for (size_t i = vector_until(&u->uses, target, target);
	     i-- && u->uses.items[i].target == target;)
		if (!ranges_hold(ranges, u->uses.items[i].source))
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
	struct instruction before, jump;
};

struct search {
	struct elf_file *elf;
	const struct frames *frames;
	const struct elf_symbol *function;
	range_vector *ranges;
	struct code_uses **uses;
	VECTOR(uint64_t) doubtful; /* first bytes of those that may be functions, too */
	struct instruction before; /* the one that is looked at */
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

#define STUB_MOST 5 /* instructions */

uint64_t code_displaced(const struct bytes *code, const struct instruction *i, uint64_t address)
{
	int32_t displacement;
	if (i->displacement_bits != 32 || i->displacement_at % 8 ||
	    i->displacement_at / 8u + sizeof(displacement) > code->size)
		return 0;
	memcpy(&displacement, code->data + i->displacement_at / 8, sizeof(displacement));
	return address + i->length + (uint64_t)(int64_t)displacement;
}

bool code_is_stub(const struct elf_file *elf, uint64_t address, uint64_t *pointer)
{
	struct instruction i = { .flow = FLOW_NEXT };
	const uint64_t begin = address;
	for (unsigned n = 0; n < STUB_MOST && i.flow == FLOW_NEXT; n++) {
		struct bytes code = elf_file_code(elf, address, INSTRUCTION_MOST);
		if (!pid_arch(elf)->decode(&code, &i))
			return false;
		*pointer = code_displaced(&code, &i, address);
		address += i.length;
	}
	struct bytes code = elf_file_code(elf, begin, STUB_MOST * INSTRUCTION_MOST);
	if (pid_arch(elf)->stub_pointer && !pid_arch(elf)->stub_pointer(&code, begin, pointer))
		*pointer = 0;
	return i.flow == FLOW_POINTER;
}

static void uses_need(struct search *s)
{
	if (!*s->uses)
		*s->uses = uses_of(s->elf, s->frames);
}

static void add_part(struct search *s, uint64_t begin, uint64_t end)
{
	if (s->ranges->count < PARTS_MOST)
		vector_push(s->ranges, ((struct code_range) { begin, end }));
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
	uint64_t pointer;
	if (!r || range_has_name(s->elf, r) || code_is_stub(s->elf, target, &pointer) ||
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
	add_part(s, part.begin, part.end);
}

static bool part_look(void *arg, uint64_t address, const struct instruction *i)
{
	struct search *s = arg;
	uint64_t target = address + (uint64_t)i->target;
	bool is_branch = i->flow == FLOW_BRANCH;
	if ((is_branch || i->flow == FLOW_JUMP) && !ranges_hold(s->ranges, target))
		part_consider(s, target, is_branch);
	if (i->flow >= FLOW_TABLE)
		vector_push(&s->jumps, ((struct computed_jump) { s->before, *i }));
	s->before = *i;
	return true;
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
		bool is_ours = ranges_hold(s->ranges, t->to[places]);
		if (t->to[places] == s->function->address ||
		    (!is_ours && !leads_to_part(s, t, places)))
			break;
		ours += is_ours;
	}
	for (size_t i = 0; i < places && ours && places >= PLACES_LEAST; i++)
		if (!ranges_hold(s->ranges, t->to[i]) && part_at(s, t->to[i], &part, &is_fresh))
			add_part(s, part.begin, part.end);
	return false;
}

/* Parts that only tables of switches lead to. */
static void search_tables(struct search *s)
{
	struct switches switches = { s->elf, s->ranges };
	for (size_t i = 0; i < s->jumps.count; i++) {
		const struct computed_jump *j = &s->jumps.items[i];
		switches_visit(&switches, &j->before, &j->jump, table_look, s);
	}
	switches_deinit(&switches);
}

static void remove_part(range_vector *ranges, uint64_t begin)
{
	size_t kept = 0;
	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->items[i].begin != begin)
			ranges->items[kept++] = ranges->items[i];
	ranges->count = kept;
}

void pid_parts(struct image *image, const struct elf_symbol *function, struct code_uses **uses,
	       range_vector *ret)
{
	struct search s = {
		.elf = image_elf(image),
		.frames = image_frames(image),
		.function = function,
		.ranges = ret,
		.uses = uses,
	};
	add_part(&s, function->address, function->address + function->size);
	for (size_t i = 0; i < ret->count; i++) {
		struct code_range r = ret->items[i];
		s.before = (struct instruction) { 0 };
		code_walk(s.elf, &r, part_look, &s);
		if (i + 1 == ret->count)
			search_tables(&s);
	}
	vector_free(&s.jumps);
	if (s.doubtful.count)
		uses_need(&s);
	for (size_t i = 0; i < s.doubtful.count; i++)
		if (!is_used_by(*uses, s.doubtful.items[i], ret))
			remove_part(ret, s.doubtful.items[i]);
	vector_free(&s.doubtful);
}
