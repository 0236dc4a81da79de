/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rewalk - the rest of a user stack that a program has copied
 *
 * In:   struct stack_copy (abi/unwind.h) and the bytes of the stack; the pool of unwind tables.
 * Out:  the frames that follow those that the program has recorded, and the stack's end.
 *
 * A walk that meets a file without a table ends there, and what it would read next is copied
 * (runtime/stack/unwind_copy.c).  The table is made, and this walk goes on where that one ended: by
 * the same code (runtime/stack/unwind_frame.c, compiled for this process), with the same tables in
 * the same pool.  So a copied stack has the frames that the next one of the same calls has, found
 * the same way.  There are two differences: memory is the copy, and mappings are those that the
 * process has when the copy is walked.
 *
 * Always true:
 *   1. Nothing outside of the copy is read, whatever is in it.
 *   2. At most copy.most - copy.count frames are written.
 */
#ifndef REWALK_REWALK_H
#define REWALK_REWALK_H

#include "abi/unwind.h"
#include "arch/arch.h"
#include "base/base.h"

/* The mapping at ADDRESS, with the table of its file, if that can be had; false: there is none. */
typedef bool rewalk_mapping_fn(void *arg, uint64_t address, struct walk_mapping *ret);

/* POOL has POOL_SIZE bytes, a power of two, and UNWIND_POOL_SLACK more. */
struct rewalk_setup {
	const struct arch *arch; /* of the process */
	struct unwind_pool *pool;
	uint32_t pool_size;
	rewalk_mapping_fn *mapping;
	void *arg;
};

/* COPY is valid.  FRAMES has room for copy.most - copy.count frames; *COUNT are written. */
enum stack_end rewalk(const struct rewalk_setup *setup, const struct stack_copy *copy,
		      uint64_t *frames, uint32_t *count);

#endif
