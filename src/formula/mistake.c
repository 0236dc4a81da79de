/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mistake - events that are on no kernel
 *
 * An event that this kernel lacks is a reason to take the next alternative.  An event that no
 * kernel can have is a mistake of the file, and is reported with its place.
 */
#include <string.h>

#include "formula/formula_internal.h"

static const char *perf_mistake(struct arena *a, const struct formula_event *e)
{
	const char *kind = e->names->text, *what = e->names->next->text;
	uint64_t period;
	if (string_equal(kind, "sw") || string_equal(kind, "hw"))
		return NULL;
	if (!string_equal(kind, "timer"))
		return arena_printf(a, "perf knows sw, hw and timer, not %s", kind);
	return timer_period(e, &period)
		       ? NULL
		       : arena_printf(a, "%s is not a rate of a timer: 97, 10 ms and the like are",
				      what);
}

/* A formula is not made of those that are formulas: of the provider itself, in any case. */
static const char *probe_mistake(struct arena *a, const struct formula_provider *tree,
				 const struct formula_event *e)
{
	const struct pdesc_node *d = e->description;
	for (const struct formula_probe *p = tree->probes; p; p = p->next)
		if (string_equal(d->provider, tree->name) && !*d->function &&
		    probe_field_match(d->module, tree->module) &&
		    probe_field_match(d->name, p->name))
			return arena_printf(
				a, "%s:::%s is made by a formula, and no other is made of it",
				tree->name, p->name);
	return NULL;
}

static const char *event_mistake(struct arena *a, const struct formula_provider *tree,
				 const struct formula_event *e)
{
	struct event_record record;
	switch (e->kind) {
	case FORMULA_RECORD:
		return record_parse(a, e->names->text, &record)
			       ? NULL
			       : arena_printf(a, "a record is GROUP:EVENT, not %s", e->names->text);
	case FORMULA_PERF:
		return perf_mistake(a, e);
	case FORMULA_UPROBE:
	case FORMULA_USDT:
		return tree->per_process ? NULL : "its provider needs \"context pidclass;\"";
	case FORMULA_PROBE:
		return probe_mistake(a, tree, e);
	default:
		return NULL;
	}
}

static bool probe_is_wrong(struct arena *a, const struct formula_provider *tree,
			   const struct formula_probe *probe, struct diagnostics *d)
{
	size_t before = d->list.count;
	for (const struct formula_alternative *alternative = probe->alternatives; alternative;
	     alternative = alternative->next)
		for (const struct formula_source *s = alternative->sources; s; s = s->next) {
			const char *mistake = event_mistake(a, tree, &s->event);
			if (mistake)
				diagnose(d, s->event.range, D_SYNTAX, "%s", mistake);
		}
	return d->list.count > before;
}

void formula_leave_out_wrong(struct arena *a, struct formula_provider *tree, struct diagnostics *d)
{
	for (struct formula_probe **p = &tree->probes; *p;)
		if (probe_is_wrong(a, tree, *p, d))
			*p = (*p)->next;
		else
			p = &(*p)->next;
}
