/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/functions.h"

#include <dwarf.h>

#include "base/sort.h"
#include "object/dwarf/debug_info.h"

/* Code of one function: a function may have several. */
struct part {
	uint64_t begin, end;
	Dwarf_Die entry;
	uint64_t entry_pc;
};

/* The functions of a unit, by address. */
struct unit {
	VECTOR(struct part) parts;
	bool is_deep; /* those inside of other functions are among them */
	bool is_damaged;
};

struct unit_range {
	uint64_t begin, end;
	Dwarf_Die top;
};

struct functions {
	Dwarf *dwarf;
	VECTOR(struct unit *) units;
	struct hash *by_top; /* address of the bytes of a unit's first entry -> struct unit */
	bool has_ranges;     /* the ranges below are read, */
	bool is_damaged;     /* and some unit could not be */
	VECTOR(struct unit_range) ranges;
};

struct functions *functions_new(Dwarf *dwarf)
{
	struct functions *f = mem_zalloc(sizeof(*f));
	f->dwarf = dwarf;
	f->by_top = hash_new();
	return f;
}

void functions_free(struct functions *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->units.count; i++) {
		vector_free(&f->units.items[i]->parts);
		free(f->units.items[i]);
	}
	vector_free(&f->units);
	vector_free(&f->ranges);
	hash_free(f->by_top);
	free(f);
}

/* --- the unit of an address ------------------------------------------------------------------- */

static int by_begin_of_range(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The ranges of ENTRY, one at a time: STATE is 0 at first, and <= 0 after the last. */
static bool next_range(Dwarf_Die *entry, ptrdiff_t *state, uint64_t *begin, uint64_t *end)
{
	Dwarf_Addr base, from, to;
	*state = dwarf_ranges(entry, *state, &base, &from, &to);
	*begin = from;
	*end = to;
	return *state > 0;
}

static void units_read_ranges(struct functions *f)
{
	Dwarf_CU *unit = NULL;
	struct unit_range r;
	int end;
	f->has_ranges = true;
	while ((end = dwarf_get_units(f->dwarf, unit, &unit, NULL, NULL, &r.top, NULL)) == 0) {
		ptrdiff_t state = 0;
		while (next_range(&r.top, &state, &r.begin, &r.end))
			vector_push(&f->ranges, r);
		f->is_damaged |= state < 0 || dwarf_tag(&r.top) == DW_TAG_invalid;
	}
	f->is_damaged |= end < 0;
	if (f->ranges.count)
		qsort(f->ranges.items, f->ranges.count, sizeof(r), by_begin_of_range);
}

static bool find_in_ranges(struct functions *f, uint64_t address, Dwarf_Die *ret)
{
	if (!f->has_ranges)
		units_read_ranges(f);
	size_t until = vector_until(&f->ranges, begin, address);
	if (!until || f->ranges.items[until - 1].end <= address)
		return false;
	*ret = f->ranges.items[until - 1].top;
	return true;
}

/* A unit's entries may be in a separate file (split DWARF). */
bool functions_unit(struct functions *f, uint64_t address, Dwarf_Die *ret)
{
	Dwarf_Die top, below;
	uint8_t kind;
	if (!dwarf_addrdie(f->dwarf, address, &top) && !find_in_ranges(f, address, &top))
		return false;
	*ret = top;
	if (dwarf_cu_info(top.cu, NULL, &kind, NULL, &below, NULL, NULL, NULL) == 0 &&
	    kind == DW_UT_skeleton && below.addr)
		*ret = below;
	return true;
}

/* --- its functions ---------------------------------------------------------------------------- */

/* Scopes are nested, but in no real program as deep as this. */
#define DEPTH_MAX 64

bool tag_is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static bool has_functions_inside(int tag)
{
	return tag_is_scope(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static void unit_add_function(struct unit *u, Dwarf_Die *entry)
{
	struct part p = { .entry = *entry };
	bool is_first = true;
	for (ptrdiff_t s = 0; next_range(entry, &s, &p.begin, &p.end); is_first = false) {
		if (is_first && dwarf_entrypc(entry, &p.entry_pc) != 0)
			p.entry_pc = p.begin;
		vector_push(&u->parts, p);
	}
}

static void add_all(struct unit *u, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die entry;
	if (depth == DEPTH_MAX)
		return;
	int end = dwarf_child(parent, &entry);
	for (; end == 0; end = dwarf_siblingof(&entry, &entry)) {
		int tag = dwarf_tag(&entry);
		if (tag == DW_TAG_subprogram)
			unit_add_function(u, &entry);
		if (u->is_deep ? has_functions_inside(tag) : tag_is_scope(tag))
			add_all(u, &entry, depth + 1);
	}
	u->is_damaged |= end < 0;
}

static int by_begin_of_part(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void read_unit(struct unit *u, Dwarf_Die *top)
{
	u->parts.count = 0;
	add_all(u, top, 0);
	if (u->parts.count)
		qsort(u->parts.items, u->parts.count, sizeof(*u->parts.items), by_begin_of_part);
}

static void read_deep(struct unit *u, Dwarf_Die *top)
{
	u->is_deep = true;
	read_unit(u, top);
}

static struct unit *unit_with_top(struct functions *f, Dwarf_Die *top)
{
	void **place = hash_place(f->by_top, &top->addr, sizeof(top->addr));
	if (!*place) {
		struct unit *u = mem_zalloc(sizeof(*u));
		*place = u;
		vector_push(&f->units, u);
		read_unit(u, top);
	}
	return *place;
}

/* --- looking up ------------------------------------------------------------------------------- */

static bool entry_has_name(Dwarf_Die *entry, const char *name)
{
	const char *its = debug_info_linker_name(entry);
	return its && string_equal(its, name);
}

static struct part *find_part(struct unit *u, uint64_t address, const char *name)
{
	size_t until = vector_until(&u->parts, begin, address);
	struct part *found = NULL;
	for (size_t i = until; i-- && u->parts.items[i].begin == u->parts.items[until - 1].begin;) {
		struct part *p = &u->parts.items[i];
		if (p->end <= address)
			continue;
		if (entry_has_name(&p->entry, name))
			return p;
		found = p;
	}
	return found;
}

bool functions_find(struct functions *f, uint64_t address, const char *name, Dwarf_Die *ret,
		    uint64_t *begin)
{
	Dwarf_Die top;
	if (!functions_unit(f, address, &top))
		return false;
	struct unit *u = unit_with_top(f, &top);
	struct part *p = find_part(u, address, name);
	if (!p && !u->is_deep) {
		read_deep(u, &top);
		p = find_part(u, address, name);
	}
	if (!p)
		return false;
	*ret = p->entry;
	*begin = p->entry_pc;
	return true;
}

bool functions_are_damaged(struct functions *f, uint64_t address)
{
	Dwarf_Die top;
	if (!functions_unit(f, address, &top))
		return f->is_damaged;
	if (dwarf_tag(&top) == DW_TAG_invalid)
		return true;
	struct unit *u = unit_with_top(f, &top);
	if (!u->is_deep)
		read_deep(u, &top);
	return u->is_damaged;
}
