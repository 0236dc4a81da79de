/* SPDX-License-Identifier: BSD-2-Clause */
#include "consumer/consumer.h"

#include "base/clock.h"
#include "consumer/internal.h"

static uint64_t clock_monotonic(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void pause_shortly(void)
{
	nanosleep(&(struct timespec) { .tv_nsec = 50000 }, NULL);
}

const struct consumer_reader consumer_kernel_reader = {
	.now = clock_monotonic,
	.drain = ring_consume,
	.visit = map_visit,
	.update = map_update,
	.remove = map_remove,
	.settle = programs_settle,
	.pause = pause_shortly,
};

/* --- life ----------------------------------------------------------------------------- */

static bool keys_may_reduce(const struct aggregation_layout *layout)
{
	if (layout->map < 0 || layout->shard_offset)
		return true;
	for (unsigned i = 0; i < layout->key_count; i++) {
		enum value_kind kind = layout->keys[i].kind;
		if (value_kind_is_probe_name(kind))
			return true;
		if (value_kind_is_symbol(kind) && kind != VALUE_UADDR)
			return true;
	}
	return false;
}

static void aggregations_init(struct consumer *c)
{
	const struct program *p = c->setup.program;
	c->aggregations = mem_zalloc(p->aggregation_count * sizeof(*c->aggregations));
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		struct aggregation_state *a = &c->aggregations[i];
		a->layout = &p->aggregations[i];
		a->word_count = a->layout->value_size / 8;
		a->parts = c->setup.per_cpu ? 1 + p->cpu_count : 1;
		a->normal = 1;
		a->reduces_keys = keys_may_reduce(a->layout);
	}
}

/* ACTION is of a program whose layouts were checked. */
static void note_forgetting(struct consumer *c, const struct action_layout *action)
{
	if (action->kind != ACTION_CLEAR && action->kind != ACTION_TRUNC)
		return;
	for (unsigned i = 0; i < action->aggregation_count; i++)
		c->aggregations[action->aggregations[i]].forgets = true;
}

static void aggregations_note_forgetting(struct consumer *c)
{
	const struct program *p = c->setup.program;
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++)
			note_forgetting(c, &p->clauses[i].actions[j]);
}

struct error *consumer_new(const struct consumer_setup *setup, struct consumer **ret)
{
	struct consumer *c = mem_zalloc(sizeof(*c));
	c->setup = *setup;
	c->reader = setup->reader ? setup->reader : &consumer_kernel_reader;
	c->arena = arena_new();
	c->order = order_new(setup->program->cpu_count);
	c->canonical = hash_new();
	c->flight_read = mem_alloc(setup->flight.count * sizeof(*c->flight_read));
	for (unsigned n = 0; n < setup->flight.count; n++)
		c->flight_read[n] = FLIGHT_NEVER;
	c->reported_clauses =
		mem_zalloc(setup->program->clause_count * sizeof(*c->reported_clauses) + 1);
	c->reported = mem_zalloc(setup->program->cpu_count * sizeof(*c->reported));
	aggregations_init(c);

	struct error *err = checks_new(c);
	if (err) {
		consumer_free(c);
		return err;
	}
	aggregations_note_forgetting(c);
	*ret = c;
	return NULL;
}

void consumer_free(struct consumer *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->setup.program->aggregation_count; i++) {
		snapshot_drop(&c->aggregations[i]);
		baseline_free(&c->aggregations[i]);
	}
	free(c->aggregations);
	free(c->reported_clauses);
	free(c->reported);
	hash_free(c->canonical);
	free(c->flight_read);
	order_free(c->order);
	arena_free(c->arena);
	free(c);
}

const struct program *consumer_program(const struct consumer *c)
{
	return c->setup.program;
}

const struct probe_names *consumer_probe(const struct consumer *c, uint32_t id)
{
	return c->setup.names.probe(c->setup.names.arg, id);
}

const char *probe_name_part(const struct probe_names *names, enum value_kind kind)
{
	switch (kind) {
	case VALUE_PROBE_PROVIDER:
		return names->provider;
	case VALUE_PROBE_MODULE:
		return names->module;
	case VALUE_PROBE_FUNCTION:
		return names->function;
	default:
		return names->name;
	}
}

/* --- rounds ---------------------------------------------------------------------------- */

struct round {
	struct consumer *c;
	unsigned cpu;
	record_visit_fn *visit;
	void *arg;
};

static struct error *visit_bytes(void *arg, unsigned cpu, const void *data, uint32_t size)
{
	struct round *round = arg;
	struct record r;
	if (group_is(data, size))
		return group_visit(round->c, data, size, round->visit, round->arg);
	record_read(round->c, data, size, (int)cpu, &r);
	return round->visit(round->arg, &r);
}

static struct error *visit_now(void *arg, const void *data, uint32_t size)
{
	struct round *round = arg;
	return visit_bytes(round, round->cpu, data, size);
}

static struct error *visit_later(void *arg, const void *data, uint32_t size)
{
	struct round *round = arg;
	const struct record_header *header = data;
	uint64_t time = size >= sizeof(*header) ? header->time : 0;
	order_add(round->c->order, round->cpu, time, data, size);
	return NULL;
}

static struct error *drain_all(struct round *round, ring_visit_fn *visit)
{
	struct consumer *c = round->c;
	for (unsigned n = 0; c->setup.flight.memory && n < c->setup.flight.count; n++) {
		round->cpu = n;
		struct error *err = flight_drain(c, n, visit, round);
		if (err)
			return err;
	}
	for (unsigned cpu = 0; cpu < c->setup.program->cpu_count; cpu++) {
		struct ring *ring = c->setup.rings ? c->setup.rings[cpu] : NULL;
		if (!ring)
			continue;
		uint64_t count = 0;
		round->cpu = cpu;
		struct error *err = c->reader->drain(ring, visit, round, &count);
		if (err)
			return err;
	}
	return NULL;
}

/* ALL: also what aggrate would keep. */
static void aggregations_expire(struct consumer *c, bool all)
{
	c->round++;
	for (unsigned i = 0; i < c->setup.program->aggregation_count; i++)
		if (all || !c->aggregation_rate)
			snapshot_drop(&c->aggregations[i]);
}

void consumer_set_aggregation_rate(struct consumer *c, uint64_t ns)
{
	c->aggregation_rate = ns;
}

static struct error *round_run(struct consumer *c, bool all, record_visit_fn *visit, void *arg)
{
	struct round round = { .c = c, .visit = visit, .arg = arg };
	aggregations_expire(c, all);
	if (!c->setup.temporal)
		return drain_all(&round, visit_now);

	uint64_t watermark = all ? UINT64_MAX : c->round_began;
	c->round_began = c->reader->now();
	struct error *err = drain_all(&round, visit_later);
	if (err)
		return err;
	return order_visit(c->order, watermark, visit_bytes, &round);
}

struct error *consumer_poll(struct consumer *c, record_visit_fn *visit, void *arg)
{
	return round_run(c, false, visit, arg);
}

struct error *consumer_flush(struct consumer *c, record_visit_fn *visit, void *arg)
{
	return round_run(c, true, visit, arg);
}

size_t consumer_waiting(const struct consumer *c)
{
	return order_count(c->order);
}
