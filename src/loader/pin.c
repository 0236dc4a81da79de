/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loaded programs continue without us, and are adopted by another process
 *
 *   layout-0      struct layout: data that the kernel does not return
 *   state-0, map-N, ring-N or flight-0, program-N, parts-N
 *
 * All other objects (scratch memory, constants, task storage) are held by the programs.  The
 * adopting process compiles the same D text again, which gives all layouts of records, variables
 * and aggregations; the fingerprint shows whether they are those of the running programs.
 */
#include <string.h>

#include "loader/internal.h"

struct layout {
	uint64_t fingerprint;
	uint32_t ring_size, ring_count;
	uint32_t flight_count, flight_stride;
	int32_t one_cpu, unused;
};

/* --- the fingerprint --- */

static void mix(uint64_t *sum, const void *data, size_t size)
{
	*sum = hash_more(*sum, data, size);
}

static void mix_number(uint64_t *sum, uint64_t number)
{
	mix(sum, &number, sizeof(number));
}

static void mix_group(uint64_t *sum, const struct group_code *h)
{
	mix_number(sum, h->kind);
	mix_number(sum, h->event_count);
	mix_number(sum, h->passes);
	mix(sum, h->code, h->count * sizeof(*h->code));
	mix(sum, h->relocations, h->relocation_count * sizeof(*h->relocations));
	mix(sum, h->probe_table, (size_t)h->table_entries * h->table_entry_size);
}

static void mix_clause(uint64_t *sum, const struct clause_layout *c)
{
	mix_number(sum, c->epid);
	mix_number(sum, c->flag_words);
	mix_number(sum, c->thread);
	mix_number(sum, c->fixed_size);
	for (unsigned i = 0; i < c->action_count; i++) {
		mix_number(sum, c->actions[i].kind);
		mix_number(sum, c->actions[i].field_count);
		for (unsigned k = 0; k < c->actions[i].field_count; k++) {
			mix_number(sum, c->actions[i].fields[k].kind);
			mix_number(sum, c->actions[i].fields[k].offset);
			mix_number(sum, c->actions[i].fields[k].size);
		}
	}
}

static void mix_state(uint64_t *sum, const struct program *p)
{
	const uint64_t numbers[] = {
		p->version,	 p->globals_size, p->keyless_size, p->self_size, p->suspended_size,
		p->slot_size,	 p->string_size,  p->area_count,   p->cpu_count, p->drops_by_clause,
		p->clause_count, p->map_count,	  p->group_count,
	};
	mix(sum, numbers, sizeof(numbers));
	mix(sum, p->constants, p->constants_size);
	for (unsigned i = 0; i < p->map_count; i++) {
		mix_number(sum, p->maps[i].key_size);
		mix_number(sum, p->maps[i].value_size);
	}
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		mix_number(sum, p->aggregations[i].function);
		mix_number(sum, (uint64_t)p->aggregations[i].map);
		mix_number(sum, p->aggregations[i].keyless_offset);
		mix_number(sum, p->aggregations[i].key_id);
	}
}

/* The library's code identifies the build: another dtrace may have another layout of the state. */
static uint64_t fingerprint(const struct program *p, uint64_t names)
{
	uint64_t sum = HASH_OF_NOTHING;
	mix_number(&sum, names);
	mix_state(&sum, p);
	for (unsigned i = 0; i < p->group_count; i++)
		mix_group(&sum, &p->groups[i]);
	for (unsigned i = 0; i < p->clause_count; i++)
		mix_clause(&sum, &p->clauses[i]);
	mix(&sum, runtime_bytes().data, runtime_bytes().size);
	mix(&sum, runtime_form_bytes().data, runtime_form_bytes().size);
	return sum;
}

/* --- pinning --- */

static struct error *pin_all(const char *dir, const char *kind, const int *fds, size_t count)
{
	struct error *err = NULL;
	for (size_t i = 0; i < count && !err; i++)
		err = pin_make(&(struct pin_name) { dir, kind, i }, fds[i]);
	return err;
}

static struct error *pin_loaded(const struct kernel_run *run, uint64_t names, const char *dir)
{
	const struct loaded *l = &run->loaded;
	const struct program *p = l->program;
	struct layout layout = {
		.fingerprint = fingerprint(p, names),
		.ring_size = l->ring_size,
		.ring_count = l->ring_count,
		.flight_count = l->flight_count,
		.flight_stride = l->flight_stride,
		.one_cpu = run->one_cpu,
	};
	struct error *err =
		pin_bytes(&(struct pin_name) { dir, "layout", 0 }, &layout, sizeof(layout));
	if (!err)
		err = pin_all(dir, "state", &l->library[LIBRARY_state], 1);
	if (!err)
		err = pin_all(dir, "flight", &l->library[LIBRARY_flight], l->flight != NULL);
	if (!err)
		err = pin_all(dir, "map", l->maps, p->map_count);
	if (!err)
		err = pin_all(dir, "ring", l->rings, l->ring_count);
	if (!err) /* the kernel empties one without a holder */
		err = pin_all(dir, "parts", l->parts.items, l->parts.count);
	return err ? err : pin_all(dir, "program", l->programs, p->group_count);
}

/* Links come last: a process killed before leaves no attached program. */
struct error *loader_pin(void *self, uint64_t names, const char *dir)
{
	struct kernel_run *run = self;
	struct error *err = pin_loaded(run, names, dir);
	return err ? err : link_set_pin(&run->links, dir);
}

/* --- adopting --- */

static struct error *open_all(struct loaded *l, const char *dir, const char *kind, int *fds,
			      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct error *err = pin_open(&(struct pin_name) { dir, kind, i }, &fds[i]);
		if (err)
			return err;
		vector_push(&l->descriptors, fds[i]);
	}
	return NULL;
}

static struct error *read_layout(const char *dir, struct layout *ret)
{
	auto_free void *bytes = NULL;
	uint32_t size;
	struct error *err = pin_read_bytes(&(struct pin_name) { dir, "layout", 0 }, &bytes, &size);
	if (err)
		return err;
	if (size != sizeof(*ret))
		return error_new("another version of dtrace has made it");
	memcpy(ret, bytes, size);
	return NULL;
}

static struct error *open_flight(struct loaded *l, const char *dir)
{
	int flight;
	l->flight_size = (size_t)l->flight_stride * l->flight_count;
	struct error *err = open_all(l, dir, "flight", &flight, 1);
	return err ? err : map_memory(flight, l->flight_size, &l->flight);
}

static struct error *open_parts(struct loaded *l, const char *dir)
{
	for (unsigned i = 0; i < l->program->group_count; i++) {
		const struct group_code *g = &l->program->groups[i];
		int array;
		if (g->parts == 1 || g->part)
			continue;
		struct error *err =
			pin_open(&(struct pin_name) { dir, "parts", l->parts.count }, &array);
		if (err)
			return err;
		vector_push(&l->parts, array);
		vector_push(&l->descriptors, array);
	}
	return NULL;
}

static struct error *loaded_adopt(struct loaded *l, const char *dir)
{
	const struct program *p = l->program;
	int state;
	struct error *err = open_all(l, dir, "state", &state, 1);
	if (!err)
		err = map_state(state, p, l);
	if (!err && l->flight_count)
		err = open_flight(l, dir);
	if (!err)
		err = open_all(l, dir, "map", l->maps, p->map_count);
	if (!err)
		err = open_all(l, dir, "ring", l->rings, l->ring_count);
	if (!err)
		err = open_parts(l, dir);
	return err ? err : open_all(l, dir, "program", l->programs, p->group_count);
}

struct error *loader_adopt(const struct program *p, uint64_t names, const char *dir,
			   struct kernel_run *run)
{
	struct layout layout;
	struct error *err = read_layout(dir, &layout);
	if (err)
		return err;
	if (layout.fingerprint != fingerprint(p, names) || layout.ring_count > p->area_count)
		return error_new("its programs do not compile to the running code: dtrace, "
				 "its libraries or the system have changed since");
	struct loaded l = loaded_init(p);
	l.ring_size = layout.ring_size;
	l.ring_count = layout.ring_count;
	l.flight_count = layout.flight_count;
	l.flight_stride = layout.flight_stride;
	err = loaded_adopt(&l, dir);
	if (!err)
		err = link_set_open(&run->links, dir);
	if (err) {
		link_set_deinit(&run->links);
		loaded_deinit(&l);
		return err;
	}
	run->loaded = l;
	run->one_cpu = layout.one_cpu;
	return NULL;
}
