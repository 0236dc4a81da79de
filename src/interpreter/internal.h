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
	struct native native; /* with the memory; `native` while a clause runs */
	char *globals, *keyless;
	struct elements *maps;
	uint64_t context[64];
	uint32_t cookie;
	VECTOR(struct tick) ticks;
	int timer; /* -1: no ticks */
	struct native_task *ancestors;
	struct flight_memory flight;
	VECTOR(void *) blocks; /* to free */
};

/* memory.c */
MUST_CHECK struct error *memory_init(struct interpreter *i, const struct executor_options *options);
void memory_deinit(struct interpreter *i);
bool memory_refer(void *interpreter, const struct relocation *r, uint64_t *ret);
/* reader.c */
MUST_CHECK struct error *interpreter_source(void *self, struct record_source *ret);

#endif
