/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/source_place.h"

#include <dwarf.h>

/* Entries of a function that an address is in: of inlined functions, the outermost first. */
struct inlined {
	Dwarf_Die entries[SOURCE_PLACES_MAX - 1];
	unsigned count;
};

/* Blocks inside of blocks; none of a real program is as deep. */
#define DEPTH_MAX 256

/* Has ENTRY code inside of its function? */
static bool has_code(Dwarf_Die *entry)
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

/* PARENT becomes its child with ADDRESS; false: there is none. */
static bool enter(Dwarf_Die *parent, uint64_t address)
{
	Dwarf_Die child;
	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		if (has_code(&child) && dwarf_haspc(&child, address) == 1)
			return *parent = child, true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static void find_inlined(Dwarf_Die *function, uint64_t address, struct inlined *ret)
{
	Dwarf_Die at = *function;
	for (unsigned depth = 0; depth < DEPTH_MAX && enter(&at, address); depth++)
		if (dwarf_tag(&at) == DW_TAG_inlined_subroutine &&
		    ret->count < ARRAY_SIZE(ret->entries))
			ret->entries[ret->count++] = at;
}

static const char *name_of(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	const char *linkage = dwarf_attr_integrate(entry, DW_AT_linkage_name, &attribute)
				      ? dwarf_formstring(&attribute)
				      : NULL;
	const char *name = linkage ? linkage : dwarf_diename(entry);
	return name ? name : "?";
}

static uint64_t number_of(Dwarf_Die *entry, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	bool is_known =
		dwarf_attr(entry, name, &attribute) && dwarf_formudata(&attribute, &value) == 0;
	return is_known ? value : 0;
}

/* Where the inlined function ENTRY is called. */
static struct source_place call_of(Dwarf_Die *unit, Dwarf_Die *entry)
{
	Dwarf_Files *files;
	size_t count;
	uint64_t file = number_of(entry, DW_AT_call_file);
	struct source_place ret = { .line = (int)number_of(entry, DW_AT_call_line) };
	if (dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
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
		ret[n].function = name_of(&inlined.entries[i]);
		ret[n + 1] = call_of(&unit, &inlined.entries[i]);
	}
	return n || ret[0].file ? n + 1 : 0;
}
