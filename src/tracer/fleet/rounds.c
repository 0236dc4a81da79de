/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of BEGIN, END and tick clauses: once for all hosts (fleet.h) */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracer/fleet/internal.h"

#define OPEN_MOST 1000	      /* rounds at a time */
#define APART_NS 100000000ull /* a tick of two hosts is not as far apart */

/* What a host has left in a round: records, each after its size. */
struct part {
	struct host *host;
	struct strbuf records;
};

/* The firings of a clause with one number, on all hosts. */
struct round {
	uint32_t clause;
	uint64_t number, opened;
	uint64_t time; /* of its first record */
	VECTOR(struct part) parts;
};

struct rounds {
	struct host *hosts;
	size_t count;
	uint64_t slack;
	unsigned clause_count;
	bool *is_periodic;	   /* by clause */
	uint64_t *passed;	   /* by clause: rounds with lower numbers are over */
	VECTOR(struct round) open; /* in the order in which they began */
};

/* --- which clauses have rounds ---------------------------------------------------------------- */

static bool is_periodic(const struct group_code *g)
{
	return event_is_own(g->kind) || (g->event_count && event_is_tick(&g->events[0]));
}

static void clauses_find(struct rounds *r, const struct program *p)
{
	r->clause_count = p->clause_count;
	r->is_periodic = mem_zalloc(p->clause_count + 1);
	r->passed = mem_zalloc((p->clause_count + 1) * sizeof(*r->passed));
	for (unsigned i = 0; i < p->group_count; i++) {
		const struct group_code *g = &p->groups[i];
		for (uint32_t k = 0; is_periodic(g) && k < g->line_count; k++)
			if (g->lines[k].clause < p->clause_count)
				r->is_periodic[g->lines[k].clause] = true;
	}
}

struct rounds *rounds_new(struct host *hosts, size_t count, uint64_t slack_ns)
{
	struct rounds *r = mem_zalloc(sizeof(*r));
	*r = (struct rounds) { .hosts = hosts, .count = count, .slack = slack_ns };
	for (size_t i = 0; i < count && !r->is_periodic; i++)
		if (hosts[i].state == HOST_READY)
			clauses_find(r, remote_program(hosts[i].remote));
	for (size_t i = 0; i < count; i++) {
		hosts[i].fired = mem_zalloc((r->clause_count + 1) * sizeof(uint64_t));
		hosts[i].fired_at = mem_zalloc((r->clause_count + 1) * sizeof(uint64_t));
	}
	return r;
}

static void round_deinit(struct round *round)
{
	for (size_t i = 0; i < round->parts.count; i++)
		strbuf_deinit(&round->parts.items[i].records);
	vector_free(&round->parts);
}

void rounds_free(struct rounds *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->open.count; i++)
		round_deinit(&r->open.items[i]);
	vector_free(&r->open);
	free(r->is_periodic);
	free(r->passed);
	free(r);
}

/* --- records ---------------------------------------------------------------------------------- */

static struct round *round_of(struct rounds *r, uint32_t clause, uint64_t number, uint64_t time)
{
	for (size_t i = 0; i < r->open.count; i++)
		if (r->open.items[i].clause == clause && r->open.items[i].number == number)
			return &r->open.items[i];
	vector_push(&r->open, ((struct round) { .clause = clause,
						.number = number,
						.time = time,
						.opened = clock_ns(CLOCK_MONOTONIC) }));
	return &r->open.items[r->open.count - 1];
}

/* Parts are in the order of hosts. */
static struct part *part_of(struct round *round, struct host *h)
{
	size_t i = 0;
	while (i < round->parts.count && round->parts.items[i].host < h)
		i++;
	if (i < round->parts.count && round->parts.items[i].host == h)
		return &round->parts.items[i];
	vector_push(&round->parts, ((struct part) { .host = h }));
	struct part *items = round->parts.items;
	memmove(&items[i + 1], &items[i], (round->parts.count - 1 - i) * sizeof(*items));
	items[i] = (struct part) { .host = h };
	return &items[i];
}

static void report_late(struct host *h)
{
	if (!h->is_late)
		message_loss("%s is late: what it fires in a tick, END or BEGIN is shown as its "
			     "own, after the others'",
			     h->name);
	h->is_late = true;
}

/* Records of one time are of one firing. */
static uint64_t host_firing(struct host *h, const struct record_header *header)
{
	uint32_t clause = header->clause;
	if (!h->fired[clause] || h->fired_at[clause] != header->time)
		h->fired[clause]++;
	h->fired_at[clause] = header->time;
	return h->fired[clause] - 1;
}

/* --- the end of a round ----------------------------------------------------------------------- */

/* The next record of B, of *SIZE bytes; NULL: there are no more. */
static const void *next_record(struct bytes *b, uint32_t *size)
{
	*size = bytes_left(b) ? bytes_u32(b) : 0;
	return *size ? bytes_take(b, *size) : NULL;
}

static struct bytes records_of(const struct part *p)
{
	return bytes_of(strbuf_text(&p->records), p->records.len);
}

/* Literals are no bytes of a record, and D's host is one. */
static bool literals_are_equal(const struct clause_layout *a, const struct clause_layout *b)
{
	for (unsigned i = 0; i < a->action_count; i++)
		for (unsigned k = 0; k < a->actions[i].field_count; k++) {
			const struct value_field *x = &a->actions[i].fields[k];
			const struct value_field *y = &b->actions[i].fields[k];
			if (x->kind != y->kind ||
			    (x->kind == VALUE_STRING_CONST && !string_equal(x->text, y->text)))
				return false;
		}
	return true;
}

static const struct clause_layout *part_clause(const struct part *p, uint32_t clause)
{
	return &remote_program(p->host->remote)->clauses[clause];
}

/* Times, CPUs, probes and threads are each machine's own; X and Y have SIZE bytes. */
static bool records_are_equal(const char *x, const char *y, uint32_t size, uint32_t thread)
{
	uint32_t begin = sizeof(struct record_header);
	uint32_t after = thread ? thread + (uint32_t)sizeof(struct record_thread) : begin;
	if (after > size)
		return false;
	return (!thread || memcmp(x + begin, y + begin, thread - begin) == 0) &&
	       memcmp(x + after, y + after, size - after) == 0;
}

static bool parts_are_equal(const struct part *a, const struct part *b, uint32_t clause)
{
	struct bytes x = records_of(a), y = records_of(b);
	uint32_t x_size, y_size;
	uint32_t thread = part_clause(a, clause)->thread;
	if (a->records.len != b->records.len ||
	    part_clause(a, clause)->thread != part_clause(b, clause)->thread ||
	    !literals_are_equal(part_clause(a, clause), part_clause(b, clause)))
		return false;
	for (;;) {
		const char *one = next_record(&x, &x_size), *other = next_record(&y, &y_size);
		if (!one || !other)
			return one == other;
		if (x_size != y_size || !records_are_equal(one, other, x_size, thread))
			return false;
	}
}

static void part_queue(const struct part *p, enum record_owner owner)
{
	struct bytes b = records_of(p);
	uint32_t size;
	for (const void *record; (record = next_record(&b, &size));)
		remote_queue(p->host->remote, record, size, owner);
}

static bool all_took_part(const struct rounds *r, const struct round *round)
{
	size_t count = 0;
	for (size_t i = 0; i < r->count; i++)
		count += r->hosts[i].state == HOST_TRACING || r->hosts[i].state == HOST_ANSWERED;
	return round->parts.count >= count;
}

/* The first part is shown, and acts; others are shown where they differ. */
static void round_pass(const struct rounds *r, const struct round *round)
{
	const struct part *first = &round->parts.items[0];
	bool all_equal = all_took_part(r, round);
	for (size_t i = 1; i < round->parts.count; i++)
		all_equal &= parts_are_equal(first, &round->parts.items[i], round->clause);
	part_queue(first, all_equal ? OWNER_ALL : OWNER_HOST);
	for (size_t i = 1; i < round->parts.count && !all_equal; i++)
		part_queue(&round->parts.items[i], OWNER_AGAIN);
}

static bool has_part(const struct round *round, const struct host *h)
{
	for (size_t i = 0; i < round->parts.count; i++)
		if (round->parts.items[i].host == h)
			return true;
	return false;
}

/* A host sends records in the order of time: after a later one it has not fired the clause. */
static bool may_come(const struct round *round, const struct host *h)
{
	return h->state == HOST_TRACING && !has_part(round, h) &&
	       h->latest < round->time + APART_NS;
}

static bool is_complete(const struct rounds *r, const struct round *round)
{
	for (size_t i = 0; i < r->count; i++)
		if (may_come(round, &r->hosts[i]))
			return false;
	return true;
}

/* The first open round. */
static void round_over(struct rounds *r)
{
	struct round round = r->open.items[0];
	r->passed[round.clause] = MAX(r->passed[round.clause], round.number + 1);
	for (size_t i = 0; i < round.parts.count; i++)
		round.parts.items[i].host->waiting -= round.parts.items[i].records.len;
	round_pass(r, &round);
	round_deinit(&round);
	memmove(r->open.items, r->open.items + 1, --r->open.count * sizeof(round));
}

/* In their order: what a later one does to an aggregation comes after an earlier one. */
void rounds_pass(struct rounds *r, bool all)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	while (r->open.count) {
		const struct round *first = &r->open.items[0];
		if (!all && !is_complete(r, first) && now - first->opened < r->slack)
			break;
		round_over(r);
	}
}

void rounds_take(struct rounds *r, struct host *h, const void *record, uint32_t size)
{
	struct record_header header;
	memcpy(&header, record, sizeof(header));
	h->latest = MAX(h->latest, header.time);
	if (header.kind != RECORD_DATA || header.clause >= r->clause_count ||
	    !r->is_periodic[header.clause]) {
		remote_queue(h->remote, record, size, OWNER_HOST);
		return;
	}
	uint64_t number = host_firing(h, &header);
	if (number < r->passed[header.clause]) {
		report_late(h);
		remote_queue(h->remote, record, size, OWNER_AGAIN);
		return;
	}
	struct strbuf *records =
		&part_of(round_of(r, header.clause, number, header.time), h)->records;
	frame_put_u32(records, size);
	strbuf_add(records, record, size);
	h->waiting += sizeof(size) + size;
	if (r->open.count > OPEN_MOST)
		round_over(r);
}
