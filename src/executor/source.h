/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source - where the consumer reads what one executor has recorded
 *
 * An executor that has loaded its program gives the consumer one of these: the program's layouts,
 * the state region (abi/state.h), and a reader of its buffers and maps.  A consumer may have
 * several: all of them run the same clauses, and clauses, aggregations, variables and probes have
 * the same numbers in each.  What an executor chooses for itself may differ: how many areas there
 * are, where a record's fields are, how keys are sharded.
 *
 * A source has two streams.  Records are read by area (drain), and a firing's area is chosen by the
 * executor (RT(area)).  Requests want an answer from the tracer: code has arrived in a process
 * (struct arrival).  Requests to come, for unwinding, are a table that is missing and a stack that
 * was copied; the copied stack is completed where the consumer makes keys alike (key_shown() in
 * consumer/snapshot.c), before stacks are merged.
 */
#ifndef EXECUTOR_SOURCE_H
#define EXECUTOR_SOURCE_H

#include "abi/abi.h"
#include "base/base.h"

/* DATA does not change and does not move before the function returns, whatever traced code does. */
typedef struct error *bytes_visit_fn(void *arg, const void *data, uint32_t size);
typedef struct error *element_visit_fn(void *arg, const void *key, const void *value);

struct source_reader {
	/*
	 * Visit the complete records of AREA, in the order of their arrival, and give their room
	 * back.  What arrives meanwhile may be visited, too, but not without end.
	 */
	struct error *(*drain)(void *self, unsigned area, bytes_visit_fn *visit, void *arg);
	/* The same of requests, each a struct arrival.  NULL: there never are any. */
	struct error *(*requests)(void *self, bytes_visit_fn *visit, void *arg);
	/* Visit the elements of the program's map MAP. */
	struct error *(*visit)(void *self, unsigned map, element_visit_fn *visit, void *arg);
	/* Of an element that is there. */
	struct error *(*update)(void *self, unsigned map, const void *key, const void *value);
	struct error *(*remove)(void *self, unsigned map, const void *key);
	/* Wait until the firings under way have ended; *ALL is false if some go on and on. */
	struct error *(*settle)(void *self, bool *all);
};

struct record_source {
	const struct program *program; /* outlives the consumer */
	const struct source_reader *reader;
	void *self;				 /* of the reader's functions */
	struct control *control;		 /* of the shared state; may be NULL */
	const struct area_counters *counters;	 /* of each area; may be NULL */
	const struct clause_drops *clause_drops; /* [areas][clauses]; NULL: not wanted */
	void *keyless;				 /* area 0's keyless aggregations */
	void *globals; /* the program's global variables; generations are among them */
	/* NULL: areas are CPUs.  Else how messages about drops name one, "in area": its number
	 * follows. */
	const char *area_words;
};

#endif
