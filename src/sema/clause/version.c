/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * version - a clause again, for a probe that appears while the clause runs, or whose file is
 * another build
 *
 * The program runs: where its variables and aggregations are was decided from their types.  So a
 * version may not change them, as by a key of a wider type; what a check has changed is restored.
 * A pointer in a clause-local variable that no other clause names may be to the version's own type.
 */
#include "sema/sema_internal.h"

bool sema_reads_alike(struct sema *s, const struct tclause *c, const struct probe *p)
{
	if (c->reads_file_types && !(c->probe_count && probe_same_file(c->probes[0], p)))
		return false;
	if (!c->reads_args)
		return true;
	const struct probe_declaration *d = unit_declaration(s, p);
	if (d || c->declaration)
		return probe_declarations_same(c->declaration, d);
	return c->probe_count && probe_args_same_places(probe_db_arguments(s->probes, c->probes[0]),
							probe_db_arguments(s->probes, p));
}

const struct probe *sema_probe_of_module(struct sema *s, const char *module)
{
	struct tclause *c = s->clause;
	const struct probe_desc desc = { "", module, "", "" };
	if (!c || !c->probe_count || c->source || !probe_place_match(&desc, c->probes[0]) ||
	    !probe_db_of_every_process(s->probes, c->desc.provider))
		return NULL;
	c->reads_file_types = true;
	for (unsigned i = 1; i < c->probe_count; i++)
		files_differ(s, c->probes[0], c->probes[i]);
	return c->probes[0];
}

/* --- variables and aggregations --------------------------------------------------------------- */

/* Copies of all of them, and of their lists of key types. */
struct snapshot {
	struct arena *arena;
	struct variable *variables[3];
	struct aggregation *aggregations;
	const struct type ***key_types; /* of all, in this order */
	size_t lists;
};

static void keep_types(struct snapshot *t, const struct type *const *types, unsigned count)
{
	const struct type **copy = arena_alloc(t->arena, (count + 1) * sizeof(*copy));
	for (unsigned i = 0; i < count; i++)
		copy[i] = types[i];
	t->key_types[t->lists++] = copy;
}

static void version_snapshot_take(const struct sema *s, struct snapshot *t)
{
	*t = (struct snapshot) { .arena = arena_new() };
	size_t all = s->aggregations.count;
	for (unsigned scope = 0; scope < ARRAY_SIZE(s->variables); scope++)
		all += s->variables[scope].count;
	t->key_types = arena_alloc(t->arena, (all + 1) * sizeof(*t->key_types));
	for (unsigned scope = 0; scope < ARRAY_SIZE(s->variables); scope++) {
		const variable_vector *list = &s->variables[scope];
		t->variables[scope] =
			arena_alloc(t->arena, (list->count + 1) * sizeof(struct variable));
		for (size_t i = 0; i < list->count; i++) {
			memcpy(&t->variables[scope][i], list->items[i], sizeof(struct variable));
			keep_types(t, list->items[i]->key_types, list->items[i]->key_count);
		}
	}
	t->aggregations =
		arena_alloc(t->arena, (s->aggregations.count + 1) * sizeof(struct aggregation));
	for (size_t i = 0; i < s->aggregations.count; i++) {
		memcpy(&t->aggregations[i], s->aggregations.items[i], sizeof(struct aggregation));
		keep_types(t, s->aggregations.items[i]->key_types,
			   s->aggregations.items[i]->key_count);
	}
}

/* SIZE bytes at NOW are again those at BEFORE; were they not? */
static bool bytes_restore(void *now, const void *before, size_t size)
{
	bool changed = size && memcmp(now, before, size) != 0;
	if (changed)
		memcpy(now, before, size);
	return changed;
}

/* All as it was when T was taken.  Was something changed, except pointers of the version? */
static bool version_snapshot_restore(struct sema *s, const struct snapshot *t)
{
	bool changed = false;
	size_t list = 0;
	for (unsigned scope = 0; scope < ARRAY_SIZE(s->variables); scope++)
		for (size_t i = 0; i < s->variables[scope].count; i++) {
			struct variable *v = s->variables[scope].items[i];
			if (variable_may_retype(s, v, t->variables[scope][i].type))
				v->type = t->variables[scope][i].type;
			changed |= bytes_restore(v, &t->variables[scope][i], sizeof(*v));
			changed |= bytes_restore(v->key_types, t->key_types[list++],
						 v->key_count * sizeof(*v->key_types));
		}
	for (size_t i = 0; i < s->aggregations.count; i++) {
		struct aggregation *a = s->aggregations.items[i];
		changed |= bytes_restore(a, &t->aggregations[i], sizeof(*a));
		changed |= bytes_restore(a->key_types, t->key_types[list++],
					 a->key_count * sizeof(*a->key_types));
	}
	return changed;
}

/* --- versions --------------------------------------------------------------------------------- */

/* Diagnoses what VERSION of C must not do. */
static void version_check(struct sema *s, const struct tclause *c, struct tclause *version)
{
	struct snapshot before;
	version_snapshot_take(s, &before);
	s->is_version = true;
	bool grown = !clause_check_version(s, version), fine = !s->diagnostics->list.count;
	bool changed = version_snapshot_restore(s, &before);
	s->is_version = false;
	arena_free(before.arena);
	if (fine && c->declaration && version->declaration) {
		unit_check_alike(s, c, version);
		fine = !s->diagnostics->list.count;
	}
	if (fine && (grown || changed))
		diagnose(s->diagnostics, c->range, D_ARGS_MULTI,
			 "variables or aggregations would have other types");
}

struct tclause *sema_version(struct sema *s, const struct tclause *c, const struct probe *p,
			     struct diagnostics *d)
{
	struct tclause *version = ARENA_NEW(s->arena, struct tclause);
	*version = (struct tclause) {
		.index = c->index,
		.range = c->range,
		.node = c->node,
		.desc = c->desc,
		.probes = arena_alloc(s->arena, sizeof(*version->probes)),
		.probe_count = 1,
		.reads_args = true,
		.reads_file_types = c->reads_file_types,
		.is_made = c->is_made,
		.entries = c->entries,
		.saves = c->saves,
		.predicate = c->saves ? c->predicate : NULL,
		.declaration = unit_declaration(s, p),
	};
	version->probes[0] = p;
	s->diagnostics = d;
	version_check(s, c, version);
	s->diagnostics = NULL;
	return version;
}
