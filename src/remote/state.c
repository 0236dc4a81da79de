/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The agent's side: what has changed since the last time (remote.h)
 *
 * Regions are compared with what was sent, in blocks; elements by a hash of their value.  Firings
 * add meanwhile: a block is copied before it is compared and sent.
 */
#include <string.h>

#include "remote/internal.h"

#define BLOCK 64

struct sent_region {
	const char *now;
	char *sent;
	uint64_t size;
};

struct state_sender {
	const struct record_source *source;
	struct sent_region regions[REGION_GLOBALS];
	struct store *values; /* by map: the key -> a hash of the value that was sent */
	probe_needed_fn *needs;
	void *arg;
};

void *state_region(const struct record_source *s, enum state_region region, uint64_t *size)
{
	const struct program *p = s->program;
	switch (region) {
	case REGION_CONTROL:
		*size = sizeof(*s->control);
		return s->control;
	case REGION_COUNTERS:
		*size = sizeof(*s->counters) * (uint64_t)p->area_count;
		return (void *)(uintptr_t)s->counters;
	case REGION_DROPS:
		*size = sizeof(*s->clause_drops) * (uint64_t)p->area_count * p->clause_count;
		return (void *)(uintptr_t)s->clause_drops;
	case REGION_KEYLESS:
		*size = (uint64_t)p->keyless_size * p->area_count;
		return s->keyless;
	case REGION_GLOBALS:
		*size = p->globals_size;
		return s->globals;
	default:
		return NULL;
	}
}

struct state_sender *state_sender_new(const struct record_source *source, probe_needed_fn *needs,
				      void *arg)
{
	struct state_sender *s = mem_zalloc(sizeof(*s));
	*s = (struct state_sender) { .source = source, .needs = needs, .arg = arg };
	for (unsigned i = 0; i < REGION_GLOBALS; i++) {
		struct sent_region *r = &s->regions[i];
		r->now = state_region(source, i, &r->size);
		r->size = r->now ? r->size : 0;
		r->sent = mem_zalloc(r->size + 1);
	}
	s->values = mem_zalloc((source->program->map_count + 1) * sizeof(*s->values));
	for (unsigned i = 0; i < source->program->map_count; i++)
		store_init(&s->values[i]);
	return s;
}

void state_sender_free(struct state_sender *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < REGION_GLOBALS; i++)
		free(s->regions[i].sent);
	for (unsigned i = 0; i < s->source->program->map_count; i++)
		store_deinit(&s->values[i], NULL);
	free(s->values);
	free(s);
}

/* --- regions ---------------------------------------------------------------------------------- */

static void block_send(enum state_region region, struct sent_region *r, uint64_t at,
		       struct strbuf *out)
{
	char block[BLOCK];
	uint64_t size = MIN(r->size - at, (uint64_t)BLOCK);
	memcpy(block, r->now + at, size);
	if (memcmp(block, r->sent + at, size) == 0)
		return;
	memcpy(r->sent + at, block, size);
	size_t begun = frame_open(out, FRAME_STATE);
	frame_put_u32(out, region);
	frame_put_u32(out, (uint32_t)at);
	strbuf_add(out, block, size);
	frame_close(out, begun);
}

/* --- elements --------------------------------------------------------------------------------- */

struct sending {
	struct state_sender *s;
	unsigned map;
	struct strbuf *out;
};

/* The probes that a key names are known before it. */
static struct error *key_needs(void *arg, uint32_t *id)
{
	const struct state_sender *s = arg;
	s->needs(s->arg, *id);
	return NULL;
}

static struct error *element_send(void *arg, const void *key, const void *value)
{
	const struct sending *g = arg;
	const struct map_layout *m = &g->s->source->program->maps[g->map];
	uintptr_t sum = (uintptr_t)hash_more(HASH_OF_NOTHING, value, m->value_size) | 1;
	void **place = store_place(&g->s->values[g->map], key, m->key_size);
	if (*place == (void *)sum)
		return NULL;
	*place = (void *)sum;
	struct error *err =
		key_probes(g->s->source->program, g->map, (void *)(uintptr_t)key, key_needs, g->s);
	if (err)
		return err;
	size_t begun = frame_open(g->out, FRAME_ELEMENT);
	frame_put_u32(g->out, g->map);
	strbuf_add(g->out, key, m->key_size);
	strbuf_add(g->out, value, m->value_size);
	frame_close(g->out, begun);
	return NULL;
}

struct error *state_send(struct state_sender *s, struct strbuf *out)
{
	const struct record_source *source = s->source;
	struct error *err = NULL;
	for (unsigned i = 0; i < REGION_GLOBALS; i++)
		for (uint64_t at = 0; at < s->regions[i].size; at += BLOCK)
			block_send(i, &s->regions[i], at, out);
	for (unsigned i = 0; i < source->program->map_count && !err; i++)
		if (source->program->maps[i].kind == MAP_AGGREGATION)
			err = source->reader->visit(source->self, i, element_send,
						    &(struct sending) { s, i, out });
	return err;
}

/* --- what the asker changes ------------------------------------------------------------------- */

static struct error *not_ours(void)
{
	return error_new("the asker sends what is no change of an aggregation");
}

static struct error *word_change(const struct state_sender *s, struct bytes b)
{
	struct state_write w;
	uint64_t size;
	const void *sent = bytes_take(&b, sizeof(w));
	if (!sent)
		return not_ours();
	memcpy(&w, sent, sizeof(w));
	bool may = w.region == REGION_KEYLESS || w.region == REGION_GLOBALS;
	char *memory = may ? state_region(s->source, w.region, &size) : NULL;
	if (!memory || w.offset % sizeof(uint64_t) || size < sizeof(uint64_t) ||
	    w.offset > size - sizeof(uint64_t))
		return not_ours();
	__atomic_compare_exchange_n((uint64_t *)(void *)(memory + w.offset), &w.from, w.to, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return NULL;
}

/* What was sent of the element is not what is there any more. */
static struct error *element_change(const struct state_sender *s, bool removes, struct bytes b)
{
	const struct record_source *source = s->source;
	uint32_t map = bytes_u32(&b);
	if (map >= source->program->map_count || source->program->maps[map].kind != MAP_AGGREGATION)
		return not_ours();
	const struct map_layout *m = &source->program->maps[map];
	const void *key = bytes_take(&b, m->key_size);
	const void *value = removes ? NULL : bytes_take(&b, m->value_size);
	if (!key || (!removes && !value))
		return not_ours();
	store_remove(&s->values[map], key, m->key_size);
	return removes ? source->reader->remove(source->self, map, key)
		       : source->reader->update(source->self, map, key, value);
}

struct error *state_change(struct state_sender *s, const struct frame *f)
{
	if (f->kind == FRAME_WRITE)
		return word_change(s, f->payload);
	if (f->kind == FRAME_UPDATE || f->kind == FRAME_REMOVE)
		return element_change(s, f->kind == FRAME_REMOVE, f->payload);
	return not_ours();
}
