/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/live/versions.h"

#include <stdlib.h>

#include "tracer/live/live.h"

/* --- layouts ---------------------------------------------------------------------------------- */

static bool fields_agree(const struct value_field *a, const struct value_field *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (a[i].kind != b[i].kind || a[i].offset != b[i].offset ||
		    a[i].size != b[i].size || a[i].is_signed != b[i].is_signed ||
		    a[i].is_text != b[i].is_text ||
		    (a[i].text && b[i].text && !string_equal(a[i].text, b[i].text)))
			return false;
	return true;
}

static bool actions_agree(const struct action_layout *a, const struct action_layout *b)
{
	return a->kind == b->kind && a->flag == b->flag && a->field_count == b->field_count &&
	       (!a->type) == (!b->type) && (!a->type || probe_types_same(a->type, b->type)) &&
	       fields_agree(a->fields, b->fields, a->field_count);
}

static bool records_agree(const struct clause_layout *a, const struct clause_layout *b)
{
	bool agree = a->action_count == b->action_count && a->fixed_size == b->fixed_size &&
		     a->flag_words == b->flag_words;
	for (unsigned i = 0; i < a->action_count && agree; i++)
		agree = actions_agree(&a->actions[i], &b->actions[i]);
	return agree;
}

static bool aggregations_agree(const struct program *a, const struct program *b)
{
	bool agree = a->aggregation_count == b->aggregation_count;
	for (unsigned i = 0; i < a->aggregation_count && agree; i++) {
		const struct aggregation_layout *x = &a->aggregations[i], *y = &b->aggregations[i];
		agree = x->key_count == y->key_count && x->key_size == y->key_size &&
			x->value_size == y->value_size &&
			fields_agree(x->keys, y->keys, x->key_count);
	}
	return agree;
}

/* --- a version -------------------------------------------------------------------------------- */

/* The whole program as VERSION's probes will get it. */
static const struct typed_program *program_alone(struct tracer *t, struct arena *a,
						 const struct tclause *version)
{
	struct layers alone = { 0 };
	for (size_t i = 0; i < version->probe_count; i++)
		layers_add(&alone, version->probes[i], version);
	const struct typed_program *ret = layers_take(&alone, a, t);
	layers_deinit(&alone);
	return ret;
}

/* Why VERSION, which has no mistakes, must not run; NULL: it may. */
static const char *compare_layouts(struct tracer *t, struct tclause *version)
{
	struct arena *a = arena_new();
	struct plan_options options = tracer_plan_options(t, t->executor);
	struct diagnostics d = { 0 };
	struct program p;
	const struct plan *plan;
	const char *why = NULL;
	if (!codegen_program(a, program_alone(t, a, version), &options, &d, &p, &plan))
		why = arena_printf(t->arena, "%s", d.list.items[0].text);
	else if (!records_agree(&p.clauses[version->index], &t->program.clauses[version->index]) ||
		 !aggregations_agree(&p, &t->program))
		why = "what the clause records of them has other types than of the first probes";
	diagnostics_deinit(&d);
	arena_free(a);
	return why;
}

static struct clause_version make_version(struct tracer *t, const struct tclause *c,
					  const struct probe *p)
{
	struct diagnostics d = { 0 };
	struct clause_version v = { .clause = sema_version(t->sema, c, p, &d) };
	struct diagnostics *library = &t->compiling.library_mistakes;
	if (d.list.count || library->list.count)
		v.refused = arena_printf(t->arena, "%s",
					 d.list.count ? d.list.items[0].text
						      : library->list.items[0].text);
	else
		v.refused = compare_layouts(t, v.clause);
	diagnostics_deinit(&d);
	diagnostics_deinit(library);
	*library = (struct diagnostics) { 0 };
	return v;
}

/* --- which version ---------------------------------------------------------------------------- */

/*
 * Several clauses are of one text and description, if the files of the start differ.  Those that
 * save values for entry() have no text of their own.
 */
static bool is_same_enabling(const struct tclause *a, const struct tclause *b)
{
	const struct node *x = a->saves ? a->saves->node : NULL;
	const struct node *y = b->saves ? b->saves->node : NULL;
	return a->node == b->node && x == y && probe_desc_same(&a->desc, &b->desc);
}

/* Is P read by another clause of C's enabling, or, as by none of them, left to an earlier one? */
static bool is_for_another(struct tracer *t, const struct tclause *c, const struct probe *p)
{
	const struct typed_program *typed = sema_result(t->sema);
	bool is_first = true;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *other = typed->clauses[i];
		if (other == c || !is_same_enabling(other, c))
			continue;
		if (sema_reads_alike(t->sema, other, p))
			return true;
		is_first &= i > c->index;
	}
	return !is_first;
}

static const struct clause_version *version_of(struct tracer *t, const struct tclause *c,
					       const struct probe *p)
{
	for (size_t i = 0; i < t->live->versions.count; i++) {
		const struct clause_version *v = &t->live->versions.items[i];
		if (v->clause->index == c->index && sema_reads_alike(t->sema, v->clause, p))
			return v;
	}
	vector_push(&t->live->versions, make_version(t, c, p));
	return &t->live->versions.items[t->live->versions.count - 1];
}

const struct tclause *version_for(struct tracer *t, const struct tclause *c, const struct probe *p)
{
	if (sema_reads_alike(t->sema, c, p))
		return c;
	if (is_for_another(t, c, p))
		return NULL;
	const struct clause_version *v = version_of(t, c, p);
	if (!v->refused)
		return v->clause;
	const char *file;
	struct bytes build_id;
	bool has_file = probe_file(p, &file, &build_id);
	const struct probe_desc names = { p->provider, has_file ? file : p->module, p->function,
					  p->name };
	auto_free char *why = mem_printf("its %s differ from those of the first probes, and "
					 "the clause that reads them cannot be compiled for it: %s",
					 c->reads_file_types ? "types" : "args[]", v->refused);
	probe_db_leave_out(t->probes, &names, why, true);
	return NULL;
}

void versions_forget(struct tracer *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->live->versions.count; i++) {
		const struct tclause *c = t->live->versions.items[i].clause;
		if (c->declaration || !c->probes[0]->is_retired)
			t->live->versions.items[kept++] = t->live->versions.items[i];
	}
	t->live->versions.count = kept;
}

/* --- layers ----------------------------------------------------------------------------------- */

void layers_add(struct layers *l, const struct probe *p, const struct tclause *clause)
{
	vector_push(&l->found, ((struct found) { p, clause }));
}

void layers_deinit(struct layers *l)
{
	vector_free(&l->found);
}

static int by_probe(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->probe->id != y->probe->id)
		return x->probe->id < y->probe->id ? -1 : 1;
	return x->clause->index < y->clause->index ? -1 : x->clause->index > y->clause->index;
}

/* The clauses of F's probe are COUNT: does CHOSEN, by clause, have no other versions of them? */
static bool fits(const struct found *f, size_t count, const struct tclause *const *chosen)
{
	for (size_t i = 0; i < count; i++) {
		const struct tclause *c = chosen[f[i].clause->index];
		if (c && c != f[i].clause)
			return false;
	}
	return true;
}

static size_t clauses_of_probe(const struct layers *l, size_t first)
{
	size_t end = first;
	while (end < l->found.count && l->found.items[end].probe == l->found.items[first].probe)
		end++;
	return end - first;
}

/* Into TAKEN what fits; the rest stays.  CHOSEN gets the version of each clause. */
static void choose(struct layers *l, const struct tclause **chosen, struct layers *taken)
{
	size_t kept = 0, count;
	qsort(l->found.items, l->found.count, sizeof(*l->found.items), by_probe);
	for (size_t i = 0; i < l->found.count; i += count) {
		count = clauses_of_probe(l, i);
		bool is_taken = fits(&l->found.items[i], count, chosen);
		for (size_t j = i; j < i + count; j++) {
			struct found f = l->found.items[j];
			if (!is_taken) {
				l->found.items[kept++] = f;
				continue;
			}
			chosen[f.clause->index] = f.clause;
			layers_add(taken, f.probe, f.clause);
		}
	}
	l->found.count = kept;
}

/* Of an ERROR clause, that probe alone. */
static struct tclause *clause_without_probes(struct tracer *t, struct arena *a,
					     const struct tclause *c, size_t room)
{
	struct tclause *copy = ARENA_NEW(a, struct tclause);
	*copy = *c;
	copy->probes = arena_alloc(a, (room + 1) * sizeof(*copy->probes));
	copy->probes[0] = probe_db_get(t->probes, PROBE_ERROR);
	copy->probe_count = is_error_clause(c);
	return copy;
}

const struct typed_program *layers_take(struct layers *l, struct arena *a, struct tracer *t)
{
	struct typed_program *ret = ARENA_NEW(a, struct typed_program);
	*ret = *sema_result(t->sema);
	size_t size = (ret->clause_count + 1) * sizeof(struct tclause *);
	const struct tclause **chosen = arena_alloc(a, size);
	size_t *counts = arena_alloc(a, (ret->clause_count + 1) * sizeof(*counts));
	struct layers taken = { 0 };
	choose(l, chosen, &taken);
	for (size_t i = 0; i < taken.found.count; i++)
		counts[taken.found.items[i].clause->index]++;
	struct tclause **clauses = arena_alloc(a, size);
	for (unsigned i = 0; i < ret->clause_count; i++)
		clauses[i] = clause_without_probes(t, a, chosen[i] ? chosen[i] : ret->clauses[i],
						   counts[i]);
	for (size_t i = 0; i < taken.found.count; i++) {
		struct tclause *c = clauses[taken.found.items[i].clause->index];
		c->probes[c->probe_count++] = taken.found.items[i].probe;
	}
	layers_deinit(&taken);
	ret->clauses = clauses;
	return ret;
}
