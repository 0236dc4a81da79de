/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code_names - file, line and function of an interpreter's frame
 *
 * In:   words of frames, and the texts that programs have copied (abi/interpreted.h).
 * Out:  names in UTF-8; the line that the instruction was made from.
 *
 * The texts come from a traced process: every length in them is checked.  Lines are decoded from
 * CPython's table of locations (Objects/locations.md, 3.11 and later).
 */
#ifndef SYMBOL_CODE_NAMES_H
#define SYMBOL_CODE_NAMES_H

#include "abi/interpreted.h"
#include "base/base.h"

struct code_names;

/* TEXTS, which may be NULL and must outlive it, have SIZE bytes. */
struct code_names *code_names_new(const struct code_texts *texts, size_t size);
void code_names_free(struct code_names *n); /* NULL is fine */

struct code_place {
	const char *file, *function; /* owned by the struct code_names; of a method file is NULL */
	uint32_t line;		     /* 0: the instruction is of none */
	bool is_cut;		     /* a name was too long to be copied */
};

/* False: the names of the frame WORD are not known. */
bool code_names_find(struct code_names *n, uint64_t word, struct code_place *ret);

/*
 * WORD, or the first word that was given here and has the same file, function and line.  What
 * belongs to the native frame alone stays WORD's.
 */
uint64_t code_names_same(struct code_names *n, uint64_t word);

/* The line of instruction NUMBER by the table LINES; 0: it has none. */
uint32_t code_line(struct bytes lines, uint32_t first_line, int32_t number);

#endif
