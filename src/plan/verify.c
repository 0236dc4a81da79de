/* SPDX-License-Identifier: BSD-2-Clause */
/* The promises of plan.h, verified */
#include "plan/plan.h"

/* Bytes of a region, and their owner. */
struct range_of_bytes {
	uint32_t begin, end;
};

typedef VECTOR(struct range_of_bytes) range_vector;

static int compare_ranges(const void *a, const void *b)
{
	const struct range_of_bytes *x = a, *y = b;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Are all within SIZE bytes, and do none overlap? The list is freed. */
static bool are_apart(range_vector *list, uint32_t size)
{
	bool fine = true;
	uint32_t end = 0;
	if (list->count) /* else there may be no array */
		qsort(list->items, list->count, sizeof(*list->items), compare_ranges);
	for (size_t i = 0; i < list->count; i++) {
		fine &= list->items[i].begin >= end;
		end = list->items[i].end;
	}
	vector_free(list);
	return fine && end <= size;
}

static void add_range(range_vector *list, uint32_t begin, uint32_t size)
{
	vector_push(list, (struct range_of_bytes) { begin, begin + size });
}

static uint32_t variable_size(const struct plan *p, const struct variable *v)
{
	return v->type->kind == TYPE_STRING ? plan_string_room(p) : type_size(v->type);
}

static bool variables_are_apart(const struct plan *p, enum scope scope, enum home home,
				uint32_t size)
{
	range_vector list = { 0 };
	for (unsigned i = 0; i < p->typed->variable_count[scope]; i++) {
		const struct variable_place *place = &p->variables[scope][i];
		uint32_t bytes = variable_size(p, p->typed->variables[scope][i]);
		if (place->home == home)
			add_range(&list, place->offset, home == HOME_FRAME ? 8 : bytes);
	}
	for (unsigned i = 0; scope == SCOPE_GLOBAL && i < p->typed->aggregation_count; i++)
		if (p->aggregations[i].has_generations)
			add_range(&list, p->aggregations[i].generation_offset, sizeof(uint64_t));
	return are_apart(&list, size);
}

static bool key_is_right(const struct plan *p, const struct key_place *key)
{
	range_vector list = { 0 };
	if (key->map < 0 || key->map >= (int)p->map_count ||
	    p->maps[key->map].key_size != key->size || (key->id != 0) != p->limits.share_maps)
		return false;
	if (key->id)
		add_range(&list, 0, sizeof(uint64_t));
	for (unsigned i = 0; i < key->count; i++)
		add_range(&list, key->fields[i].offset, key->fields[i].size);
	if (key->shard_offset)
		add_range(&list, key->shard_offset, sizeof(struct key_shard));
	return are_apart(&list, key->size);
}

static bool keys_are_right(const struct plan *p)
{
	bool fine = true;
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < p->typed->variable_count[scope]; i++)
			if (p->variables[scope][i].home == HOME_MAP)
				fine &= key_is_right(p, &p->variables[scope][i].key);
	for (unsigned i = 0; i < p->typed->aggregation_count; i++) {
		struct key_place key = plan_aggregation_key(&p->aggregations[i]);
		fine &= !key.count || key_is_right(p, &key);
	}
	return fine;
}

static bool keyless_is_right(const struct plan *p)
{
	range_vector list = { 0 };
	for (unsigned i = 0; i < p->typed->aggregation_count; i++)
		if (p->aggregations[i].map < 0)
			add_range(&list, p->aggregations[i].keyless_offset,
				  p->aggregations[i].value_size);
	return are_apart(&list, p->keyless_size);
}

static bool records_are_right(const struct plan *p)
{
	bool fine = true;
	for (unsigned i = 0; i < p->typed->clause_count; i++) {
		const struct clause_layout *c = &p->clauses[i].layout;
		range_vector list = { 0 };
		add_range(&list, 0, (uint32_t)sizeof(struct record_header) + 8 * c->flag_words);
		if (c->thread)
			add_range(&list, c->thread, sizeof(struct record_thread));
		for (unsigned j = 0; j < c->action_count; j++)
			for (unsigned k = 0; k < c->actions[j].field_count; k++)
				if (c->actions[j].fields[k].size)
					add_range(&list, c->actions[j].fields[k].offset,
						  c->actions[j].fields[k].size);
		fine &= are_apart(&list, c->fixed_size);
	}
	return fine;
}

static bool slot_is_right(const struct plan *p)
{
	uint32_t next = p->pieces_at + p->piece_count * (uint32_t)sizeof(struct piece);
	bool fine = p->alloca_begin >= next && p->alloca_end >= p->alloca_begin &&
		    (!p->token_at || p->token_at >= next);
	for (unsigned i = 0; i < p->typed->clause_count; i++) {
		const struct clause_alloca *a = &p->clauses[i].alloca;
		uint32_t kept = p->alloca_begin + p->alloca_shared;
		fine &= p->alloca_begin + a->at + a->size <= p->alloca_end - p->alloca_dynamic;
		fine &= a->is_kept ? p->alloca_begin + a->at >= kept
				   : p->alloca_begin + a->at + a->size <= kept;
	}
	return fine;
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool events_are_right(const struct event_group *g)
{
	bool fine = g->event_count > 0 && g->passes > 0;
	for (uint32_t i = 0; i < g->event_count; i++) {
		const struct group_event *e = &g->events[i];
		fine &= e->event->kind == g->kind && e->probe_count > 0 &&
			e->probe_count <= g->passes && e->layout < g->layout_count;
		for (unsigned k = 1; k < e->probe_count; k++)
			fine &= e->probes[k - 1]->id < e->probes[k]->id;
	}
	return fine;
}

static bool parts_are_right(const struct event_group *g)
{
	uint32_t next = 0;
	bool fine = g->part_count > 0 && g->part_count <= PARTS_AT_MOST;
	for (uint32_t i = 0; i < g->part_count; i++) {
		fine &= g->parts[i].begin == next && g->parts[i].end > next;
		next = g->parts[i].end;
	}
	return fine && next == g->clause_count * g->passes;
}

static bool group_is_right(const struct event_group *g)
{
	bool fine = events_are_right(g) && parts_are_right(g);
	for (uint32_t i = 0; i < g->clause_count; i++) {
		const struct group_clause *c = &g->clauses[i];
		fine &= c->entry_count > 0;
		const struct tclause *before = i ? g->clauses[i - 1].clause : NULL;
		fine &= !before || (before->saves && !c->clause->saves) ||
			(!before->saves == !c->clause->saves && before->index < c->clause->index);
		for (uint32_t k = 0; k < c->entry_count; k++)
			fine &= c->entries[k] < g->event_count * g->passes;
	}
	return fine;
}

static uint64_t events_of(const struct tclause *clause)
{
	uint64_t count = 0;
	for (unsigned i = 0; i < clause->probe_count; i++)
		for (const struct probe_event *e = clause->probes[i]->events; e; e = e->next)
			count += clause_is_on(clause, e);
	return count;
}

/* In each event of its probes, of a formula those of its source, each clause is once. */
static bool groups_are_right(const struct plan *p)
{
	bool fine = true;
	auto_free uint64_t *found = mem_zalloc((p->typed->clause_count + 1) * sizeof(*found));
	for (unsigned i = 0; i < p->groups.count; i++) {
		const struct event_group *g = &p->groups.items[i];
		fine &= group_is_right(g);
		for (uint32_t k = 0; k < g->clause_count; k++)
			found[g->clauses[k].clause->index] += g->clauses[k].entry_count;
	}
	for (unsigned i = 0; i < p->typed->clause_count; i++)
		fine &= found[i] == events_of(p->typed->clauses[i]);
	return fine;
}

const char *plan_verify(const struct plan *p)
{
	if (!groups_are_right(p))
		return "a clause is not in the groups of its events";
	if (!variables_are_apart(p, SCOPE_GLOBAL, HOME_BLOCK, p->globals_size))
		return "two of the globals are at one place";
	if (!variables_are_apart(p, SCOPE_SELF, HOME_BLOCK, p->self_size))
		return "two self variables are at one place";
	if (!variables_are_apart(p, SCOPE_THIS, HOME_FRAME, p->this_frame_size) ||
	    !variables_are_apart(p, SCOPE_THIS, HOME_SLOT, p->this_slot_size))
		return "two this variables are at one place";
	if (!keys_are_right(p))
		return "a key is not that of its map";
	if (!keyless_is_right(p))
		return "two keyless aggregations are at one place";
	if (!records_are_right(p))
		return "two fields of a record are at one place";
	if (!slot_is_right(p))
		return "two things in the slot are at one place";
	return NULL;
}
