/* SPDX-License-Identifier: BSD-2-Clause */
/* Layouts of records, keys and values, maps, sizes; the code: verify_code.c */
#include "program/program_internal.h"

/* --- fields ------------------------------------------------------------------------- */

/* Bytes that F has at its offset. */
static uint32_t field_size(const struct value_field *f, bool in_key)
{
	if (f->kind == VALUE_STRING_CONST || (value_kind_is_probe_name(f->kind) && !in_key))
		return 0;
	if (value_kind_is_probe_name(f->kind))
		return 4;
	if (value_kind_is_ref(f->kind) && !in_key)
		return sizeof(struct record_ref);
	if (value_kind_is_symbol(f->kind))
		return value_symbol_size(f->kind);
	return f->size;
}

static uint32_t field_align(const struct value_field *f, bool in_key)
{
	if (f->kind == VALUE_INTEGER)
		return is_power_of_two(f->size) && f->size <= 8 ? f->size : 8;
	return value_kind_is_probe_name(f->kind) || (value_kind_is_ref(f->kind) && !in_key) ? 4 : 1;
}

/* F is part of WHAT, from BEGIN to END. */
static void verify_field(struct verify *v, const struct value_field *f, uint32_t begin,
			 uint32_t end, bool in_key, const char *what)
{
	uint32_t size = field_size(f, in_key);
	holds(v, f->kind <= VALUE_MEMORY, "%s: a field is of no kind", what);
	holds(v, f->kind != VALUE_STRING_CONST || f->text, "%s: a constant string has no text",
	      what);
	holds(v, f->kind != VALUE_MEMORY || !in_key, "%s: memory of any size is in a key", what);
	if (!size)
		return;
	holds(v, f->offset >= begin && offset_is_inside(f->offset, size, end),
	      "%s: a field at %u of %u bytes is outside of %u to %u", what, f->offset, size, begin,
	      end);
	holds(v, f->offset % field_align(f, in_key) == 0, "%s: a field at %u is not aligned", what,
	      f->offset);
	if (f->kind == VALUE_INTEGER)
		holds(v, is_power_of_two(size) && size <= 8 && f->column_size <= size,
		      "%s: a number has %u bytes, its column %u", what, size, f->column_size);
}

/* --- clauses ------------------------------------------------------------------------ */

static bool needs_format(enum action_kind kind)
{
	return kind == ACTION_PRINTF || kind == ACTION_SYSTEM || kind == ACTION_FREOPEN;
}

static void verify_action(struct verify *v, const struct clause_layout *c,
			  const struct action_layout *a, const char *what)
{
	uint32_t begin = (uint32_t)sizeof(struct record_header) + 8 * c->flag_words;
	holds(v, a->kind <= ACTION_DEFAULT, "%s: an action is of no kind", what);
	holds(v, !a->text_count || a->text_count < a->field_count,
	      "%s: a printed value has %u texts among %u fields", what, a->text_count,
	      a->field_count);
	for (unsigned i = 0; i < a->text_count && a->text_count < a->field_count; i++)
		holds(v, a->fields[a->field_count - 1 - i].kind == VALUE_STRING,
		      "%s: a text of a printed value is no string", what);
	holds(v, a->flag >= -1 && a->flag < (int64_t)c->flag_words * 64,
	      "%s: %s has flag %d of %u words", what, action_name(a->kind), a->flag, c->flag_words);
	holds(v, !needs_format(a->kind) || a->format, "%s: %s has no format", what,
	      action_name(a->kind));
	for (unsigned i = 0; i < a->field_count; i++)
		verify_field(v, &a->fields[i], begin, c->fixed_size, false, what);
	for (unsigned i = 0; i < a->aggregation_count; i++)
		holds(v, a->aggregations[i] < v->program->aggregation_count,
		      "%s: %s is for an aggregation that is not there", what, action_name(a->kind));
}

static void verify_clause(struct verify *v, const struct clause_layout *c, unsigned index)
{
	auto_free char *what = mem_printf("clause %u", index + 1);
	holds(v, c->epid == index + 1, "%s has epid %u", what, c->epid);
	holds(v, c->description && c->source, "%s does not say where it is", what);
	if (!c->records) /* its layout is never used */
		return;
	uint64_t begin = sizeof(struct record_header) + 8 * (uint64_t)c->flag_words;
	holds(v, c->fixed_size >= begin, "%s: a record of %u bytes has not room for its header",
	      what, c->fixed_size);
	holds(v, c->continues <= (uint64_t)c->flag_words * 64,
	      "%s: flag %u, of records that go on, is not one of %u words", what, c->continues,
	      c->flag_words);
	holds(v, !c->thread || (c->thread % 8 == 0 && c->thread >= begin),
	      "%s: %u is no place of a thread", what, c->thread);
	holds(v, !c->thread || c->thread + (uint64_t)sizeof(struct record_thread) <= c->fixed_size,
	      "%s: its thread is outside of its record", what);
	holds(v, c->fixed_size % 8 == 0, "%s: a record of %u bytes is not made of words", what,
	      c->fixed_size);
	holds(v, c->fixed_size <= v->program->largest_record,
	      "%s: a record of %u bytes is larger than the largest", what, c->fixed_size);
	for (unsigned i = 0; i < c->action_count && !v->err; i++)
		verify_action(v, c, &c->actions[i], what);
}

/* --- aggregations and maps ---------------------------------------------------------- */

static void verify_keyless(struct verify *v, const struct aggregation_layout *a, const char *what)
{
	holds(v, a->map == -1, "%s is of map %d and has no key", what, a->map);
	holds(v, offset_is_inside(a->keyless_offset, a->value_size, v->program->keyless_size),
	      "%s is outside of the keyless aggregations", what);
	holds(v, a->keyless_offset % 8 == 0, "%s is not aligned", what);
	holds(v, a->key_count == 0, "%s has keys of no size", what);
}

static void verify_keys(struct verify *v, const struct aggregation_layout *a, const char *what)
{
	if (!holds(v, a->map >= 0 && (unsigned)a->map < v->program->map_count,
		   "%s: map %d is not there", what, a->map))
		return;
	const struct map_layout *m = &v->program->maps[a->map];
	holds(v, m->kind == MAP_AGGREGATION, "%s: map %d is an array's", what, a->map);
	holds(v, m->key_size == a->key_size, "%s: keys of %u bytes in a map of %u", what,
	      a->key_size, m->key_size);
	holds(v, m->value_size == a->value_size, "%s: values of %u bytes in a map of %u", what,
	      a->value_size, m->value_size);
	uint32_t begin = a->key_id ? 4 : 0;
	for (unsigned i = 0; i < a->key_count; i++)
		verify_field(v, &a->keys[i], begin, a->key_size, true, what);
	if (a->shard_offset)
		holds(v,
		      a->shard_offset % 4 == 0 &&
			      offset_is_inside(a->shard_offset, sizeof(struct key_shard),
					       a->key_size),
		      "%s: the shard at %u is outside of its key", what, a->shard_offset);
	holds(v, !a->shard_offset || is_power_of_two(a->areas_per_shard),
	      "%s: %u areas share a shard", what, a->areas_per_shard);
}

static bool llquantize_is_possible(const struct llquantize *ll)
{
	return ll->factor > 1 && ll->steps && ll->low <= ll->high && ll->high < 64;
}

static void verify_aggregation(struct verify *v, const struct aggregation_layout *a)
{
	auto_free char *what = mem_printf("aggregation @%s", a->name ? a->name : "");
	holds(v, a->name, "%s has no name", what);
	holds(v, a->function < AGGREGATE_KINDS, "%s is of no function", what);
	holds(v, a->function != AGGREGATE_LLQUANTIZE || llquantize_is_possible(&a->ll),
	      "%s: llquantize() has impossible parameters", what);
	uint64_t words = v->err ? 0 : aggregation_words(a);
	holds(v, words <= UINT32_MAX / 8 && a->value_size >= words * 8 && a->value_size % 8 == 0,
	      "%s: %u bytes do not hold its value", what, a->value_size);
	holds(v, !a->sum_word || (a->sum_word >= words && a->sum_word < a->value_size / 8),
	      "%s: its sum is not behind its words", what);
	if (a->key_size)
		verify_keys(v, a, what);
	else
		verify_keyless(v, a, what);
	if (a->has_generations)
		holds(v,
		      a->generation_offset % 8 == 0 &&
			      offset_is_inside(a->generation_offset, 8, v->program->globals_size),
		      "%s: its generation is outside of the globals", what);
}

static void verify_map(struct verify *v, const struct map_layout *m, unsigned index)
{
	holds(v, m->kind <= MAP_ARRAY_VARIABLE, "map %u is of no kind", index);
	holds(v, m->name, "map %u has no name", index);
	holds(v, m->key_size, "map %u has no keys", index);
	holds(v, m->value_size && m->value_size % 8 == 0,
	      "map %u: values of %u bytes are not words", index, m->value_size);
	holds(v, m->max_entries, "map %u has room for nothing", index);
	holds(v, m->shards, "map %u: a key has no element", index);
}

/* --- the whole ---------------------------------------------------------------------- */

static bool are_zeros(const char *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (bytes[i])
			return false;
	return true;
}

static void verify_sizes(struct verify *v, const struct program *p)
{
	holds(v, p->version == RECORD_VERSION, "it is of version %u", p->version);
	holds(v, p->zeros_size <= p->constants_size, "%u zeros are more than %u bytes of constants",
	      p->zeros_size, p->constants_size);
	holds(v, v->err || are_zeros(p->constants, p->zeros_size), "the zeros are none");
	holds(v, p->globals_size % 8 == 0, "%u bytes of globals are not words", p->globals_size);
	holds(v, p->keyless_size % 64 == 0, "%u bytes of keyless aggregations are not lines",
	      p->keyless_size);
	holds(v, is_power_of_two(p->slot_size) && p->slot_size >= 256, "slots of %u bytes",
	      p->slot_size);
	holds(v, !p->suspended_size || p->suspended_size >= sizeof(struct suspended),
	      "%u bytes are too few for a suspended firing", p->suspended_size);
	holds(v, p->string_size, "strings have no size");
	holds(v, p->cpu_count, "there is no CPU");
	holds(v, p->area_count, "there is no area that firings add to");
}

/* Parts come one after the other, with one table. */
static void verify_parts(struct verify *v, unsigned i)
{
	const struct group_code *g = &v->program->groups[i], *next = g + 1;
	bool last = g->part + 1 == g->parts;
	holds(v, g->part < g->parts && g->parts <= PARTS_AT_MOST, "a group has part %u of %u",
	      g->part, g->parts);
	holds(v, !g->part || (i && g[-1].part + 1 == g->part), "a part comes after another");
	holds(v,
	      last || (i + 1 < v->program->group_count && next->kind == g->kind &&
		       next->part == g->part + 1 && next->parts == g->parts &&
		       next->table_entries == g->table_entries &&
		       next->table_entry_size == g->table_entry_size),
	      "the next part of a group is not its");
}

/* They are in the order of their kinds; entries that save values for returns come last. */
static void verify_order(struct verify *v)
{
	const struct program *p = v->program;
	unsigned descents = 0;
	for (unsigned i = 1; i < p->group_count; i++)
		descents += p->groups[i - 1].kind > p->groups[i].kind;
	holds(v, descents <= (p->call_size != 0), "groups are not in order");
}

struct error *program_verify(const struct program *p)
{
	struct verify v = { .program = p };
	verify_sizes(&v, p);
	for (unsigned i = 0; i < p->map_count && !v.err; i++)
		verify_map(&v, &p->maps[i], i);
	for (unsigned i = 0; i < p->aggregation_count && !v.err; i++)
		verify_aggregation(&v, &p->aggregations[i]);
	for (unsigned i = 0; i < p->clause_count && !v.err; i++)
		verify_clause(&v, &p->clauses[i], i);
	verify_order(&v);
	for (unsigned i = 0; i < p->group_count && !v.err; i++) {
		verify_parts(&v, i);
		verify_group(&v, &p->groups[i]);
	}
	return v.err;
}
