/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source_place - where in its source an instruction is, and where the code of a line begins
 *
 * In:   DWARF: a unit's line table, and the entries of functions that the compiler has inlined.
 * Out:  one place for each of them, and one for the function whose code it is;
 *       of a line the first instruction in each block that has code of it.
 */
#ifndef OBJECT_DWARF_SOURCE_PLACE_H
#define OBJECT_DWARF_SOURCE_PLACE_H

#include "object/dwarf/debug_info.h"

struct source_place {
	const char
		*function; /* an inlined one, the linker's name; NULL: the one that has a symbol */
	const char *file;  /* as the compiler names it; NULL: unknown */
	int line;	   /* 0: unknown */
};

#define SOURCE_PLACES_MAX 32 /* functions inlined into each other, and the outermost one */

/*
 * The places of the instruction at the link-time ADDRESS, the innermost first: each of the others
 * is where it calls the one before.  The result is how many there are in RET, at most
 * SOURCE_PLACES_MAX; 0: D knows none.  Texts live as long as D.
 */
unsigned debug_info_places(struct debug_info *d, uint64_t address, struct source_place *ret);

/* Where the copy ENTRY of an inlined function is called; without a function. */
struct source_place source_place_of_call(Dwarf_Die *entry);

#define BLOCKS_DEPTH_MAX 256 /* blocks inside of blocks; none of a real program is as deep */

/* PARENT becomes its child with ADDRESS, a block or an inlined function; false: there is none. */
bool entry_enter(Dwarf_Die *parent, uint64_t address);

/* Is ENTRY a block or an inlined function, which have code inside of a function? */
bool entry_has_code(Dwarf_Die *entry);

/* Where code of LINE of FILE begins, at the link-time ADDRESS.  FILE lives as long as the unit. */
struct source_line {
	const char *file; /* without its folders */
	int line;
	uint64_t address;
};

struct source_line_visitor {
	bool (*wants)(void *arg, const char *file);
	void (*visit)(void *arg, const struct source_line *line);
	void *arg;
};

/*
 * Visit the lines with code of the files that V wants.  Compilers spread a line's instructions
 * between those of others: a place counts if it is the first of the line in its function, in a
 * function inlined there, or in a block of either.
 */
void debug_info_lines(struct debug_info *d, const struct source_line_visitor *v);

#endif
