/* SPDX-License-Identifier: BSD-2-Clause */
#include "consumer/internal.h"

#include <assert.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)256 << 10)
#define SPARE_CHUNKS 16

struct chunk {
	struct chunk *next; /* in the list of spare chunks */
	size_t used, size;
	uint32_t live; /* records not visited yet */
	_Alignas(8) unsigned char data[];
};

/* A record in its chunk. */
struct stored {
	struct chunk *chunk;
	uint32_t size;
	uint32_t reserved;
	unsigned char data[];
};

struct entry {
	uint64_t time;
	struct stored *record;
};

struct queue {
	struct entry *entries; /* sorted; [head, count) wait */
	size_t head, count, capacity;
	struct chunk *filling;
};

struct order {
	unsigned lane_count;
	struct queue *queues; /* by lane */
	unsigned *heap;	      /* lanes by their first record, while visiting */
	unsigned heap_count;
	size_t count;
	struct chunk *spare;
	unsigned spare_count;
};

struct order *order_new(unsigned lane_count)
{
	struct order *o = mem_zalloc(sizeof(*o));
	o->lane_count = lane_count;
	o->queues = mem_zalloc(lane_count * sizeof(*o->queues));
	o->heap = mem_zalloc(lane_count * sizeof(*o->heap));
	return o;
}

/* --- chunks --------------------------------------------------------------------------- */

static struct chunk *chunk_new(struct order *o, size_t size)
{
	struct chunk *c = o->spare;
	if (c && size <= CHUNK_BYTES) {
		o->spare = c->next;
		o->spare_count--;
		c->used = 0;
		return c;
	}
	size = MAX(size, CHUNK_BYTES);
	c = mem_alloc(sizeof(*c) + size);
	*c = (struct chunk) { .size = size };
	return c;
}

static void chunk_release(struct order *o, struct chunk *c)
{
	if (c->size != CHUNK_BYTES || o->spare_count == SPARE_CHUNKS) {
		free(c);
		return;
	}
	c->next = o->spare;
	o->spare = c;
	o->spare_count++;
}

static struct stored *queue_store(struct order *o, struct queue *q, const void *data, uint32_t size)
{
	size_t room = ALIGN_UP(sizeof(struct stored) + (size_t)size, 8);
	struct chunk *c = q->filling;
	if (!c || c->size - c->used < room) {
		if (c && !c->live)
			chunk_release(o, c);
		c = q->filling = chunk_new(o, room);
	}
	struct stored *record = (struct stored *)(c->data + c->used);
	c->used += room;
	c->live++;
	record->chunk = c;
	record->size = size;
	memcpy(record->data, data, size);
	return record;
}

static void record_release(struct order *o, struct queue *q, struct stored *record)
{
	struct chunk *c = record->chunk;
	if (--c->live)
		return;
	if (c == q->filling)
		c->used = 0;
	else
		chunk_release(o, c);
}

/* --- filling -------------------------------------------------------------------------- */

static void queue_make_room(struct queue *q)
{
	if (q->head > q->count / 2) {
		q->count -= q->head;
		memmove(q->entries, q->entries + q->head, q->count * sizeof(*q->entries));
		q->head = 0;
		return;
	}
	q->capacity = q->capacity ? q->capacity * 2 : 256;
	q->entries = mem_realloc(q->entries, q->capacity * sizeof(*q->entries));
}

void order_add(struct order *o, unsigned lane, uint64_t time, const void *data, uint32_t size)
{
	struct queue *q = &o->queues[lane];
	if (q->head == q->count)
		q->head = q->count = 0;
	if (q->count == q->capacity)
		queue_make_room(q);

	size_t at = q->count;
	while (at > q->head && q->entries[at - 1].time > time) {
		q->entries[at] = q->entries[at - 1];
		at--;
	}
	q->entries[at] = (struct entry) { time, queue_store(o, q, data, size) };
	q->count++;
	o->count++;
}

size_t order_count(const struct order *o)
{
	return o->count;
}

/* --- merging: a heap of the lanes whose first record is old enough ----------------------- */

static bool comes_before(const struct order *o, unsigned a, unsigned b)
{
	const struct queue *qa = &o->queues[a], *qb = &o->queues[b];
	uint64_t ta = qa->entries[qa->head].time, tb = qb->entries[qb->head].time;
	return ta != tb ? ta < tb : a < b;
}

static void heap_sink(struct order *o, unsigned i)
{
	unsigned lane = o->heap[i];
	for (;;) {
		unsigned child = 2 * i + 1;
		if (child >= o->heap_count)
			break;
		if (child + 1 < o->heap_count &&
		    comes_before(o, o->heap[child + 1], o->heap[child]))
			child++;
		if (!comes_before(o, o->heap[child], lane))
			break;
		o->heap[i] = o->heap[child];
		i = child;
	}
	o->heap[i] = lane;
}

static bool queue_is_ready(const struct queue *q, uint64_t watermark)
{
	return q->head < q->count && q->entries[q->head].time < watermark;
}

static void heap_build(struct order *o, uint64_t watermark)
{
	o->heap_count = 0;
	for (unsigned lane = 0; lane < o->lane_count; lane++)
		if (queue_is_ready(&o->queues[lane], watermark))
			o->heap[o->heap_count++] = lane;
	for (unsigned i = o->heap_count / 2; i-- > 0;)
		heap_sink(o, i);
}

static struct error *visit_first(struct order *o, unsigned lane, order_visit_fn *visit, void *arg)
{
	struct queue *q = &o->queues[lane];
	struct stored *record = q->entries[q->head++].record;
	o->count--;
	struct error *err = visit(arg, lane, record->data, record->size);
	record_release(o, q, record);
	return err;
}

struct error *order_visit(struct order *o, uint64_t watermark, order_visit_fn *visit, void *arg)
{
	heap_build(o, watermark);
	uint64_t last = 0;
	while (o->heap_count) {
		unsigned lane = o->heap[0];
		const struct queue *q = &o->queues[lane];
		assert(q->entries[q->head].time >= last); /* consumer.h, always true: 2 */
		last = q->entries[q->head].time;
		struct error *err = visit_first(o, lane, visit, arg);
		if (err)
			return err;
		if (!queue_is_ready(&o->queues[lane], watermark))
			o->heap[0] = o->heap[--o->heap_count];
		if (o->heap_count)
			heap_sink(o, 0);
	}
	return NULL;
}

static void queue_deinit(struct order *o, struct queue *q)
{
	while (q->head < q->count)
		record_release(o, q, q->entries[q->head++].record);
	free(q->filling);
	free(q->entries);
}

void order_free(struct order *o)
{
	if (!o)
		return;
	for (unsigned lane = 0; lane < o->lane_count; lane++)
		queue_deinit(o, &o->queues[lane]);
	while (o->spare) {
		struct chunk *c = o->spare;
		o->spare = c->next;
		free(c);
	}
	free(o->queues);
	free(o->heap);
	free(o);
}
