/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/source_place.h"

#include <dwarf.h>

/* Entries of a function that an address is in: of inlined functions, the outermost first. */
struct inlined {
	Dwarf_Die entries[SOURCE_PLACES_MAX - 1];
	unsigned count;
};

bool entry_has_code(Dwarf_Die *entry)
{
	switch (dwarf_tag(entry)) {
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return true;
	default:
		return false;
	}
}

bool entry_enter(Dwarf_Die *parent, uint64_t address)
{
	Dwarf_Die child;
	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (entry_has_code(&child) && dwarf_haspc(&child, address) == 1)
			return *parent = child, true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static void find_inlined(Dwarf_Die *function, uint64_t address, struct inlined *ret)
{
	Dwarf_Die at = *function;
	for (unsigned depth = 0; depth < BLOCKS_DEPTH_MAX && entry_enter(&at, address); depth++)
		if (dwarf_tag(&at) == DW_TAG_inlined_subroutine &&
		    ret->count < ARRAY_SIZE(ret->entries))
			ret->entries[ret->count++] = at;
}

static uint64_t attribute_number(Dwarf_Die *entry, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	bool is_known =
		dwarf_attr(entry, name, &attribute) && dwarf_formudata(&attribute, &value) == 0;
	return is_known ? value : 0;
}

struct source_place source_place_of_call(Dwarf_Die *entry)
{
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t count;
	uint64_t file = attribute_number(entry, DW_AT_call_file);
	struct source_place ret = { .line = (int)attribute_number(entry, DW_AT_call_line) };
	if (dwarf_diecu(entry, &unit, NULL, NULL) &&
	    dwarf_getsrcfiles(&unit, &files, &count) == 0 && file < count)
		ret.file = dwarf_filesrc(files, file, NULL, NULL);
	return ret;
}

/* Where the instruction is by the line table. */
static struct source_place row_of(Dwarf_Die *unit, uint64_t address)
{
	struct source_place ret = { 0 };
	Dwarf_Line *row = dwarf_getsrc_die(unit, address);
	if (row && dwarf_lineno(row, &ret.line) == 0)
		ret.file = dwarf_linesrc(row, NULL, NULL);
	return ret;
}

unsigned debug_info_places(struct debug_info *d, uint64_t address, struct source_place *ret)
{
	Dwarf_Die unit, function;
	uint64_t begin;
	struct inlined inlined = { .count = 0 };
	if (!debug_info_unit(d, address, &unit))
		return 0;
	if (debug_info_function(d, address, "", &function, &begin))
		find_inlined(&function, address, &inlined);
	unsigned n = 0;
	ret[n] = row_of(&unit, address);
	for (unsigned i = inlined.count; i-- > 0; n++) {
		const char *name = debug_info_linker_name(&inlined.entries[i]);
		ret[n].function = name ? name : "?";
		ret[n + 1] = source_place_of_call(&inlined.entries[i]);
	}
	return n || ret[0].file ? n + 1 : 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Of one unit. */
struct lines {
	struct debug_info *d;
	const struct source_line_visitor *v;
	const char *judged; /* the last file of which was asked whether it is wanted, */
	bool is_wanted;	    /* and the answer */
	struct hash *seen;  /* struct lines_key -> its number in the list, from 1 */
	VECTOR(struct source_line) list;
};

/* Texts of files are the unit's, one for each file. */
static bool line_is_wanted(struct lines *l, const char *path)
{
	if (path != l->judged)
		l->is_wanted = path && l->v->wants(l->v->arg, path_base_name(path));
	l->judged = path;
	return l->is_wanted;
}

/* The innermost block or function with ADDRESS: where its entry is in its section; 0: unknown. */
static uint64_t block_at(struct debug_info *d, uint64_t address)
{
	Dwarf_Die at;
	uint64_t begin;
	if (!debug_info_function(d, address, "", &at, &begin))
		return 0;
	for (unsigned depth = 0; depth < BLOCKS_DEPTH_MAX && entry_enter(&at, address);)
		depth++;
	return dwarf_dieoffset(&at);
}

struct lines_key {
	const char *file;
	uint64_t block;
	int64_t line;
};

static void line_add(struct lines *l, const char *path, int line, uint64_t address)
{
	const struct lines_key key = { path, block_at(l->d, address), line };
	void **place = hash_place(l->seen, &key, sizeof(key));
	size_t number = (size_t)(uintptr_t)*place;
	if (!number) {
		vector_push(&l->list,
			    ((struct source_line) { path_base_name(path), line, address }));
		*place = (void *)(uintptr_t)l->list.count;
	} else if (address < l->list.items[number - 1].address) {
		l->list.items[number - 1].address = address;
	}
}

struct line_row {
	uint64_t address;
	int line;
	const char *file;
	bool begins, ends; /* a statement; after the end the next code is elsewhere */
};

static bool row_read(Dwarf_Line *from, struct line_row *ret)
{
	Dwarf_Addr address = 0;
	*ret = (struct line_row) { .file = dwarf_linesrc(from, NULL, NULL) };
	bool is_whole = ret->file && dwarf_lineaddr(from, &address) == 0 &&
			dwarf_lineno(from, &ret->line) == 0 &&
			dwarf_linebeginstatement(from, &ret->begins) == 0 &&
			dwarf_lineendsequence(from, &ret->ends) == 0;
	ret->address = address;
	return is_whole;
}

/* A row that only continues the line of the row before is not another place. */
static void unit_lines(struct lines *l, Dwarf_Die *unit)
{
	Dwarf_Lines *rows;
	size_t count;
	struct line_row before = { .ends = true }, row;
	if (dwarf_getsrclines(unit, &rows, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++, before = row) {
		if (!row_read(dwarf_onesrcline(rows, i), &row) || row.ends || !row.begins ||
		    !row.line || !line_is_wanted(l, row.file))
			continue;
		if (before.ends || before.line != row.line || before.file != row.file)
			line_add(l, row.file, row.line, row.address);
	}
}

void debug_info_lines(struct debug_info *d, const struct source_line_visitor *v)
{
	Dwarf_CU *at = NULL;
	Dwarf_Die unit;
	while (debug_info_next_unit(d, &at, &unit)) {
		struct lines l = { .d = d, .v = v, .seen = hash_new() };
		unit_lines(&l, &unit);
		for (size_t i = 0; i < l.list.count; i++)
			v->visit(v->arg, &l.list.items[i]);
		vector_free(&l.list);
		hash_free(l.seen);
	}
}
