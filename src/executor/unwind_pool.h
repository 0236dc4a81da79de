/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind_pool - which tables are in the pool of unwind tables, and which of them goes first
 *
 * In:   tables of files, in the order in which stacks meet these.
 * Out:  their places in the pool (abi/unwind.h).
 *
 * Walks write the pool's epoch to each table that they use.  We change the epoch when memory is
 * short, but only once a second.  So a table whose epoch is neither this one nor the one before was
 * not used for a second: the one with the oldest epoch goes.  A table that is in use stays: else
 * files that do not fit all would remove each other's tables all the time, and no stack be whole.
 *
 * Files without a table take no memory, but places in the kernel's list of files: the oldest goes.
 *
 * Always true:
 *   1. No two tables overlap; each is behind the pool's head, and aligned to 4.
 *   2. The vdso is never removed: no stack asks for it again.
 */
#ifndef EXECUTOR_UNWIND_POOL_H
#define EXECUTOR_UNWIND_POOL_H

#include "abi/unwind.h"
#include "base/base.h"

struct pool_table {
	struct unwind_key key;
	uint32_t at, size; /* with its `used` word */
};

struct table_pool {
	struct unwind_pool *memory; /* mapped; NULL: there is none */
	uint32_t size;
	VECTOR(struct pool_table) tables;  /* by place */
	VECTOR(struct unwind_key) without; /* files that have none, the oldest first */
	uint64_t epoch_time;		   /* when the epoch began: CLOCK_MONOTONIC */
	uint64_t removed;		   /* tables and files so far */
	bool reports_full;		   /* it was reported that there was no room */
};

void table_pool_deinit(struct table_pool *p); /* not its memory */

/*
 * The table T of KEY, which is not known yet, into the pool.  T is NULL: the file has none.  REMOVE
 * is called for each file that goes for it, before its memory is used.
 */
typedef void pool_remove_fn(void *arg, const struct unwind_key *key);
struct unwind_file table_pool_add(struct table_pool *p, const struct unwind_key *key,
				  const struct unwind_table *t, pool_remove_fn *remove, void *arg);

/* A table has no room: say so, once. */
void table_pool_report_full(struct table_pool *p);

/*
 * Find a place for the table of KEY, which is not known yet and has SIZE bytes, at the time NOW.
 * 0: there is no place.
 */
uint32_t table_pool_place(struct table_pool *p, const struct unwind_key *key, uint32_t size,
			  uint64_t now, pool_remove_fn *remove, void *arg);

/* The file KEY, which is not known yet, has no table.  As above, if there are many of those. */
void table_pool_note(struct table_pool *p, const struct unwind_key *key, pool_remove_fn *remove,
		     void *arg);

/* One file less, the one that is needed least; false: there is none that may go. */
bool table_pool_remove_one(struct table_pool *p, pool_remove_fn *remove, void *arg);

/* KEY is not known any more; its memory may be used for others.  False: it was not known. */
bool table_pool_forget(struct table_pool *p, const struct unwind_key *key);

#endif
