/* SPDX-License-Identifier: BSD-2-Clause */
/* flight - reading flight recorders (abi/state.h), for the readers of executors (source.h) */
#ifndef EXECUTOR_FLIGHT_H
#define EXECUTOR_FLIGHT_H

#include "executor/source.h"

/* Recorders, one for each area below COUNT. */
struct flight_memory {
	const void *memory; /* NULL: none; a loan */
	uint32_t count;
	uint32_t stride; /* from one to the next */
	uint32_t size;	 /* bytes of records in each; behind them is room for the last one's end */
	uint64_t *read;	 /* [count] up to this position all was visited; flight_deinit() frees it */
};

/* F has all but `read`; nothing has been visited. */
void flight_init(struct flight_memory *f);
void flight_deinit(struct flight_memory *f);
/* Visit what recorder N holds and has not been visited, oldest first.  Nobody may be writing. */
MUST_CHECK struct error *flight_drain(struct flight_memory *f, unsigned n, bytes_visit_fn *visit,
				      void *arg);

#endif
