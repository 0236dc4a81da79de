/* SPDX-License-Identifier: BSD-2-Clause */
#include "consumer/consumer.h"

#include "base/clock.h"
#include "consumer/internal.h"

static uint64_t clock_monotonic(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* --- life ----------------------------------------------------------------------------- */

static bool keys_may_reduce(const struct aggregation_layout *layout)
{
	if (layout->map < 0 || layout->shard_offset)
		return true;
	for (unsigned i = 0; i < layout->key_count; i++) {
		enum value_kind kind = layout->keys[i].kind;
		if (value_kind_is_probe_name(kind) || value_kind_is_symbol(kind) ||
		    kind == VALUE_USTACK ||
		    (layout->keys[i].type && layout->keys[i].size == sizeof(int64_t)))
			return true;
	}
	return false;
}

static void shares_init(struct consumer *c, unsigned number, struct aggregation_state *a)
{
	struct key_layout shown = key_layout_of(a->layout);
	a->shares = mem_zalloc(c->setup.source_count * sizeof(*a->shares));
	for (unsigned i = 0; i < c->setup.source_count; i++) {
		const struct input *input = &c->inputs[i];
		const struct aggregation_layout *own = &input->source.program->aggregations[number];
		struct key_layout keys = key_layout_of(own);
		a->shares[i] = (struct aggregation_share) {
			.input = input,
			.layout = own,
			.has_own_keys = own->key_id != a->layout->key_id ||
					own->shard_offset != a->layout->shard_offset ||
					!key_layouts_agree(&keys, &shown),
		};
	}
}

static void aggregations_init(struct consumer *c)
{
	const struct program *p = c->program;
	c->aggregations = mem_zalloc(p->aggregation_count * sizeof(*c->aggregations));
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		struct aggregation_state *a = &c->aggregations[i];
		a->layout = &p->aggregations[i];
		a->word_count = a->layout->value_size / 8;
		a->parts = c->setup.per_cpu ? 1 + c->setup.cpu_count : 1;
		a->normal = 1;
		a->reduces_keys = c->setup.source_count > 1 || keys_may_reduce(a->layout);
		shares_init(c, i, a);
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
	const struct program *p = c->program;
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++)
			note_forgetting(c, &p->clauses[i].actions[j]);
}

static void inputs_init(struct consumer *c)
{
	c->inputs = mem_zalloc(c->setup.source_count * sizeof(*c->inputs));
	for (unsigned i = 0; i < c->setup.source_count; i++) {
		struct input *input = &c->inputs[i];
		*input = (struct input) { .source = c->setup.sources[i], .number = i };
		input->reported = mem_zalloc(areas_of(input) * sizeof(*input->reported));
		c->lane_count += areas_of(input);
	}
	c->lanes = mem_alloc(c->lane_count * sizeof(*c->lanes));
	struct lane *lane = c->lanes;
	for (unsigned i = 0; i < c->setup.source_count; i++)
		for (unsigned area = 0; area < areas_of(&c->inputs[i]); area++)
			*lane++ = (struct lane) { &c->inputs[i], area };
}

static struct error *layouts_check(struct consumer *c)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < c->setup.source_count && !err; i++)
		err = checks_new(c, &c->inputs[i]);
	return err ? err : inputs_check(c);
}

struct error *consumer_new(const struct consumer_setup *setup, struct consumer **ret)
{
	struct consumer *c = mem_zalloc(sizeof(*c));
	c->setup = *setup;
	c->program = setup->sources[0].program;
	if (!c->setup.now)
		c->setup.now = clock_monotonic;
	c->arena = arena_new();
	inputs_init(c);
	c->order = order_new(c->lane_count);
	c->reported_clauses =
		mem_zalloc(c->program->clause_count * sizeof(*c->reported_clauses) + 1);

	struct error *err = layouts_check(c);
	if (err) {
		consumer_free(c);
		return err;
	}
	aggregations_init(c);
	aggregations_note_forgetting(c);
	*ret = c;
	return NULL;
}

static void aggregations_deinit(struct consumer *c)
{
	for (unsigned i = 0; c->aggregations && i < c->program->aggregation_count; i++) {
		struct aggregation_state *a = &c->aggregations[i];
		snapshot_drop(a);
		for (unsigned k = 0; k < c->setup.source_count; k++)
			baseline_free(&a->shares[k]);
		free(a->shares);
	}
	free(c->aggregations);
}

void consumer_free(struct consumer *c)
{
	if (!c)
		return;
	aggregations_deinit(c);
	for (unsigned i = 0; i < c->setup.source_count; i++)
		free(c->inputs[i].reported);
	free(c->inputs);
	free(c->lanes);
	free(c->reported_clauses);
	shown_deinit(c);
	order_free(c->order);
	arena_free(c->arena);
	free(c);
}

const struct program *consumer_program(const struct consumer *c)
{
	return c->program;
}

const struct program *consumer_source_program(const struct consumer *c, unsigned source)
{
	return source < c->setup.source_count ? c->inputs[source].source.program : NULL;
}

uint32_t consumer_cpu_count(const struct consumer *c)
{
	return c->setup.cpu_count;
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
		return names->written ? names->written : names->function;
	default:
		return names->name;
	}
}

/* --- rounds ---------------------------------------------------------------------------- */

struct round {
	struct consumer *c;
	unsigned lane;
	record_visit_fn *visit;
	void *arg;
};

static struct error *visit_bytes(void *arg, unsigned lane, const void *data, uint32_t size)
{
	struct round *round = arg;
	const struct lane *from = &round->c->lanes[lane];
	struct record r;
	if (group_is(data, size))
		return group_visit(round->c, from, data, size, round->visit, round->arg);
	record_check(round->c, from, data, size, &r);
	return round->visit(round->arg, &r);
}

static struct error *visit_now(void *arg, const void *data, uint32_t size)
{
	struct round *round = arg;
	return visit_bytes(round, round->lane, data, size);
}

static struct error *visit_later(void *arg, const void *data, uint32_t size)
{
	struct round *round = arg;
	const struct record_header *header = data;
	uint64_t time = size >= sizeof(*header) ? header->time : 0;
	order_add(round->c->order, round->lane, time, data, size);
	return NULL;
}

static struct error *drain_all(struct round *round, bytes_visit_fn *visit)
{
	struct error *err = NULL;
	for (round->lane = 0; round->lane < round->c->lane_count && !err; round->lane++) {
		const struct lane *lane = &round->c->lanes[round->lane];
		const struct record_source *s = &lane->input->source;
		err = s->reader->drain(s->self, lane->area, visit, round);
	}
	return err;
}

/* ALL: also what aggrate would keep. */
static void aggregations_expire(struct consumer *c, bool all)
{
	c->round++;
	for (unsigned i = 0; i < c->program->aggregation_count; i++)
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
	c->round_began = c->setup.now();
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

struct error *consumer_collect(struct consumer *c)
{
	struct round round = { .c = c };
	c->round_began = c->setup.now();
	return drain_all(&round, visit_later);
}

struct error *consumer_visit_collected(struct consumer *c, record_visit_fn *visit, void *arg)
{
	struct round round = { .c = c, .visit = visit, .arg = arg };
	aggregations_expire(c, true);
	return order_visit(c->order, UINT64_MAX, visit_bytes, &round);
}

size_t consumer_waiting(const struct consumer *c)
{
	return order_count(c->order);
}
