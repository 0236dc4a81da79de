/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_text - the kernel's functions by address, and their instructions
 *
 * A function ends where the next symbol begins.  Padding is read as instructions, too.
 */
#ifndef PROVIDER_KERNEL_FBT_TEXT_H
#define PROVIDER_KERNEL_FBT_TEXT_H

#include "arch/arch.h"
#include "provider/provider.h"

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

/* --- fbt_exits.c --- */

typedef VECTOR(uint64_t) address_vector;

/* The addresses of SYMBOL's instructions that leave it, added to RET; the result is NULL, or why
 * they are not known. */
const char *fbt_exits(const struct kernel_text *t, const struct text_symbol *symbol,
		      address_vector *ret);

/* Why no probe can be OFFSET bytes after SYMBOL's first one; NULL: an instruction begins there. */
const char *fbt_offset_problem(const struct kernel_text *t, const struct text_symbol *symbol,
			       uint64_t offset);

/* --- fbt_path.c --- */

struct fbt_path;

/* T: sorted, and not needed any more afterwards. */
struct fbt_path *fbt_path_new(const struct kernel_text *t);
void fbt_path_free(struct fbt_path *p); /* NULL is fine */

/* Why the function at ADDRESS is on our path: "called by NAME"; owned by P.  NULL: it is not. */
const char *fbt_path_reason(const struct fbt_path *p, uint64_t address);
size_t fbt_path_count(const struct fbt_path *p);

/* By its name alone, for kernels whose code we cannot read. */
const char *fbt_path_name_reason(const char *function);
/* Not on our path, but left out as well: FORBIDDEN of own_path.def. */
const char *fbt_forbidden_reason(const char *function);

/* --- fbt_sites.c --- */

typedef VECTOR(struct kernel_site) kernel_site_vector;

/*
 * The sites that Q means, into RET, which is empty; their functions' names are in A.  VARIABLE: the
 * address of the counter.  The result is NULL, or why there are none, in A.
 */
const char *fbt_sites(const struct kernel_text *t, struct arena *a, const struct site_query *q,
		      uint64_t variable, kernel_site_vector *ret);

#endif
