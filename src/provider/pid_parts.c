/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/pid_parts.h"

#include <string.h>

#include "provider/pid_arch.h"

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
};

struct collecting {
	const struct frames *frames;
	const struct frame_range *source;
	struct code_uses *to;
};

/* Only what leads to the first byte of another FDE's code matters. */
static bool collect(void *arg, uint64_t address, const struct instruction *i)
{
	struct collecting *c = arg;
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

static struct code_uses *uses_of(struct elf_file *elf, const struct frames *frames)
{
	struct code_uses *u = mem_zalloc(sizeof(*u));
	size_t count;
	const struct frame_range *r = frames_ranges(frames, &count);
	for (size_t i = 0; i < count; i++) {
		struct collecting c = { frames, &r[i], u };
		code_walk(elf, &(struct code_range) { r[i].begin, r[i].end }, collect, &c);
	}
	if (u->uses.count)
		qsort(u->uses.items, u->uses.count, sizeof(*u->uses.items), by_target);
	return u;
}

void code_uses_free(struct code_uses *u)
{
	if (!u)
		return;
	vector_free(&u->uses);
	free(u);
}

/* Is TARGET used by code in RANGES alone? */
static bool is_used_by(const struct code_uses *u, uint64_t target, const range_vector *ranges)
{
	size_t low = 0, high = u->uses.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (u->uses.items[middle].target < target)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < u->uses.count && u->uses.items[low].target == target; low++)
		if (!ranges_hold(ranges, u->uses.items[low].source))
			return false;
	return true;
}

/* --- parts --- */

struct search {
	struct elf_file *elf;
	const struct frames *frames;
	const struct elf_symbol *function;
	range_vector *ranges;
	VECTOR(uint64_t) doubtful; /* first bytes of those that may be functions, too */
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
static bool has_name(struct elf_file *elf, const struct frame_range *r)
{
	const struct elf_symbol *symbols;
	size_t all, at_begin;
	auto_error struct error *err = elf_file_symbols(elf, &symbols, &all);
	const struct elf_symbol *first = elf_file_symbols_at(elf, r->begin, &at_begin);
	return !err && first < symbols + all && first->address < r->end;
}

#define STUB_MOST 5 /* instructions */

static uint64_t displaced(const struct bytes *code, const struct instruction *i, uint64_t address)
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
	for (unsigned n = 0; n < STUB_MOST && i.flow == FLOW_NEXT; n++) {
		struct bytes code = elf_file_code(elf, address, INSTRUCTION_MOST);
		if (!pid_arch(elf)->decode(&code, &i))
			return false;
		*pointer = displaced(&code, &i, address);
		address += i.length;
	}
	return i.flow == FLOW_POINTER;
}

static void add_part(struct search *s, uint64_t begin, uint64_t end)
{
	if (s->ranges->count < PARTS_MOST)
		vector_push(s->ranges, ((struct code_range) { begin, end }));
}

static void consider(struct search *s, uint64_t target, bool is_branch)
{
	const struct elf_symbol *other = elf_file_symbol_at(s->elf, target);
	if (is_part_of(s->elf, s->function, other)) {
		add_part(s, other->address, other->address + other->size);
		return;
	}
	const struct frame_range *r = frames_at(s->frames, target);
	struct frame_entry entry;
	uint64_t pointer;
	if (!r || has_name(s->elf, r) || code_is_stub(s->elf, target, &pointer) ||
	    !frames_entry(s->frames, r, &entry))
		return;
	if (entry.begins_as_its_function && target == r->begin) {
		if (!is_branch)
			return; /* it is called, in place of a return */
		vector_push(&s->doubtful, target);
	}
	add_part(s, r->begin, r->end);
}

static bool look(void *arg, uint64_t address, const struct instruction *i)
{
	struct search *s = arg;
	uint64_t target = address + (uint64_t)i->target;
	bool is_branch = i->flow == FLOW_BRANCH;
	if ((is_branch || i->flow == FLOW_JUMP) && !ranges_hold(s->ranges, target))
		consider(s, target, is_branch);
	return true;
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
	};
	add_part(&s, function->address, function->address + function->size);
	for (size_t i = 0; i < ret->count; i++) {
		struct code_range r = ret->items[i];
		code_walk(s.elf, &r, look, &s);
	}
	if (s.doubtful.count && !*uses)
		*uses = uses_of(s.elf, s.frames);
	for (size_t i = 0; i < s.doubtful.count; i++)
		if (!is_used_by(*uses, s.doubtful.items[i], ret))
			remove_part(ret, s.doubtful.items[i]);
	vector_free(&s.doubtful);
}
