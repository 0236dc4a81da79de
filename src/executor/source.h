/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source - what the consumer reads of one executor
 *
 * An executor that has loaded its program gives the consumer a source: the program's layouts, the
 * state region (abi/state.h), and a reader of its buffers and maps.  A consumer may have several
 * sources: all of them run the same clauses, and clauses, aggregations, variables and probes have
 * the same numbers in each.  An executor's own choices may differ: the number of areas, the
 * offsets of a record's fields, the sharding of keys.
 *
 * A source has two streams.  Records are read by area (drain), and a firing's area is chosen by the
 * executor (RT(area)).  Requests need an answer from the tracer: code has arrived in a process, or
 * a stack has met a file whose table for unwinding is missing (struct arrival).  Stacks that meet
 * such a file are copied (struct stack_copy), and are a third stream: a copy is there before the
 * record, or the key, that has its number.
 */
#ifndef EXECUTOR_SOURCE_H
#define EXECUTOR_SOURCE_H

#include "abi/abi.h"
#include "base/base.h"

/* DATA neither changes nor moves before the function returns. */
typedef struct error *bytes_visit_fn(void *arg, const void *data, uint32_t size);
typedef struct error *element_visit_fn(void *arg, const void *key, const void *value);

struct source_reader {
	/*
	 * Visit the complete records of AREA, in the order of their arrival, and free their
	 * space.  Records that arrive meanwhile may be visited, too, but only a bounded number
	 * of them.
	 */
	struct error *(*drain)(void *self, unsigned area, bytes_visit_fn *visit, void *arg);
	/* The same for requests, each a struct arrival.  NULL: this executor makes no requests. */
	struct error *(*requests)(void *self, bytes_visit_fn *visit, void *arg);
	/* The same for copied stacks, each a struct stack_copy.  NULL: none are. */
	struct error *(*copies)(void *self, bytes_visit_fn *visit, void *arg);
	/* Visit the elements of the program's map MAP. */
	struct error *(*visit)(void *self, unsigned map, element_visit_fn *visit, void *arg);
	/* Update an existing element. */
	struct error *(*update)(void *self, unsigned map, const void *key, const void *value);
	struct error *(*remove)(void *self, unsigned map, const void *key);
	/* Wait until the firings under way have ended; *ALL is false if some do not end. */
	struct error *(*settle)(void *self, bool *all);
};

struct record_source {
	const struct program *program; /* outlives the consumer */
	const struct source_reader *reader;
	void *self;				 /* first argument of the reader's functions */
	struct control *control;		 /* of the shared state; the tracer needs it */
	const struct area_counters *counters;	 /* one for each area; the tracer needs them */
	const struct clause_drops *clause_drops; /* [areas][clauses]; NULL: not wanted */
	void *keyless;				 /* area 0's keyless aggregations */
	void *globals; /* the program's global variables; generations are among them */
	/* NULL: areas are CPUs.  Else the words for an area in messages about drops, "in
	 * area"; the area's number follows. */
	const char *area_words;
	/* The machine that the source is on; NULL: this one.  Its records have in header.seq whose
	 * they are. */
	const char *host;
};

/* Of records of several machines, header.seq. */
enum record_owner {
	OWNER_HOST,  /* the machine that left it */
	OWNER_ALL,   /* all of them: each has left the same record */
	OWNER_AGAIN, /* the machine; what the record does to aggregations was done before */
};

#endif
