/* SPDX-License-Identifier: BSD-2-Clause */
/* reader - the loaded program as a source of the consumer (executor/source.h) */
#include <time.h>

#include "loader/internal.h"

static struct error *loaded_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct loaded *l = self;
	uint64_t count = 0;
	if (area < l->flight_memory.count) {
		struct error *err = flight_drain(&l->flight_memory, area, visit, arg);
		if (err)
			return err;
	}
	return l->opened[area] ? ring_consume(l->opened[area], visit, arg, &count) : NULL;
}

static struct error *loaded_requests(void *self, bytes_visit_fn *visit, void *arg)
{
	struct loaded *l = self;
	uint64_t count = 0;
	return l->arrivals_opened ? ring_consume(l->arrivals_opened, visit, arg, &count) : NULL;
}

static struct error *loaded_copies(void *self, bytes_visit_fn *visit, void *arg)
{
	struct loaded *l = self;
	uint64_t count = 0;
	return l->copies_opened ? ring_consume(l->copies_opened, visit, arg, &count) : NULL;
}

static struct error *loaded_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	const struct loaded *l = self;
	const struct map_layout *layout = &l->program->maps[map];
	return map_visit(l->maps[map], layout->key_size, layout->value_size, layout->max_entries,
			 visit, arg);
}

static struct error *loaded_update(void *self, unsigned map, const void *key, const void *value)
{
	const struct loaded *l = self;
	return map_update(l->maps[map], key, value, BPF_EXIST);
}

static struct error *loaded_remove(void *self, unsigned map, const void *key)
{
	const struct loaded *l = self;
	return map_remove(l->maps[map], key);
}

#define LOOKS_MOST 20 /* at a CPU, in a row */

static bool is_seen_idle(const struct area_counters *cpu, void (*pause)(void))
{
	for (int looks = 0; looks < LOOKS_MOST; looks++) {
		if (!__atomic_load_n(&cpu->running, __ATOMIC_SEQ_CST))
			return true;
		pause();
	}
	return false;
}

bool sleepers_ended(const struct area_counters *counters, unsigned count, void (*pause)(void))
{
	for (unsigned cpu = 0; cpu < count; cpu++)
		if (!is_seen_idle(&counters[cpu], pause))
			return false;
	return true;
}

/* For about as long as a firing takes that brings no page in. */
static void pause_shortly(void)
{
	nanosleep(&(struct timespec) { .tv_nsec = 50000 }, NULL);
}

static struct error *loaded_settle(void *self, bool *all)
{
	const struct loaded *l = self;
	struct error *err = programs_settle();
	*all = !err && sleepers_ended(l->counters, l->program->area_count, pause_shortly);
	return err;
}

static const struct source_reader reader = {
	.drain = loaded_drain,
	.requests = loaded_requests,
	.copies = loaded_copies,
	.visit = loaded_visit,
	.update = loaded_update,
	.remove = loaded_remove,
	.settle = loaded_settle,
};

static struct error *open_rings(struct loaded *l)
{
	struct error *err = NULL;
	l->opened = mem_zalloc(l->program->area_count * sizeof(*l->opened));
	for (unsigned i = 0; i < l->program->area_count && !err; i++)
		if (l->rings[i] >= 0)
			err = ring_open(l->rings[i], l->ring_size, &l->opened[i]);
	if (!err && l->library[LIBRARY_arrivals] >= 0)
		err = ring_open(l->library[LIBRARY_arrivals], ARRIVALS_SIZE, &l->arrivals_opened);
	if (!err && l->library[LIBRARY_stack_copies] >= 0)
		err = ring_open(l->library[LIBRARY_stack_copies], l->copies_size,
				&l->copies_opened);
	return err;
}

struct error *loader_source(void *self, struct record_source *ret)
{
	struct loaded *l = &((struct kernel_run *)self)->loaded;
	struct error *err = open_rings(l);
	if (err)
		return err;
	if (l->flight)
		l->flight_memory = (struct flight_memory) { .memory = l->flight,
							    .count = l->flight_count,
							    .stride = l->flight_stride,
							    .size = l->ring_size };
	flight_init(&l->flight_memory);
	*ret = (struct record_source) {
		.program = l->program,
		.reader = &reader,
		.self = l,
		.control = l->control,
		.counters = l->counters,
		.clause_drops = l->clause_drops,
		.keyless = l->keyless,
		.globals = l->globals,
	};
	return NULL;
}

void loaded_reader_deinit(struct loaded *l)
{
	for (unsigned i = 0; l->opened && i < l->program->area_count; i++)
		ring_close(l->opened[i]);
	free(l->opened);
	ring_close(l->arrivals_opened);
	ring_close(l->copies_opened);
	flight_deinit(&l->flight_memory);
}

bool loader_is_above_mark(const void *self)
{
	const struct loaded *l = &((const struct kernel_run *)self)->loaded;
	uint64_t mark = l->control->wake_bytes;
	for (unsigned i = 0; i < l->program->area_count; i++)
		if (l->opened[i] && ring_waiting(l->opened[i]) >= mark)
			return true;
	return false;
}
