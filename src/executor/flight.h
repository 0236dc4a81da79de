/* SPDX-License-Identifier: BSD-2-Clause */
/* flight - reads flight recorders (abi/state.h), for the readers of executors (source.h) */
#ifndef EXECUTOR_FLIGHT_H
#define EXECUTOR_FLIGHT_H

#include "executor/source.h"

/* Recorders, one for each area below COUNT. */
struct flight_memory {
	const void *memory; /* NULL: none; a loan */
	uint32_t count;
	uint32_t stride; /* from one to the next */
	uint32_t size;	 /* bytes of records in each; after them is space for the end of the last
			  * record */
	uint64_t *read;	 /* [count] all records before this position were visited; flight_deinit()
			  * frees it */
};

/* All members of F but `read` are set; nothing has been visited. */
void flight_init(struct flight_memory *f);
void flight_deinit(struct flight_memory *f);
/* Visit the records of recorder N that have not been visited, oldest first.  Firings must not write
 * meanwhile. */
MUST_CHECK struct error *flight_drain(struct flight_memory *f, unsigned n, bytes_visit_fn *visit,
				      void *arg);

#endif
