/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table_retry - files whose unwind table could not be made: when to try again
 *
 * The process that met the file may be gone, its files hidden from us, or the pool full.  Stacks
 * ask again as soon as the file is forgotten, so that has to wait: not at all the first time, as
 * another process may have the file mapped, then for 20 ms, and twice as long each time, up to 32
 * s.
 */
#ifndef TRACER_TABLE_RETRY_H
#define TRACER_TABLE_RETRY_H

#include "abi/unwind.h"
#include "base/base.h"

struct table_failure {
	struct unwind_key key;
	uint64_t due, delay; /* ns; the delay that came before it */
	bool waits;	     /* until `due`; else it has been forgotten, then */
};

typedef VECTOR(struct table_failure) table_failures;

/* Making the table of KEY failed at the time NOW.  The result is the delay until it is due. */
uint64_t table_failed(table_failures *f, const struct unwind_key *key, uint64_t now);
/* It was made. */
void table_made(table_failures *f, const struct unwind_key *key);
/* The next one that is due at the time NOW: stacks may ask again.  False: there is none. */
bool table_due(table_failures *f, uint64_t now, struct unwind_key *ret);

#endif
