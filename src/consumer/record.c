/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record - is a record what its clause says?
 *
 * The layouts are checked once, when the consumer is made, so that a record
 * costs only its size and its references.
 */
#include <string.h>

#include "consumer/internal.h"

/* Bytes of a field in the fixed part. */
static uint32_t field_room(const struct value_field *f)
{
	switch (f->kind) {
	case VALUE_STRING_CONST:
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		return 0;
	case VALUE_STRING:
	case VALUE_STACK:
	case VALUE_USTACK:
	case VALUE_MEMORY:
		return sizeof(struct record_ref);
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		return value_symbol_size(f->kind);
	case VALUE_INTEGER:
	case VALUE_STRING_INLINE:
	case VALUE_BYTES:
	case VALUE_FLOAT:
		return f->size;
	}
	return 0;
}

static bool size_is_right(const struct value_field *f)
{
	switch (f->kind) {
	case VALUE_INTEGER:
		return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8;
	case VALUE_FLOAT:
		return f->size == 4 || f->size == 8 || f->size == 16;
	case VALUE_STRING_CONST:
		return f->text != NULL;
	default:
		return true;
	}
}

static bool field_is_sound(const struct clause_layout *clause, const struct value_field *f)
{
	uint32_t room = field_room(f);
	uint64_t begin = sizeof(struct record_header) + 8 * (uint64_t)clause->flag_words;
	return size_is_right(f) &&
	       (room == 0 ||
		(f->offset >= begin && (uint64_t)f->offset + room <= clause->fixed_size));
}

static bool action_is_sound(const struct program *p, const struct clause_layout *clause,
			    const struct action_layout *action)
{
	if (action->flag >= 0 && (uint32_t)action->flag / 64 >= clause->flag_words)
		return false;
	for (unsigned i = 0; i < action->field_count; i++)
		if (!field_is_sound(clause, &action->fields[i]))
			return false;
	for (unsigned i = 0; i < action->aggregation_count; i++)
		if (action->aggregations[i] >= p->aggregation_count)
			return false;
	return true;
}

static struct error *clause_check_init(struct consumer *c, const struct program *p,
				       const struct clause_layout *clause,
				       struct clause_check *check)
{
	uint64_t least = sizeof(struct record_header) + 8 * (uint64_t)clause->flag_words;
	uint64_t thread_end = clause->thread + (uint64_t)sizeof(struct record_thread);
	bool has_thread = clause->thread >= least && thread_end <= clause->fixed_size;
	bool is_sound = !clause->records ||
			(clause->fixed_size >= least && (!clause->thread || has_thread));
	unsigned refs = 0;
	for (unsigned i = 0; i < clause->action_count && is_sound; i++) {
		const struct action_layout *action = &clause->actions[i];
		is_sound = action_is_sound(p, clause, action);
		for (unsigned j = 0; j < action->field_count; j++)
			refs += value_kind_is_ref(action->fields[j].kind);
	}
	if (!is_sound)
		return error_new("the record layout of clause %u contradicts itself", clause->epid);

	check->refs = arena_alloc(c->arena, refs * sizeof(*check->refs) + 1);
	for (unsigned i = 0; i < clause->action_count; i++) {
		const struct action_layout *action = &clause->actions[i];
		for (unsigned j = 0; j < action->field_count; j++)
			if (value_kind_is_ref(action->fields[j].kind))
				check->refs[check->ref_count++] =
					(struct ref_place) { action->flag,
							     action->fields[j].offset };
	}
	return NULL;
}

static bool key_is_sound(const struct aggregation_layout *layout, const struct value_field *key)
{
	if (key->kind == VALUE_STRING_CONST)
		return key->text != NULL;
	uint32_t room = value_kind_is_probe_name(key->kind)
				? 4
				: (value_kind_is_ref(key->kind) ? key->size : field_room(key));
	return size_is_right(key) && (uint64_t)key->offset + room <= layout->key_size;
}

static bool aggregation_is_sound(const struct program *p, const struct aggregation_layout *layout)
{
	for (unsigned i = 0; i < layout->key_count; i++)
		if (!key_is_sound(layout, &layout->keys[i]))
			return false;
	bool has_map = layout->map >= 0;
	return layout->value_size / 8 >= aggregation_words(layout) &&
	       has_map == (layout->key_size > 0) &&
	       (!has_map || (unsigned)layout->map < p->map_count);
}

static struct error *joins_check(const struct program *p)
{
	for (unsigned i = 0; i < p->clause_count; i++)
		for (unsigned j = 0; j < p->clauses[i].action_count; j++) {
			struct error *err = keys_check_join(p, &p->clauses[i].actions[j]);
			if (err)
				return err;
		}
	return NULL;
}

struct error *checks_new(struct consumer *c, struct input *input)
{
	const struct program *p = input->source.program;
	input->checks = arena_alloc(c->arena, p->clause_count * sizeof(*input->checks) + 1);
	for (unsigned i = 0; i < p->clause_count; i++) {
		struct error *err = clause_check_init(c, p, &p->clauses[i], &input->checks[i]);
		if (err)
			return err;
	}
	for (unsigned i = 0; i < p->aggregation_count; i++)
		if (!aggregation_is_sound(p, &p->aggregations[i]))
			return error_new("the layout of @%s contradicts itself",
					 p->aggregations[i].name);
	return joins_check(p);
}

/* --- one record ------------------------------------------------------------------------- */

static const char *data_problem(const struct clause_check *check, const struct record *r)
{
	if (r->size < r->clause->fixed_size)
		return "it ends inside its fixed part";
	for (unsigned i = 0; i < check->ref_count; i++) {
		struct record_ref ref;
		memcpy(&ref, (const char *)r->header + check->refs[i].offset, sizeof(ref));
		if (!record_flag(r, check->refs[i].flag))
			continue;
		if (ref.offset > r->size || ref.size > r->size - ref.offset)
			return "a string or stack is outside of it";
	}
	return NULL;
}

static const char *record_damage(const struct consumer *c, const struct input *input,
				 struct record *r)
{
	const struct program *p = input->source.program;
	if (r->size < sizeof(*r->header))
		return "it is shorter than its header";
	if (r->header->cpu >= c->setup.cpu_count)
		return "its CPU is unknown";
	if (r->header->clause >= p->clause_count)
		return "its clause is unknown";
	r->clause = &p->clauses[r->header->clause];
	r->probe = consumer_probe(c, r->header->probe);
	if (!r->probe)
		return "its probe is unknown";
	switch (r->header->kind) {
	case RECORD_DATA:
		return r->clause->records ? data_problem(&input->checks[r->header->clause], r)
					  : "its clause leaves no records";
	case RECORD_FAULT:
		return r->size < sizeof(*r->header) + sizeof(struct record_fault)
			       ? "it ends inside its fault"
			       : NULL;
	default:
		return "its kind is unknown";
	}
}

void record_check(const struct consumer *c, const struct lane *lane, const void *data,
		  uint32_t size, struct record *ret)
{
	*ret = (struct record) {
		.header = data, .size = size, .cpu = (int)lane->area, .source = lane->input->number
	};
	ret->problem = record_damage(c, lane->input, ret);
	if (lane->input->source.host && size >= sizeof(*ret->header)) {
		ret->host = ret->header->seq == OWNER_ALL ? NULL : lane->input->source.host;
		ret->is_again = ret->header->seq == OWNER_AGAIN;
	}
	if (!ret->problem) /* areas may share a buffer, and need not be CPUs */
		ret->cpu = ret->header->cpu;
}

void record_read(const struct consumer *c, unsigned source, unsigned area, const void *data,
		 uint32_t size, struct record *ret)
{
	struct lane lane = { &c->inputs[source], area };
	record_check(c, &lane, data, size, ret);
}
