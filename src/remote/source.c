/* SPDX-License-Identifier: BSD-2-Clause */
/* The copy as a source of the consumer, and what the consumer changes (remote.h) */
#include <string.h>

#include "remote/internal.h"

/* --- reading ---------------------------------------------------------------------------------- */

static struct error *remote_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct remote_host *r = self;
	struct error *err = NULL;
	for (size_t at = 0; area == 0 && at < r->queue.len && !err;) {
		uint64_t size;
		memcpy(&size, r->queue.text + at, sizeof(size));
		err = visit(arg, r->queue.text + at + sizeof(size), (uint32_t)size);
		at += sizeof(size) + ALIGN_UP(size, 8);
	}
	if (area == 0)
		strbuf_clear(&r->queue);
	return err;
}

struct visiting {
	element_visit_fn *visit;
	void *arg;
	struct error *err;
};

static void element_visit(void *arg, const void *key, size_t key_len, void *value)
{
	struct visiting *v = arg;
	if (value && !v->err)
		v->err = v->visit(v->arg, key, value);
}

static struct error *remote_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	struct remote_host *r = self;
	struct visiting v = { visit, arg, NULL };
	hash_visit(r->elements[map].items, element_visit, &v);
	return v.err;
}

/* --- changing: here at once, and there by frames ---------------------------------------------- */

static struct error *probe_restore(void *arg, uint32_t *id)
{
	const struct remote_host *r = arg;
	*id = r->setup.probes->items.items[*id]->id; /* we have put it there */
	return NULL;
}

/* KEY as the agent has it. */
static struct error *key_put(struct remote_host *r, unsigned map, const void *key)
{
	uint32_t size = r->program.maps[map].key_size;
	char *room = strbuf_room(&r->changes, size);
	memcpy(room, key, size);
	r->changes.len += size;
	return key_probes(&r->program, map, room, probe_restore, r);
}

static struct error *remote_update(void *self, unsigned map, const void *key, const void *value)
{
	struct remote_host *r = self;
	const struct map_layout *m = &r->program.maps[map];
	mirror_put(r, map, key, value);
	size_t begun = frame_open(&r->changes, FRAME_UPDATE);
	frame_put_u32(&r->changes, map);
	struct error *err = key_put(r, map, key);
	strbuf_add(&r->changes, value, m->value_size);
	frame_close(&r->changes, begun);
	return err;
}

static struct error *remote_remove(void *self, unsigned map, const void *key)
{
	struct remote_host *r = self;
	const struct map_layout *m = &r->program.maps[map];
	void *value = store_remove(&r->elements[map], key, m->key_size);
	r->bytes -= value ? element_bytes(m) : 0;
	free(value);
	size_t begun = frame_open(&r->changes, FRAME_REMOVE);
	frame_put_u32(&r->changes, map);
	struct error *err = key_put(r, map, key);
	frame_close(&r->changes, begun);
	return err;
}

static bool is_unsent(const struct remote_host *r)
{
	for (unsigned i = 0; i < REGION_COUNT; i++) {
		uint64_t size;
		const char *memory = r->theirs[i] ? state_region(&r->source, i, &size) : NULL;
		if (memory && memcmp(memory, r->theirs[i], size) != 0)
			return true;
	}
	return false;
}

static struct error *remote_settle(void *self, bool *all)
{
	const struct remote_host *r = self;
	*all = !is_unsent(r) && r->settle == r->settled;
	return NULL;
}

static void word_send(struct remote_host *r, uint32_t region, uint32_t offset)
{
	struct state_write w = { .region = region, .offset = offset };
	memcpy(&w.from, r->theirs[region] + offset, sizeof(w.from));
	memcpy(&w.to, r->regions[region] + offset, sizeof(w.to));
	if (w.from == w.to)
		return;
	memcpy(r->theirs[region] + offset, &w.to, sizeof(w.to));
	size_t begun = frame_open(&r->changes, FRAME_WRITE);
	strbuf_add(&r->changes, &w, sizeof(w));
	frame_close(&r->changes, begun);
}

void remote_send_changes(struct remote_host *r, struct strbuf *out)
{
	bool changes = r->is_ready && is_unsent(r);
	for (unsigned i = 0; i < REGION_COUNT && changes; i++) {
		uint64_t size = 0;
		if (r->theirs[i])
			state_region(&r->source, i, &size);
		for (uint64_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
			word_send(r, i, (uint32_t)at);
	}
	if (changes)
		frame_put_number(&r->changes, FRAME_SETTLE, ++r->settle);
	if (!r->has_ended)
		strbuf_add(out, strbuf_text(&r->changes), r->changes.len);
	strbuf_clear(&r->changes);
}

/* --- the source ------------------------------------------------------------------------------- */

static const struct source_reader remote_reader = {
	.drain = remote_drain,
	.visit = remote_visit,
	.update = remote_update,
	.remove = remote_remove,
	.settle = remote_settle,
};

struct record_source remote_source(struct remote_host *r)
{
	return r->source;
}

static void *region_make(struct remote_host *r, enum state_region region)
{
	uint64_t size = 0;
	state_region(&r->source, region, &size);
	r->regions[region] = mem_zalloc(size + sizeof(uint64_t));
	if (region == REGION_KEYLESS || region == REGION_GLOBALS)
		r->theirs[region] = mem_zalloc(size + sizeof(uint64_t));
	return r->regions[region];
}

void source_init(struct remote_host *r)
{
	r->area_words = r->facts.area_is_cpu ? mem_printf("on host %s, CPU", r->setup.host)
					     : mem_printf("on host %s, in area", r->setup.host);
	r->source = (struct record_source) { .program = &r->program,
					     .reader = &remote_reader,
					     .self = r,
					     .area_words = r->area_words,
					     .host = r->setup.host };
	r->source.control = region_make(r, REGION_CONTROL);
	r->source.counters = region_make(r, REGION_COUNTERS);
	r->source.keyless = region_make(r, REGION_KEYLESS);
	r->source.globals = region_make(r, REGION_GLOBALS);
	if (r->program.drops_by_clause)
		r->source.clause_drops = region_make(r, REGION_DROPS);
}
