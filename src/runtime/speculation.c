/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Speculations (abi/state.h has the states)
 *
 * The firings do everything themselves: a discarded speculation costs no more than a copy within
 * the CPU, and the consumer never sees it.  speculate() and its end cost two atomic additions
 * each, on memory that only the users of this id access.
 */
#include "runtime/clause_drop.h"
#include "runtime/output.h"

static always_inline struct speculation *speculation_of(uint64_t id)
{
	uint64_t n = id - 1;
	OPAQUE(n);
	if (n >= NUMBER(rt_speculation_count))
		return 0;
	OPAQUE(n);
	return (struct speculation *)(rt_speculations + n * NUMBER(rt_speculation_stride));
}

static always_inline uint32_t state_of(const struct speculation *s)
{
	return *(const volatile uint32_t *)&s->state;
}

/* The speculation ID; 0: it was never given out. */
static always_inline struct speculation *given_out(uint64_t id)
{
	struct speculation *s = speculation_of(id);
	return s && state_of(s) != SPECULATION_NEW ? s : 0;
}

/* Was it FROM?  Then it is TO now. */
static always_inline int change(struct speculation *s, enum speculation_state from,
				enum speculation_state to)
{
	return __sync_val_compare_and_swap(&s->state, from, to) == from;
}

/* --- ids ------------------------------------------------------------------------------------ */

struct search {
	uint64_t found, busy;
};

static long speculation_claim(uint32_t i, struct search *search)
{
	struct speculation *s = speculation_of(i + 1);
	if (!s)
		return 1;
	uint32_t state = state_of(s);
	int is_free = state == SPECULATION_NEW || state == SPECULATION_INACTIVE;
	if (is_free && change(s, state, SPECULATION_ACTIVE)) {
		search->found = i + 1;
		return 1;
	}
	if (state != SPECULATION_ACTIVE)
		search->busy = 1;
	return 0;
}

long rt_speculation(void)
{
	struct search search = { 0 };
	port_loop(NUMBER(rt_speculation_count), speculation_claim, &search, 0);
	if (search.found)
		return search.found;
	if (search.busy)
		COUNT(spec_busy);
	else
		COUNT(spec_unavailable);
	return 0;
}

/* --- the end of a speculation --------------------------------------------------------------- */

struct loss {
	struct speculation *speculation;
	uint64_t at;
};

/* One record that did not fit, counted for the clause that left it. */
static long lose(uint32_t i, struct loss *loss)
{
	uint64_t at = loss->at;
	OPAQUE(at);
	if (at >= NUMBER(rt_speculation_size))
		return 1;
	OPAQUE(at);
	const uint64_t *size = (const uint64_t *)((const char *)(loss->speculation + 1) + at);
	if (!*size)
		return 1;
	drop_clause(((const struct record_header *)(size + 1))->clause, CLAUSE_DROP_PRINCIPAL, 1);
	loss->at = at + record_room(*size);
	return 0;
}

/* Its records, if there are any, become one record of this area's buffer. */
static always_inline void hand_over(struct speculation *s)
{
	uint64_t size = s->used;
	if (!s->records)
		return;
	OPAQUE(size);
	if (size > NUMBER(rt_speculation_size))
		size = NUMBER(rt_speculation_size);
	port_large_record();
	if (put_unasked(&s->group, size + sizeof(s->group)) >= 0)
		return;
	COUNT_MORE(principal, s->records);
	if (NUMBER(rt_clauses)) {
		struct loss loss = { s, 0 };
		port_loop(s->records, lose, &loss, 0);
	}
}

static always_inline void speculation_finish(struct speculation *s)
{
	if (*(volatile uint32_t *)&s->writers)
		return;
	if (change(s, SPECULATION_COMMITTING, SPECULATION_FINISHING))
		hand_over(s);
	else if (!change(s, SPECULATION_DISCARDING, SPECULATION_FINISHING))
		return;
	s->used = 0;
	s->records = 0;
	__sync_lock_test_and_set(&s->state, SPECULATION_INACTIVE);
}

long rt_speculation_leave(uint64_t id)
{
	struct speculation *s = speculation_of(id);
	if (s && __sync_fetch_and_add(&s->writers, -1) == 1)
		speculation_finish(s);
	return 0;
}

long rt_commit(uint64_t id, uint64_t time)
{
	struct speculation *s = given_out(id);
	if (!s)
		return id ? -1 : 0;
	if (!change(s, SPECULATION_ACTIVE, SPECULATION_CLOSING))
		return 0;
	s->group = (struct record_header) { .kind = RECORD_GROUP, .time = time, .seq = port_cpu() };
	__sync_lock_test_and_set(&s->state, SPECULATION_COMMITTING);
	speculation_finish(s);
	return 0;
}

long rt_discard(uint64_t id)
{
	struct speculation *s = given_out(id);
	if (!s)
		return id ? -1 : 0;
	if (change(s, SPECULATION_ACTIVE, SPECULATION_DISCARDING))
		speculation_finish(s);
	return 0;
}

/* --- records -------------------------------------------------------------------------------- */

long rt_speculate(uint64_t id, uint64_t size, uint64_t when_full)
{
	struct speculation *s = given_out(id);
	if (!s)
		return id ? -1 : 0;
	uint64_t others = __sync_fetch_and_add(&s->writers, 1); /* ordered: the result is wanted */
	OPAQUE(others);
	if (state_of(s) == SPECULATION_ACTIVE) {
		if (s->used + record_room(size) <= NUMBER(rt_speculation_size))
			return id;
		COUNT(speculative);
		rt_speculation_leave(id);
		return when_full;
	}
	rt_speculation_leave(id);
	return 0;
}

/*
 * Other writers may have used the space that was free when the clause began.  Later records then
 * find no space either, so a size of 0 marks the end.
 */
static always_inline long speculative(void *data, uint64_t size, uint64_t id)
{
	struct speculation *s = speculation_of(id);
	if (!s)
		return -1;
	uint64_t room = record_room(size);
	uint64_t at = __sync_fetch_and_add(&s->used, room);
	uint64_t end = at + room;
	OPAQUE(at);
	if (at >= NUMBER(rt_speculation_size)) {
		COUNT(speculative);
		return -1;
	}
	OPAQUE(at);
	uint64_t *to = (uint64_t *)((char *)(s + 1) + at);
	if (end > NUMBER(rt_speculation_size)) {
		port_put_word(to, 0);
		COUNT(speculative);
		return -1;
	}
	((struct record_header *)data)->cpu = port_cpu();
	port_put_word(to, size);
	port_copy(to + 1, size, data);
	ADD_SHARED(&s->records, 1);
	return 0;
}

long rt_speculative(void *data, uint64_t size, uint64_t id)
{
	return speculative(data, size, id);
}

long rt_speculative_slot(uint64_t at, uint64_t size, uint64_t id)
{
	void *data = record_in_slot(at, &size);
	return data ? speculative(data, size, id) : -1;
}
