/* SPDX-License-Identifier: BSD-2-Clause */
/* The asker's side: frames of an agent to a copy of what it has; all checks (remote.h) */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "program/program.h"
#include "remote/internal.h"

#define AREAS_MOST 65536

/* --- life ------------------------------------------------------------------------------------- */

struct remote_host *remote_new(const struct remote_setup *setup)
{
	struct remote_host *r = mem_zalloc(sizeof(*r));
	*r = (struct remote_host) { .setup = *setup,
				    .arena = arena_new(),
				    .probe_ids = hash_new() };
	return r;
}

void remote_free(struct remote_host *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < REGION_COUNT; i++) {
		free(r->regions[i]);
		free(r->theirs[i]);
	}
	for (unsigned i = 0; r->elements && i < r->program.map_count; i++)
		store_deinit(&r->elements[i], free);
	free(r->elements);
	free(r->area_words);
	vector_free(&r->options);
	hash_free(r->probe_ids);
	strbuf_deinit(&r->record);
	strbuf_deinit(&r->queue);
	strbuf_deinit(&r->changes);
	arena_free(r->arena);
	free(r);
}

const char *remote_host(const struct remote_host *r)
{
	return r->setup.host;
}

const struct program *remote_program(const struct remote_host *r)
{
	return r->is_ready ? &r->program : NULL;
}

const struct remote_facts *remote_facts(const struct remote_host *r)
{
	return &r->facts;
}

const char *const *remote_options(const struct remote_host *r, size_t *count)
{
	*count = r->options.count;
	return r->options.items;
}

uint64_t remote_records(const struct remote_host *r)
{
	return r->records;
}

uint64_t remote_missed(const struct remote_host *r)
{
	return r->missed;
}

void remote_set_clock(struct remote_host *r, int64_t offset)
{
	r->clock_offset = offset;
}

void remote_end(struct remote_host *r)
{
	r->has_ended = true;
	if (r->is_ready)
		r->source.control->activity = ACTIVITY_STOPPED;
}

/* --- READY ------------------------------------------------------------------------------------ */

static void archive_facts(struct archive *a, struct remote_facts *f)
{
	ARCHIVE(a, f->cpu_count);
	ARCHIVE(a, f->area_is_cpu);
}

void remote_add_ready(const struct remote_facts *f, const char *const *options, size_t count,
		      const struct program *p, struct types *types, struct strbuf *out)
{
	size_t begun = frame_open(out, FRAME_READY);
	struct archive a = { .out = out };
	struct remote_facts facts = *f;
	archive_facts(&a, &facts);
	ARCHIVE(&a, count);
	for (size_t i = 0; i < count; i++)
		archive_string(&a, options[i]);
	program_write(p, types, out);
	frame_close(out, begun);
}

static struct error *mirror_damaged(const char *what)
{
	return error_new("%s that it sends is damaged", what);
}

/* What only the agent's machine can name: it does not send the names yet. */
static const char *unnamed_value(const struct value_field *f)
{
	return value_kind_is_stack(f->kind) || value_kind_is_symbol(f->kind)
		       ? value_kind_name(f->kind)
		       : NULL;
}

static struct error *values_check(const struct program *p)
{
	const char *what = NULL;
	for (unsigned i = 0; i < p->aggregation_count; i++)
		for (unsigned k = 0; k < p->aggregations[i].key_count && !what; k++)
			what = unnamed_value(&p->aggregations[i].keys[k]);
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++) {
			const struct action_layout *action = &p->clauses[i].actions[j];
			for (unsigned k = 0; k < action->field_count && !what; k++)
				what = unnamed_value(&action->fields[k]);
		}
	return what ? error_new("stacks and symbols (%s) of other machines have no names here: "
				"--on cannot show them yet",
				what)
		    : NULL;
}

/* The sizes of the copy are bounded before it is made. */
static struct error *sizes_check(const struct remote_host *r)
{
	const struct program *p = &r->program;
	uint64_t bytes =
		(uint64_t)p->area_count *
		(sizeof(struct area_counters) + 2 * (uint64_t)p->keyless_size +
		 (p->drops_by_clause ? sizeof(struct clause_drops) * (uint64_t)p->clause_count
				     : 0));
	if (p->area_count == 0 || p->area_count > AREAS_MOST || r->facts.cpu_count == 0 ||
	    r->facts.cpu_count > AREAS_MOST)
		return mirror_damaged("the program");
	if (bytes + 2 * (uint64_t)p->globals_size > REMOTE_BYTES_MOST)
		return error_new("its program needs more than %u MiB here",
				 REMOTE_BYTES_MOST >> 20);
	return NULL;
}

static void mirror_make(struct remote_host *r)
{
	r->elements = mem_zalloc((r->program.map_count + 1) * sizeof(*r->elements));
	for (unsigned i = 0; i < r->program.map_count; i++)
		store_init(&r->elements[i]);
	source_init(r);
	r->is_ready = true;
}

static struct error *ready_take(struct remote_host *r, struct bytes b)
{
	struct archive a = { .in = b, .arena = r->arena };
	size_t count = 0;
	if (r->is_ready)
		return mirror_damaged("a second program");
	archive_facts(&a, &r->facts);
	ARCHIVE(&a, count);
	for (size_t i = 0; i < count && !a.failed; i++) {
		const char *text = archive_string(&a, NULL);
		if (!text)
			return mirror_damaged("an option");
		vector_push(&r->options, text);
	}
	if (a.failed)
		return mirror_damaged("what its machine is");
	struct error *err = program_read(a.in.data + a.in.pos, bytes_left(&a.in), r->setup.types,
					 r->arena, &r->program);
	if (!err)
		err = sizes_check(r);
	if (!err)
		err = values_check(&r->program);
	if (!err)
		mirror_make(r);
	return err;
}

/* --- probes ----------------------------------------------------------------------------------- */

void remote_add_probe(uint32_t id, const char *const names[5], struct strbuf *out)
{
	uint8_t there = 0;
	size_t begun = frame_open(out, FRAME_PROBE);
	frame_put_u32(out, id);
	for (unsigned i = 0; i < 5; i++)
		there |= (uint8_t)((names[i] != NULL) << i);
	strbuf_putc(out, (char)there);
	for (unsigned i = 0; i < 5; i++)
		if (names[i])
			frame_put_string(out, names[i]);
	frame_close(out, begun);
}

static struct error *names_take(struct remote_host *r, struct bytes b)
{
	struct remote_probes *all = r->setup.probes;
	uint32_t id = bytes_u32(&b);
	uint8_t there = bytes_u8(&b);
	r->bytes += b.size + sizeof(struct remote_probe);
	if ((there & 0xf) != 0xf) /* a probe has four names */
		return mirror_damaged("a probe");
	struct remote_probe *p = ARENA_NEW(all->arena, struct remote_probe);
	*p = (struct remote_probe) { .id = id };
	for (unsigned i = 0; i < 5; i++) {
		const char *name = there >> i & 1 ? bytes_string(&b) : NULL;
		p->names[i] = name ? arena_strdup(all->arena, name) : NULL;
	}
	void **place = hash_place(r->probe_ids, &id, sizeof(id));
	if (b.failed || *place)
		return mirror_damaged("a probe");
	if (!all->items.count)
		vector_push(&all->items, NULL);
	*place = (void *)(uintptr_t)all->items.count;
	vector_push(&all->items, p);
	return NULL;
}

static struct error *probe_translate(void *arg, uint32_t *id)
{
	const struct remote_host *r = arg;
	void *ours = hash_get(r->probe_ids, id, sizeof(*id));
	*id = (uint32_t)(uintptr_t)ours;
	return ours ? NULL : mirror_damaged("a probe's number");
}

static bool is_key_of(const struct aggregation_layout *a, unsigned map, const void *key)
{
	uint32_t id;
	memcpy(&id, key, sizeof(id));
	return a->map == (int)map && (!a->key_id || a->key_id == id);
}

struct error *key_probes(const struct program *p, unsigned map, void *key, key_probe_fn *call,
			 void *arg)
{
	struct error *err = NULL;
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		const struct aggregation_layout *a = &p->aggregations[i];
		if (!is_key_of(a, map, key))
			continue;
		for (unsigned k = 0; k < a->key_count && !err; k++) {
			char *at = (char *)key + a->keys[k].offset;
			uint32_t id;
			if (!value_kind_is_probe_name(a->keys[k].kind))
				continue;
			memcpy(&id, at, sizeof(id));
			uint32_t was = id;
			err = call(arg, &id);
			if (id != was)
				memcpy(at, &id, sizeof(id));
		}
		break;
	}
	return err;
}

/* --- records and values ----------------------------------------------------------------------- */

static struct error *mirror_full(void)
{
	return error_new("what it sends takes more than %u MiB here", REMOTE_BYTES_MOST >> 20);
}

static struct error *remote_record_take(struct remote_host *r, struct bytes b)
{
	struct record_header header;
	if (b.size < sizeof(header))
		return mirror_damaged("a record");
	memcpy(&header, b.data, sizeof(header));
	header.time = MIN(header.time + (uint64_t)r->clock_offset, clock_ns(CLOCK_MONOTONIC));
	struct error *err = probe_translate(r, &header.probe);
	if (!err && header.kind != RECORD_DATA && header.kind != RECORD_FAULT)
		err = mirror_damaged("a record");
	if (err)
		return err;
	strbuf_clear(&r->record);
	strbuf_add(&r->record, &header, sizeof(header));
	strbuf_add(&r->record, b.data + sizeof(header), b.size - sizeof(header));
	r->records++;
	r->setup.visit(r->setup.arg, r, r->record.text, (uint32_t)b.size);
	return r->queue.len > REMOTE_BYTES_MOST ? mirror_full() : NULL;
}

void remote_queue(struct remote_host *r, const void *record, uint32_t size, enum record_owner owner)
{
	struct record_header header;
	memcpy(&header, record, sizeof(header));
	header.seq = owner;
	frame_put_u64(&r->queue, size);
	strbuf_add(&r->queue, &header, sizeof(header));
	strbuf_add(&r->queue, (const char *)record + sizeof(header), size - sizeof(header));
	strbuf_fill(&r->queue, 0, ALIGN_UP(size, 8) - size);
}

static struct error *state_take(struct remote_host *r, struct bytes b)
{
	uint32_t region = bytes_u32(&b), offset = bytes_u32(&b);
	uint64_t size = 0;
	char *memory = region < REGION_GLOBALS ? state_region(&r->source, region, &size) : NULL;
	if (b.failed || !memory || offset > size || bytes_left(&b) > size - offset)
		return mirror_damaged("a state");
	memcpy(memory + offset, b.data + b.pos, bytes_left(&b));
	if (r->theirs[region])
		memcpy(r->theirs[region] + offset, b.data + b.pos, bytes_left(&b));
	return NULL;
}

void mirror_put(struct remote_host *r, unsigned map, const void *key, const void *value)
{
	const struct map_layout *m = &r->program.maps[map];
	void **place = store_place(&r->elements[map], key, m->key_size);
	if (!*place) {
		*place = mem_alloc(m->value_size);
		r->bytes += element_bytes(m);
	}
	memcpy(*place, value, m->value_size);
}

static struct error *element_take(struct remote_host *r, struct bytes b)
{
	uint32_t map = bytes_u32(&b);
	if (map >= r->program.map_count || r->program.maps[map].kind != MAP_AGGREGATION)
		return mirror_damaged("an element");
	const struct map_layout *m = &r->program.maps[map];
	const void *sent = bytes_take(&b, m->key_size), *value = bytes_take(&b, m->value_size);
	if (b.failed || bytes_left(&b))
		return mirror_damaged("an element");
	auto_free char *key = mem_alloc(m->key_size);
	memcpy(key, sent, m->key_size);
	struct error *err = key_probes(&r->program, map, key, probe_translate, r);
	if (err)
		return err;
	mirror_put(r, map, key, value);
	return NULL;
}

static struct error *frame_take(struct remote_host *r, const struct frame *f)
{
	struct bytes b = f->payload;
	switch (f->kind) {
	case FRAME_READY:
		return ready_take(r, b);
	case FRAME_PROBE:
		return names_take(r, b);
	case FRAME_RECORD:
		return r->is_ready ? remote_record_take(r, b) : mirror_damaged("a record");
	case FRAME_STATE:
		return r->is_ready ? state_take(r, b) : mirror_damaged("a state");
	case FRAME_ELEMENT:
		return r->is_ready ? element_take(r, b) : mirror_damaged("an element");
	case FRAME_SETTLED:
		r->settled = bytes_u64(&b);
		return NULL;
	case FRAME_MISSED:
		r->missed = bytes_u64(&b);
		return NULL;
	default:
		return error_new("it sends frames of the wrong side (%d)", (int)f->kind);
	}
}

struct error *remote_take(struct remote_host *r, const struct frame *f)
{
	struct error *err = frame_take(r, f);
	return err || r->bytes <= REMOTE_BYTES_MOST ? err : mirror_full();
}
