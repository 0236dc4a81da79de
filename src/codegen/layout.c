/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sizes and places, before any code: keys and their maps, variables, the slot, constants
 * (aggregations and records: layout_aggregation.c, layout_record.c)
 */
#include "codegen/layout.h"

/* --- keys ------------------------------------------------------------------------------ */

uint32_t aligned_to(uint32_t offset, uint32_t size)
{
	uint32_t align = size >= 8 || (size & (size - 1)) ? 8 : size ? size : 1;
	return ALIGN_UP(offset, align);
}

struct value_field key_field(const struct type *type, const struct texpr *sample, uint32_t bound)
{
	struct value_field f = { .kind = VALUE_INTEGER, .size = type_size(type) };
	f.is_signed = type_is_signed(type);
	switch (type->kind) {
	case TYPE_STRING:
		f.kind = VALUE_STRING;
		f.size = ALIGN_UP(bound + 1, 8);
		if (sample && is_probe_name(sample)) {
			f.kind = VALUE_PROBE_PROVIDER + (sample->builtin == BUILTIN_probemod) +
				 2 * (sample->builtin == BUILTIN_probefunc) +
				 3 * (sample->builtin == BUILTIN_probename);
			f.size = 4;
		}
		break;
	case TYPE_STACK:
		f.kind = sample && sample->stack.user ? VALUE_USTACK : VALUE_STACK;
		f.size = 8 * ((sample ? sample->stack.frames : 0) + (f.kind == VALUE_USTACK));
		break;
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		f.kind = sample ? sample->symbol.kind : VALUE_SYM;
		f.size = type->kind == TYPE_USYMADDR ? 16 : 8;
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ARRAY:
		f.kind = VALUE_BYTES;
		break;
	default:
		break;
	}
	return f;
}

/* The end of the fields, placed one after the other from OFFSET on. */
static uint32_t place_fields(struct value_field *fields, unsigned count, uint32_t offset)
{
	for (unsigned i = 0; i < count; i++) {
		offset = aligned_to(offset, fields[i].size);
		fields[i].offset = offset;
		offset += fields[i].size;
	}
	return offset;
}

static uint32_t power_of_two(uint32_t at_least, uint32_t size)
{
	while (at_least < size)
		at_least *= 2;
	return at_least;
}

static int map_like(const struct gen *g, const struct map_layout *m)
{
	for (size_t i = 0; i < g->maps.count; i++) {
		const struct map_layout *have = &g->maps.items[i];
		if (have->kind == m->kind && have->key_size == m->key_size &&
		    have->value_size == m->value_size && have->shards == m->shards)
			return (int)i;
	}
	return -1;
}

/*
 * Every array and aggregation has a map of its own, with keys of exactly their size, until a group
 * needs more maps than a program may have (group.c).  Then the program is laid out anew with
 * `share_maps`: keys begin with a number that says whose they are, and sizes are rounded up to
 * powers of two, so that a few maps do for all.
 */
#define ID_SIZE 8
#define SHARED_KEY_LEAST 32

struct key_place place_key(struct gen *g, struct value_field *fields, unsigned count,
			   struct map_layout m, bool has_shard, uint64_t room)
{
	struct key_place key = { .map = -1 };
	key.size = place_fields(fields, count, g->share_maps ? ID_SIZE : 0);
	if (has_shard) {
		key.shard_offset = ALIGN_UP(key.size, sizeof(struct key_shard));
		key.size = ALIGN_UP(key.shard_offset + (uint32_t)sizeof(struct key_shard), 8);
	}
	m.key_size = key.size;
	if (g->share_maps) {
		key.id = ++g->key_ids;
		m.key_size = key.size = power_of_two(SHARED_KEY_LEAST, key.size);
		m.value_size = power_of_two(8, m.value_size);
		key.map = map_like(g, &m);
	}
	g->program->zeros_size = MAX(g->program->zeros_size, key.size);
	if (key.map >= 0)
		return key;
	uint64_t element = (uint64_t)m.key_size + m.value_size + MAP_ELEMENT;
	m.max_entries = (uint32_t)MIN(MAX(room / element, 1u) * m.shards, UINT32_MAX);
	g->program->zeros_size = MAX(g->program->zeros_size, m.value_size);
	vector_push(&g->maps, m);
	key.map = (int)g->maps.count - 1;
	return key;
}

/* --- variables --------------------------------------------------------------------------- */

bool variable_in_frame(const struct variable *v)
{
	return type_is_scalar(v->type) && v->offset != UINT32_MAX && v->map == -2;
}

#define THIS_IN_FRAME 16

static uint32_t variable_size(const struct gen *g, const struct variable *v)
{
	return v->type->kind == TYPE_STRING ? string_room(g) : ALIGN_UP(type_size(v->type), 8);
}

static void layout_array(struct gen *g, struct variable *v)
{
	uint32_t *bounds = bounds_of(g, &v->key_bounds, v->key_count);
	unsigned count = v->key_count + (v->scope == SCOPE_SELF);
	struct value_field *fields = arena_alloc(g->arena, count * sizeof(*fields));
	for (unsigned i = 0; i < v->key_count; i++)
		fields[i] = key_field(type_resolve(v->key_types[i]), NULL, bounds[i]);
	if (v->scope == SCOPE_SELF) /* the thread, behind the keys */
		fields[v->key_count] = (struct value_field) { .kind = VALUE_INTEGER, .size = 8 };
	struct map_layout m = {
		.kind = MAP_ARRAY_VARIABLE,
		.name = v->name,
		.value_size = variable_size(g, v),
		.shards = 1,
	};
	struct key_place key = place_key(g, fields, count, m, false, g->options->dynamic_size);
	v->key_fields = fields;
	v->key_size = key.size;
	v->key_id = key.id;
	v->map = key.map;
}

static void layout_this(struct gen *g, struct variable *v)
{
	if (!g->spill && type_is_scalar(v->type) && g->this_frame_size < THIS_IN_FRAME * 8) {
		v->map = -2;
		v->offset = g->this_frame_size;
		g->this_frame_size += 8;
	} else {
		v->map = -1;
		v->offset = g->this_slot_size;
		g->this_slot_size += variable_size(g, v);
	}
}

/* A thread's block begins with its serial number, which names it in the keys of self arrays. */
static void layout_serial(struct gen *g)
{
	if (g->typed->variable_count[SCOPE_SELF])
		g->program->self_size = 8;
}

/*
 * Task storage holds a little less than 64 KB for a thread.  A self variable beyond that (strings
 * under a great strsize, most often) is a self array without keys.
 */
#define SELF_BLOCK_MAX (60u << 10)

/* What is set to 0, or read of a thread that has none, is copied from the zeros. */
static void layout_block(struct gen *g, struct variable *v, uint32_t *size)
{
	v->offset = *size;
	v->map = -1;
	v->key_fields = NULL;
	*size += variable_size(g, v);
	g->program->zeros_size = MAX(g->program->zeros_size, variable_size(g, v));
}

static void layout_self(struct gen *g, struct variable *v)
{
	uint32_t *size = &g->program->self_size;
	if (*size + variable_size(g, v) <= SELF_BLOCK_MAX)
		layout_block(g, v, size);
	else
		layout_array(g, v);
}

/*
 * Bytes are copied to variables through pointers, as many as are known at run time.  That they fit
 * where they go is no more known to the verifier than where that is, and how many they are, so
 * behind the last variable there is as much as the largest has, if LIMIT allows.
 */
static void layout_run_time_room(struct gen *g, enum scope scope, uint32_t *size, uint32_t limit)
{
	uint32_t most = 0;
	for (unsigned i = 0; i < g->typed->variable_count[scope]; i++) {
		const struct variable *v = g->typed->variables[scope][i];
		if (v->is_pointed_to && !v->key_fields)
			most = MAX(most, type_size(v->type));
	}
	if (!g->copies_at_run_time)
		return;
	g->run_time_room[scope] = MIN(ALIGN_UP(most, 8), limit - MIN(*size, limit));
	*size += g->run_time_room[scope];
}

static void layout_variables(struct gen *g)
{
	layout_serial(g);
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++) {
		for (unsigned i = 0; i < g->typed->variable_count[scope]; i++) {
			struct variable *v = g->typed->variables[scope][i];
			if (v->is_array)
				layout_array(g, v);
			else if (scope == SCOPE_THIS)
				layout_this(g, v);
			else if (scope == SCOPE_SELF)
				layout_self(g, v);
			else
				layout_block(g, v, &g->program->globals_size);
		}
	}
	layout_run_time_room(g, SCOPE_GLOBAL, &g->program->globals_size, UINT32_MAX);
	layout_run_time_room(g, SCOPE_SELF, &g->program->self_size, SELF_BLOCK_MAX);
}

/* --- the whole ------------------------------------------------------------------------------- */

static uint32_t literal_place(struct gen *g, const char *text, uint32_t len)
{
	strbuf_fill(&g->constants, 0, ALIGN_UP(g->constants.len, 8) - g->constants.len);
	uint32_t offset = (uint32_t)g->constants.len;
	uint64_t tag = (uint64_t)len + 1;
	strbuf_add(&g->constants, &tag, sizeof(tag));
	strbuf_add(&g->constants, text, MIN(len, g->options->string_size));
	strbuf_putc(&g->constants, 0);
	return offset;
}

uint32_t constant_string(struct gen *g, const char *text, uint32_t len)
{
	len = (uint32_t)strnlen(text, len);
	void **place = hash_place(g->literals, text, len);
	if (!*place)
		*place = (void *)(uintptr_t)literal_place(g, text, len);
	return (uint32_t)(uintptr_t)*place;
}

static void layout_slot(struct gen *g, uint32_t alloca_size)
{
	uint32_t next = (uint32_t)sizeof(struct slot) + g->this_slot_size;
	if (g->token_at) {
		g->token_at = next;
		next += string_room(g);
	}
	if (g->spill) {
		g->spill_at = next;
		next += 8 * g->temps_max;
	}
	g->alloca_begin = next;
	g->alloca_dynamic = alloca_dynamic_room(g);
	g->alloca_end = next + alloca_size + g->alloca_dynamic;
	g->slot_first = g->slot_max = g->alloca_end;
	g->program->zeros_size = MAX(g->program->zeros_size, g->this_slot_size);
	if (alloca_size + g->alloca_dynamic)
		g->program->zeros_size =
			MAX(g->program->zeros_size, MAX(g->options->scratch_size, alloca_size));
}

/*
 * A system call's return is too late for what is written to the process's memory before the call
 * reads it: with copyout() at an entry, none waits.
 */
static void layout_waiting(struct gen *g)
{
	uint32_t size = waiting_size(g);
	if (g->reads_at_entry && !g->writes_at_entry && !g->points_at_entry &&
	    size <= SELF_BLOCK_MAX)
		g->program->waiting_size = size;
}

void layout_program(struct gen *g)
{
	uint32_t alloca_size = survey(g);
	g->program->zeros_size = string_room(g) + 16;
	layout_variables(g);
	unsigned count = g->typed->aggregation_count;
	g->aggregations = arena_alloc(g->arena, (count + 1) * sizeof(*g->aggregations));
	for (unsigned i = 0; i < count; i++)
		layout_aggregation(g, g->typed->aggregations[i], &g->aggregations[i]);
	g->program->keyless_size = ALIGN_UP(g->program->keyless_size, 64);
	layout_slot(g, alloca_size);
	layout_waiting(g);
	g->program->zeros_size = ALIGN_UP(g->program->zeros_size, 8);
	strbuf_fill(&g->constants, 0, g->program->zeros_size);
	g->clauses = arena_alloc(g->arena, (g->typed->clause_count + 1) * sizeof(*g->clauses));
	g->tails = arena_alloc(g->arena, (g->typed->clause_count + 1) * sizeof(*g->tails));
}
