/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_text - the kernel's functions by address, and their instructions
 *
 * A function ends where the next symbol begins.  Padding is read as instructions, too.
 */
#ifndef PROVIDER_FBT_TEXT_H
#define PROVIDER_FBT_TEXT_H

#include "arch/arch.h"

/* False: some of the SIZE bytes at ADDRESS cannot be read. */
typedef bool text_read_fn(void *arg, uint64_t address, void *ret, size_t size);

struct text_symbol {
	uint64_t address;
	const char *name; /* owned by the text */
};

struct kernel_text {
	const struct arch *arch;
	text_read_fn *read;
	void *arg;
	struct arena *names;
	VECTOR(struct text_symbol) symbols; /* after text_sort() by address, then as added */
};

void text_init(struct kernel_text *t, const struct arch *arch, text_read_fn *read, void *arg);
void text_deinit(struct kernel_text *t);

void text_add(struct kernel_text *t, uint64_t address, const char *name);
void text_sort(struct kernel_text *t);

/* The first symbol whose code contains ADDRESS; NULL: there is none. */
const struct text_symbol *text_symbol_at(const struct kernel_text *t, uint64_t address);
/* Bytes from SYMBOL's address to the next one's. */
size_t text_size(const struct kernel_text *t, const struct text_symbol *symbol);

/* The first of SIZE bytes at ADDRESS into RET; how many: all, or some that can be read. */
size_t text_read(const struct kernel_text *t, uint64_t address, void *ret, size_t size);

/* The result: continue? */
typedef bool text_visit_fn(void *arg, uint64_t address, const struct instruction *i);

/*
 * Visit SYMBOL's instructions from the first to the last; false: VISIT returned false, or the
 * rest, from the first bytes that are not a known instruction or cannot be read, was not visited.
 */
bool text_walk(const struct kernel_text *t, const struct text_symbol *symbol, text_visit_fn *visit,
	       void *arg);

/*
 * Does one of SYMBOL's instructions begin at ADDRESS?  The bytes there may be the end of another
 * one.  EXCLUSIVE, unless it is NULL: it is between an exclusive load and its store.
 */
bool text_begins_instruction(const struct kernel_text *t, const struct text_symbol *symbol,
			     uint64_t address, bool *exclusive);

#endif
