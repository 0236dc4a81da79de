/* SPDX-License-Identifier: BSD-2-Clause */
/* probe - the alternative that a probe is on this kernel, and why others are not chosen */
#include <ctype.h>
#include <string.h>

#include "formula/formula_internal.h"

/* --- args[] ----------------------------------------------------------------------------------- */

/* The type as it is written: a parameter without its name, which may be inside: void (*f)(). */
const char *parameter_type_text(struct arena *a, const struct param_node *p)
{
	const char *text = p->range.source->text, *name = p->declarator->name;
	uint32_t begin = p->range.begin, end = p->range.end;
	uint32_t before = name ? p->declarator->name_at : end;
	uint32_t after = name ? before + (uint32_t)strlen(name) : end;
	while (after == end && before > begin && isspace((unsigned char)text[before - 1]))
		before--;
	return arena_printf(a, "%.*s%.*s", (int)(before - begin), text + begin, (int)(end - after),
			    text + after);
}

static const struct probe_args *args_of(struct arena *a, const struct formula_probe *formula)
{
	const char **types = arena_alloc(a, (params_count(formula->outputs) + 1) * sizeof(*types));
	unsigned count = 0;
	for (const struct param_node *p = formula->outputs; p; p = p->next)
		types[count++] = parameter_type_text(a, p);
	types[count] = NULL;
	struct probe_args *args = ARENA_NEW(a, struct probe_args);
	args->types = types;
	return args;
}

/* --- alternatives ---------------------------------------------------------------------------- */

/* "line 12", in a file of the user's with its path. */
static const char *place_text(struct arena *a, struct range range)
{
	return range.source->is_ours
		       ? arena_printf(a, "line %u", range.line)
		       : arena_printf(a, "%s line %u", range.file ? range.file : range.source->name,
				      range.line);
}

/* Is A there? All of its sources, less those that may be missing; else why not.  MISSING gets why
 * the latter are. */
static const char *alternative_problem(struct arena *arena, struct probe_db *db,
				       const struct formula_alternative *a,
				       const struct formula_process *in, struct strbuf *missing)
{
	const char *last = NULL;
	unsigned usable = 0;
	for (const struct formula_source *s = a->sources; s; s = s->next) {
		const char *problem = event_problem(arena, db, s, in);
		usable += !problem;
		if (!problem)
			continue;
		if (!s->optional)
			return problem;
		strbuf_printf(missing, "%s: %s\n", place_text(arena, s->range), problem);
		last = problem;
	}
	return usable ? NULL : last;
}

static void add_events(struct probe_db *db, struct probe *p, struct arena *arena,
		       const struct formula_alternative *a)
{
	for (const struct formula_source *s = a->sources; s; s = s->next)
		if (!event_problem(arena, db, s, NULL))
			event_add(arena, db, p, s);
}

static const struct formula_alternative *
alternative_choose(struct formula_file *f, struct probe_db *db, const struct formula_probe *formula,
		   const struct formula_process *in, struct strbuf *why_not)
{
	struct arena *arena = f->owner->arena;
	for (const struct formula_alternative *a = formula->alternatives; a; a = a->next) {
		auto_strbuf struct strbuf missing = { 0 };
		const char *problem = alternative_problem(arena, db, a, in, &missing);
		if (!problem) {
			strbuf_puts(why_not, strbuf_text(&missing));
			return a;
		}
		strbuf_printf(why_not, "%s: %s\n", place_text(arena, a->range), problem);
	}
	return NULL;
}

const struct formula_alternative *formula_choose(struct formula_file *f, struct probe_db *db,
						 const struct formula_probe *formula,
						 struct probe *p, const struct formula_process *in)
{
	struct arena *arena = f->owner->arena;
	auto_strbuf struct strbuf why_not = { 0 };
	const struct formula_alternative *a = NULL;
	f->owner->choosing++;
	if (!formula->needs || condition_is_true(db, formula->needs))
		a = alternative_choose(f, db, formula, in, &why_not);
	else
		strbuf_printf(&why_not, "%s: the condition is not fulfilled here\n",
			      place_text(arena, formula->needs->range));
	f->owner->choosing--;
	p->not_chosen = why_not.len ? arena_strdup(arena, strbuf_text(&why_not)) : NULL;
	p->args = a ? args_of(arena, formula) : NULL;
	p->note = a ? a->note : NULL;
	return a;
}

/* What P is on this kernel, or that it is not there. */
static void probe_make(struct formula_file *f, struct probe_db *db,
		       const struct formula_probe *formula, struct probe *p)
{
	const struct formula_alternative *a = formula_choose(f, db, formula, p, NULL);
	if (a)
		add_events(db, p, f->owner->arena, a);
	else
		probe_db_hide(db, p);
}

static bool probe_is_meant(const struct probe_desc *desc, const struct probe *p)
{
	return p && !p->events && !p->is_hidden && probe_field_match(desc->module, p->module) &&
	       probe_field_match(desc->name, p->name);
}

/* While one is chosen, an event of which is another probe, none is: formulas are not made of those
 * that are formulas. */
void formula_probes_choose(struct formula_file *f, struct probe_db *db,
			   const struct probe_desc *desc)
{
	size_t i = 0;
	const struct formula_probe *formula =
		f->tree && !f->owner->choosing ? f->tree->probes : NULL;
	for (; formula; formula = formula->next, i++)
		if (probe_is_meant(desc, f->probes.items[i]))
			probe_make(f, db, formula, f->probes.items[i]);
}

/* Of two formulas with one name the first one counts. */
void formula_probe_add(struct formula_file *f, struct probe_db *db, const char *module,
		       const char *name)
{
	struct probe *p = probe_db_add(db, &f->provider, f->provider.name, module, "", name);
	for (size_t i = 0; i < f->probes.count; i++)
		p = f->probes.items[i] == p ? NULL : p;
	vector_push(&f->probes, p);
}
