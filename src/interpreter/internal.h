/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of interpreter/; see interpreter.h */
#ifndef INTERPRETER_INTERNAL_H
#define INTERPRETER_INTERNAL_H

#include "executor/flight.h"
#include "interpreter/interpreter.h"
#include "interpreter/machine.h"
#include "interpreter/native.h"

/* --- elements.c: a map --- */
struct element {
	struct element *next; /* in its bucket; or free */
	char *key, *value;
};

struct elements {
	const struct map_layout *layout;
	struct machine *machine; /* which may touch values */
	struct element **buckets;
	uint32_t bucket_count, count;
	struct element *free;
	VECTOR(void *) chunks;
};
void elements_init(struct elements *e, const struct map_layout *layout, struct machine *machine);
void elements_deinit(struct elements *e);
char *elements_find(const struct elements *e, const void *key); /* its value, or NULL */
/* Make or change it; false: the map is full. */
bool elements_put(struct elements *e, const void *key, const void *value);
bool elements_remove(struct elements *e, const void *key); /* false: there was none */
MUST_CHECK struct error *elements_each(const struct elements *e, element_visit_fn *visit,
				       void *arg);

/* --- a tick --- */
struct tick {
	unsigned group;
	uint32_t index;
	uint64_t period, due;
};

struct interpreter {
	const struct program *program;
	struct machine machine;
	struct native native; /* `native` while a clause runs */
	uint64_t context[64];
	uint32_t cookie;
	VECTOR(struct tick) ticks;
	int timer; /* -1: no ticks */
	struct native_task *ancestors;
	struct own_memory *own; /* NULL: the memory is another executor's */
};

/* --- memory.c: the memory that the executor makes itself --- */
struct ring {
	char *bytes; /* NULL: not used yet */
	uint64_t used;
};

struct own_memory {
	const struct program *program;
	struct elements *maps;
	struct ring *rings; /* by area: a u64 size before each record, which begins at a multiple
			     * of 8 */
	uint64_t ring_size;
	struct flight_memory flight;
	VECTOR(void *) blocks; /* to free */
};
/* RET is valid until own_memory_free().  MACHINE gets the values of maps. */
MUST_CHECK struct error *own_memory_make(struct own_memory *own, const struct program *p,
					 const struct executor_options *options,
					 struct machine *machine, struct interpreter_memory *ret);
void own_memory_free(struct own_memory *own);

/* refer.c */
/* What the library reads of this process; *ANCESTORS is to free. */
void describe_process(struct native_task *task, struct native_task **ancestors,
		      struct machine *machine);
bool interpreter_refer(void *interpreter, const struct relocation *r, uint64_t *ret);
/* reader.c */
MUST_CHECK struct error *interpreter_source(void *self, struct record_source *ret);

#endif
