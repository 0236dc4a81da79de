/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shared memory, read by the tracer
 *
 * The process may write anything at any time.  So each word is loaded once, positions and sizes are
 * compared with our own numbers, and bytes are copied before they are handed out.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/table.h"

#define PAGE_LEAST 4096

static struct process_area *view_area(const struct agent_view *v, unsigned n)
{
	return (struct process_area *)(void *)(v->memory + v->layout->head.areas) + n;
}

void agent_view_init(struct agent_view *v, const struct agent_layout *layout, char *memory)
{
	uint64_t most = 0;
	for (unsigned i = 0; i < layout->program->map_count; i++)
		most = MAX(most, (uint64_t)layout->maps[i].stride);
	*v = (struct agent_view) { .layout = layout, .memory = memory, .file = -1 };
	v->tails = mem_zalloc(layout->head.area_count * sizeof(*v->tails));
	v->copy = mem_zalloc(layout->head.record_most + 8);
	v->element = mem_zalloc(most + 8);
	v->flight = (struct flight_memory) { .memory = memory + layout->head.flight,
					     .count = (uint32_t)layout->head.area_count,
					     .stride = (uint32_t)layout->head.flight_stride,
					     .size = (uint32_t)layout->head.ring_size };
	if (layout->head.policy == POLICY_RING)
		flight_init(&v->flight);
}

void agent_view_deinit(struct agent_view *v)
{
	free(v->tails);
	free(v->copy);
	free(v->element);
	flight_deinit(&v->flight);
}

/* --- rings ------------------------------------------------------------------------------------ */

struct ring_reading {
	struct agent_view *view;
	struct process_area *area;
	char *ring;
	uint64_t tail, head, sealed;
};

static char *ring_at(const struct ring_reading *r, uint64_t position)
{
	return r->ring + (position & (r->view->layout->head.ring_size - 1));
}

static uint64_t *ring_word(const struct ring_reading *r, uint64_t position)
{
	return (uint64_t *)(void *)ring_at(r, position);
}

static struct error *ring_damaged(const struct ring_reading *r, const char *what, uint64_t number)
{
	return error_new("the traced process has damaged the memory that it shares with dtrace: "
			 "%s of buffer %u is %llu",
			 what, (unsigned)(r->area - view_area(r->view, 0)),
			 (unsigned long long)number);
}

/* All before POSITION is read. */
static void ring_pass(struct ring_reading *r, uint64_t position)
{
	r->tail = position;
	__atomic_store_n(&r->area->tail, position, __ATOMIC_RELEASE);
}

/* The bytes are zero before the process may use them again. */
static void ring_free(struct ring_reading *r, uint64_t room)
{
	memset(ring_at(r, r->tail), 0, room);
	ring_pass(r, r->tail + room);
}

/* All up to POSITION, of which no sizes are known. */
static void ring_free_to(struct ring_reading *r, uint64_t position)
{
	const struct process_head *h = &r->view->layout->head;
	uint64_t first = r->tail & (h->ring_size - 1);
	for (uint64_t at = r->tail; at < position; at += 8)
		*ring_word(r, at) = 0;
	if (first + (position - r->tail) > h->ring_size) /* they may stick out at the end */
		memset(r->ring + h->ring_size, 0, h->ring_stride - h->ring_size);
	ring_pass(r, position);
}

static uint64_t room_of(const struct ring_reading *r, uint64_t size)
{
	return size <= r->view->layout->head.record_most ? ring_room(size) : UINT64_MAX;
}

/* At a record that is not written, whose word is WORD.  False: it may still be. */
static bool ring_skip(struct ring_reading *r, uint64_t word)
{
	if (r->sealed <= r->tail || r->sealed > r->head || r->sealed % 8)
		return false;
	uint64_t room = room_of(r, word >> 1);
	r->view->lost++;
	if (word && room <= r->sealed - r->tail)
		ring_free(r, room);
	else
		ring_free_to(r, r->sealed);
	return true;
}

static struct error *ring_visit(struct ring_reading *r, uint64_t size, bytes_visit_fn *visit,
				void *arg)
{
	uint64_t room = room_of(r, size);
	if (room > r->head - r->tail || size < sizeof(struct record_header))
		return ring_damaged(r, "a record's size", size);
	memcpy(r->view->copy, ring_at(r, r->tail) + sizeof(uint64_t), size);
	ring_free(r, room);
	return visit(arg, r->view->copy, (uint32_t)size);
}

struct flight_reading {
	struct agent_view *view;
	bytes_visit_fn *visit;
	void *arg;
};

/* SIZE 0: its thread has ended while it wrote. */
static struct error *flight_visit(void *reading, const void *data, uint32_t size)
{
	struct flight_reading *r = reading;
	struct agent_view *v = r->view;
	if (size < sizeof(struct record_header) || size > v->layout->head.record_most) {
		v->lost++;
		return NULL;
	}
	memcpy(v->copy, data, size);
	return r->visit(r->arg, v->copy, size);
}

struct error *agent_drain(struct agent_view *v, unsigned area, bytes_visit_fn *visit, void *arg)
{
	const struct process_head *h = &v->layout->head;
	if (h->policy == POLICY_RING)
		return flight_drain(&v->flight, area, flight_visit,
				    &(struct flight_reading) { v, visit, arg });
	struct ring_reading r = { .view = v,
				  .area = view_area(v, area),
				  .ring = v->memory + h->rings + area * h->ring_stride,
				  .tail = v->tails[area] };
	struct error *err = NULL;
	/* The seal first: what is read later of positions before it is final. */
	r.sealed = __atomic_load_n(&r.area->sealed, __ATOMIC_ACQUIRE);
	r.head = __atomic_load_n(&r.area->head, __ATOMIC_ACQUIRE);
	if (r.head - r.tail > h->ring_size || r.head % 8)
		return ring_damaged(&r, "the end", r.head);
	while (r.tail < r.head && !err) {
		uint64_t word = __atomic_load_n(ring_word(&r, r.tail), __ATOMIC_ACQUIRE);
		if (word & RING_WRITTEN)
			err = ring_visit(&r, word >> 1, visit, arg);
		else if (!ring_skip(&r, word))
			break;
	}
	v->tails[area] = r.tail;
	return err;
}

bool agent_is_above(const struct agent_view *v)
{
	bool above = false;
	for (unsigned n = 0; n < v->layout->head.area_count && !above; n++) {
		uint64_t head = __atomic_load_n(&view_area(v, n)->head, __ATOMIC_RELAXED);
		above = head - v->tails[n] > v->layout->head.ring_size / 4;
	}
	return above;
}

void agent_seal(struct agent_view *v)
{
	for (unsigned n = 0; n < v->layout->head.area_count; n++) {
		struct process_area *area = view_area(v, n);
		uint64_t head = __atomic_load_n(&area->head, __ATOMIC_ACQUIRE);
		__atomic_store_n(&area->sealed, head, __ATOMIC_RELEASE);
	}
}

/* --- maps ------------------------------------------------------------------------------------- */

static struct table view_table(const struct agent_view *v, unsigned map)
{
	uint64_t at = v->layout->head.maps + map * sizeof(struct process_map) +
		      offsetof(struct process_map, count);
	return (struct table) { v->memory, &v->layout->maps[map],
				(uint64_t *)(void *)(v->memory + at) };
}

/*
 * The first place from PLACE on whose word's page is there, or more than the mask.  A page that
 * nobody has written to is not in memory, and reading it would bring it in.
 */
static uint64_t place_present(const struct agent_view *v, const struct table *t, uint64_t place)
{
	uint64_t at = t->map->words + place * sizeof(uint64_t);
	off_t data =
		v->file < 0 || at % PAGE_LEAST ? (off_t)at : lseek(v->file, (off_t)at, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? UINT64_MAX : place;
	return place + ((uint64_t)data - at) / sizeof(uint64_t);
}

/* With its value, or where the value is.  An element that is removed meanwhile is not visited. */
static struct error *table_visit(struct agent_view *v, unsigned map, bool in_place,
				 element_visit_fn *visit, void *arg)
{
	struct table t = view_table(v, map);
	struct error *err = NULL;
	for (uint64_t place = 0; !err; place++) {
		place = place_present(v, &t, place);
		if (place > t.map->mask)
			break;
		const uint64_t *at = place_word(&t, (uint32_t)place);
		uint64_t word = table_load(at);
		if ((word & PLACE_STATE) != PLACE_READY)
			continue;
		char *element = table_element(&t, (uint32_t)place);
		memcpy(v->element, element, t.map->stride);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (table_load(at) == word)
			err = visit(arg, v->element,
				    (in_place ? element : v->element) + t.map->value_at);
	}
	return err;
}

struct error *agent_visit(struct agent_view *v, unsigned map, element_visit_fn *visit, void *arg)
{
	return table_visit(v, map, false, visit, arg);
}

struct error *agent_update(struct agent_view *v, unsigned map, const void *key, const void *value)
{
	agent_insert(v, map, key, value, BPF_EXIST);
	return NULL;
}

struct error *agent_remove(struct agent_view *v, unsigned map, const void *key)
{
	agent_delete(v, map, key);
	return NULL;
}

/* --- firings in the tracer ---------------------------------------------------------------- */

unsigned agent_reserve(struct agent_view *v)
{
	unsigned n = (unsigned)v->layout->head.area_count - 1;
	__atomic_store_n(&view_area(v, n)->owner, AREA_TRACER, __ATOMIC_RELEASE);
	return n;
}

bool agent_put(struct agent_view *v, const void *data, uint64_t size)
{
	const struct process_head *h = &v->layout->head;
	uint64_t n = h->area_count - 1, room = ring_room(size);
	if (size > h->record_most || agent_used(v) > h->ring_size - MIN(room, h->ring_size))
		return false;
	char *to = v->memory + h->rings + n * h->ring_stride + (v->head & (h->ring_size - 1));
	memcpy(to + sizeof(uint64_t), data, size);
	__atomic_store_n((uint64_t *)(void *)to, size << 1 | RING_WRITTEN, __ATOMIC_RELEASE);
	v->head += room;
	__atomic_store_n(&view_area(v, (unsigned)n)->head, v->head, __ATOMIC_RELEASE);
	return true;
}

/* Beyond the ring's size: the process has moved the head, and the reader has followed. */
uint64_t agent_used(const struct agent_view *v)
{
	return v->head - v->tails[v->layout->head.area_count - 1];
}

char *agent_find(struct agent_view *v, unsigned map, const void *key)
{
	struct table t = view_table(v, map);
	char *element = table_find(&t, key);
	return element ? element + t.map->value_at : NULL;
}

int agent_insert(struct agent_view *v, unsigned map, const void *key, const void *value,
		 uint64_t flags)
{
	struct table t = view_table(v, map);
	return table_update(&t, key, value, flags);
}

int agent_delete(struct agent_view *v, unsigned map, const void *key)
{
	struct table t = view_table(v, map);
	return table_remove(&t, key);
}

struct error *agent_each(struct agent_view *v, unsigned map, element_visit_fn *visit, void *arg)
{
	return table_visit(v, map, true, visit, arg);
}

/* --- areas ------------------------------------------------------------------------------------ */

void agent_release(struct agent_view *v, thread_ended_fn *ended, void *arg)
{
	for (unsigned n = 0; n < v->layout->head.area_count; n++) {
		struct process_area *area = view_area(v, n);
		uint64_t *at = &area->owner, owner = table_load(at);
		uint64_t key = owner & ~(AREA_CLAIMED | AREA_FORKS);
		if (owner > AREA_TRACER &&
		    ended(arg, (uint32_t)(key >> 32), (uint32_t)key, table_load(&area->own)))
			table_change(at, owner, AREA_FREE);
	}
}
