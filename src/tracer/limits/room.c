/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room - sizes that fit into the memory that the control groups of this process leave
 *
 * In:   the program and the sizes of the options, and the group that leaves least (limits.h).
 * Out:  the same, with sizes so that all, filled to the end, takes three quarters of it: the rest
 * is for names, output, and a -c process, which is in the same groups.
 *
 * A kernel that has no memory for a key says so, and the key is a drop; but our own process, which
 * takes as much again to sort and print the keys, would be killed, and nothing be printed.  So the
 * size that takes most memory is lowered, again and again: to three quarters, or, where sizes are
 * powers of two, to a half.
 */
#include "tracer/limits/limits.h"
#include "tracer/option/option_value.h"

#define OURS(left) ((left) - (left) / 4)

#define RINGS_MOST 16	/* as the loader makes */
#define RECORDS_TWICE 2 /* in the buffers, and in the queues in which they are sorted */
#define ALLOCATOR 8	/* the kernel's bytes for each object that it charges to a group */
#define BUCKET 16	/* of a hash table of the kernel */

static uint64_t power_of_two(uint64_t at_least)
{
	uint64_t size = 1;
	while (size < at_least)
		size *= 2;
	return size;
}

/* --- what is needed --------------------------------------------------------------------------- */

/* An element in the kernel: its allocator has objects of 96, 192 and powers of two bytes. */
static uint64_t element_size(const struct map_layout *m)
{
	uint64_t size = ALIGN_UP(m->key_size, 8) + ALIGN_UP(m->value_size, 8) + MAP_ELEMENT;
	if (m->is_preallocated)
		return size;
	uint64_t rounded = power_of_two(size);
	if (rounded <= 256 && size <= rounded / 4 * 3)
		rounded = rounded / 4 * 3;
	return rounded + ALLOCATOR;
}

static bool forgets(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++)
			any |= p->clauses[i].actions[j].kind == ACTION_CLEAR ||
			       p->clauses[i].actions[j].kind == ACTION_TRUNC;
	return any;
}

/* An element of an aggregation in our own memory, while it is printed. */
static uint64_t row_size(const struct tracer *t, const struct map_layout *m)
{
	uint64_t values = option_number(t->options, OPTION_aggpercpu) ? 1 + m->shards : 1;
	uint64_t size = m->key_size + values * m->value_size + CONSUMER_ROW;
	return forgets(&t->program) ? 2 * size : size;
}

static uint64_t tables_size(const struct tracer *t, enum map_kind kind)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < t->program.map_count; i++) {
		const struct map_layout *m = &t->program.maps[i];
		uint64_t each = element_size(m);
		if (m->kind != kind)
			continue;
		if (kind == MAP_AGGREGATION)
			each += row_size(t, m);
		sum += m->max_entries * each + power_of_two(m->max_entries) * BUCKET;
	}
	return sum;
}

static uint64_t buffers_size(const struct tracer *t, uint64_t each)
{
	unsigned cpus;
	kernel_cpus_online(&cpus);
	return power_of_two(each) * MIN(MAX(cpus, 1u), RINGS_MOST) * RECORDS_TWICE;
}

/* --- what is given ---------------------------------------------------------------------------- */

struct need {
	enum option id;
	const char *what; /* in messages */
	bool is_halved;
	uint64_t asked, least; /* sizes, as the option counts */
	uint64_t bytes;	       /* of memory, in proportion to the size */
	uint64_t size;	       /* what is given */
};

enum {
	NEED_BUFFERS,
	NEED_AGGREGATIONS,
	NEED_VARIABLES,
	NEED_TABLES, /* of unwinding */
	NEED_COPIES, /* of stacks */
	NEED_COUNT
};

static void needs_find(const struct tracer *t, const struct executor_options *o, struct need *ret)
{
	const struct program *p = &t->program;
	uint64_t buffer = MIN(o->buffer_size, p->records_at_most);
	uint64_t record = MAX(p->largest_record, p->end_records) + 64;
	bool unwinds = o->unwind_pool;
	uint64_t arrays = tables_size(t, MAP_ARRAY_VARIABLE);
	const struct need needs[NEED_COUNT] = {
		[NEED_BUFFERS] = { OPTION_bufsize, "buffer", true, buffer, MAX(record, 4096),
				   buffers_size(t, buffer) },
		[NEED_AGGREGATIONS] = { OPTION_aggsize, "aggregation", false,
					option_number(t->options, OPTION_aggsize), 1024,
					tables_size(t, MAP_AGGREGATION) },
		[NEED_VARIABLES] = { OPTION_dynvarsize, "dynamic variable", false, o->dynamic_size,
				     1024, arrays + (p->self_size ? o->dynamic_size : 0) },
		[NEED_TABLES] = { OPTION_ustackpool, "unwind table", true, o->unwind_pool, 1u << 16,
				  o->unwind_pool },
		[NEED_COPIES] = { OPTION_ustackcopy, "stack copy", true, o->stack_copies, 1u << 16,
				  unwinds ? o->stack_copies : 0 },
	};
	for (int i = 0; i < NEED_COUNT; i++) {
		ret[i] = needs[i];
		ret[i].size = ret[i].asked;
	}
}

static uint64_t needs_sum(const struct need *needs)
{
	uint64_t sum = 0;
	for (int i = 0; i < NEED_COUNT; i++)
		sum += needs[i].bytes;
	return sum;
}

/* In whole kilobytes: the size is printed. */
static uint64_t next_lower(const struct need *n)
{
	return n->is_halved ? n->size / 2 : n->size / 4 * 3 & ~1023ull;
}

static bool is_lowered(const struct need *n)
{
	return n->size < n->asked;
}

/* The one that takes most, of those that can be lowered; NULL: all are as small as can be. */
static struct need *needs_largest(struct need *needs)
{
	struct need *largest = NULL;
	for (int i = 0; i < NEED_COUNT; i++)
		if (needs[i].bytes && next_lower(&needs[i]) >= needs[i].least &&
		    (!largest || needs[i].bytes > largest->bytes))
			largest = &needs[i];
	return largest;
}

static void needs_lower(struct need *needs, uint64_t room)
{
	struct need *n;
	while (needs_sum(needs) > room && (n = needs_largest(needs))) {
		double part = (double)next_lower(n) / (double)n->size;
		n->bytes = (uint64_t)((double)n->bytes * part);
		n->size = next_lower(n);
	}
}

static uint32_t entries_given(const struct map_layout *m, const struct need *n)
{
	double part = (double)n->size / (double)n->asked;
	uint32_t keys = (uint32_t)(m->max_entries / m->shards * part);
	return is_lowered(n) ? MAX(keys, 1u) * m->shards : m->max_entries;
}

static void give(struct tracer *t, const struct need *needs, struct executor_options *o)
{
	struct program *p = &t->program;
	struct map_layout *maps = arena_alloc(t->arena, (p->map_count + 1) * sizeof(*maps));
	for (unsigned i = 0; i < p->map_count; i++) {
		maps[i] = p->maps[i];
		bool aggregation = maps[i].kind == MAP_AGGREGATION;
		maps[i].max_entries = entries_given(
			&p->maps[i], &needs[aggregation ? NEED_AGGREGATIONS : NEED_VARIABLES]);
	}
	p->maps = maps;
	if (is_lowered(&needs[NEED_BUFFERS]))
		o->buffer_size = needs[NEED_BUFFERS].size;
	o->dynamic_size = needs[NEED_VARIABLES].size;
	o->unwind_pool = needs[NEED_TABLES].size;
	o->stack_copies = needs[NEED_COPIES].size;
}

/* --- what is said ----------------------------------------------------------------------------- */

static char *size_text(uint64_t size)
{
	struct strbuf text = { 0 };
	option_value_print(SIZE, size, &text);
	return strbuf_take(&text);
}

/* In whole megabytes, or kilobytes. */
static char *group_text(const struct memory_group *g)
{
	unsigned shift = g->left >= 10u << 20 ? 20 : 10;
	auto_free char *left = size_text(g->left >> shift << shift);
	auto_free char *limit = size_text(g->limit);
	return mem_printf("control group %s has %s of its %s of memory left", g->path, left, limit);
}

static struct error *needs_refuse(const struct need *needs, const struct memory_group *g)
{
	const struct need *most = needs;
	for (int i = 1; i < NEED_COUNT; i++)
		if (needs[i].bytes > most->bytes)
			most = &needs[i];
	auto_free char *group = group_text(g), *size = size_text(most->size);
	return error_new("%s of %s is too large: %s (bufresize=auto lowers it)",
			 option_name(most->id), size, group);
}

static void needs_report(const struct tracer *t, const struct need *needs,
			 const struct memory_group *g)
{
	auto_free char *group = group_text(g);
	for (int i = 0; i < NEED_COUNT; i++) {
		auto_free char *size = size_text(needs[i].size);
		if (is_lowered(&needs[i]))
			tracer_notice(t, "%s size lowered to %s (-x %s): %s", needs[i].what, size,
				      option_name(needs[i].id), group);
	}
}

static struct error *fit(struct tracer *t, struct executor_options *o, const struct memory_group *g)
{
	struct need needs[NEED_COUNT];
	needs_find(t, o, needs);
	if (needs_sum(needs) <= OURS(g->left))
		return NULL;
	if (!o->halve)
		return needs_refuse(needs, g);
	needs_lower(needs, OURS(g->left));
	give(t, needs, o);
	if (!t->limits->lowered_reported)
		needs_report(t, needs, g);
	t->limits->lowered_reported = true;
	return NULL;
}

struct error *limits_fit_memory(struct tracer *t, struct executor_options *o)
{
	struct memory_group g;
	if (!memory_group_find(&g))
		return NULL;
	struct error *err = fit(t, o, &g);
	free(g.path);
	return err;
}
