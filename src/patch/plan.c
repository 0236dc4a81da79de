/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sort.h"
#include "patch/internal.h"

#define SKIPPED_MOST 4 /* instructions between a function's first byte and its window */

/* --- a window ----------------------------------------------------------------------------------
 */

static uint64_t range_end(const struct planner *p, const struct plan_range *r)
{
	const struct plan_item *last = &p->items.items[r->end - 1];
	return last->at + last->i.length;
}

/* The fewest instructions from FIRST on that are long enough and have item LAST; false: too few. */
static bool range_of(const struct planner *p, size_t first, size_t last, struct plan_range *ret)
{
	uint64_t begin = p->items.items[first].at;
	for (size_t end = last + 1; end <= p->items.count; end++) {
		*ret = (struct plan_range) { first, end };
		if (range_end(p, ret) - begin >= p->machine->jump_size)
			return true;
	}
	return false;
}

/* R and all windows that overlap it. */
static struct plan_range hull_of(const struct planner *p, struct plan_range r)
{
	bool grows = true;
	while (grows) {
		grows = false;
		for (size_t i = 0; i < p->windows.count; i++) {
			const struct plan_range *w = &p->windows.items[i];
			bool overlaps = w->first < r.end && r.first < w->end;
			if (!overlaps || (w->first >= r.first && w->end <= r.end))
				continue;
			r = (struct plan_range) { MIN(w->first, r.first), MAX(w->end, r.end) };
			grows = true;
		}
	}
	return r;
}

/* Item N of a window.  After one that does not continue (*ENDED) there may only be padding. */
static enum patch_refusal plan_item_check(const struct planner *p, const struct plan_range *r,
					  size_t n, bool is_entry, bool *ended)
{
	const struct plan_item *item = &p->items.items[n];
	if (*ended && !item->is_padding)
		return PATCH_TOO_SHORT;
	if (!item->is_movable && !(*ended && item->is_padding)) /* which is not executed */
		return PATCH_NOT_MOVABLE;
	if (item->i.is_call && n + 1 < r->end)
		return PATCH_CALL_RETURNS;
	bool may_be_target = p->function->jumps_anywhere && !is_entry && n > r->first;
	if (may_be_target && !item->is_padding)
		return PATCH_MAY_BE_TARGET;
	*ended |= !patch_continues(&item->i);
	return PATCH_FITS;
}

/* IS_ENTRY: straight after a function's entry. */
static enum patch_refusal window_check(const struct planner *p, const struct plan_range *r,
				       bool is_entry)
{
	uint64_t begin = p->items.items[r->first].at, end = range_end(p, r);
	enum patch_refusal why = PATCH_FITS;
	bool ended = false;
	if (end - begin > PATCH_WINDOW_MOST)
		return PATCH_TOO_MANY;
	if (planner_has_target(p, begin, end))
		return PATCH_TARGET_INSIDE;
	for (size_t i = r->first; i < r->end && why == PATCH_FITS; i++)
		why = plan_item_check(p, r, i, is_entry, &ended);
	return why;
}

/* What a probe at the function's entry, which its executor steps over elsewhere, does to R. */
static enum patch_safety safety_of(const struct planner *p, const struct plan_range *r)
{
	const struct plan_item *items = p->items.items;
	enum patch_safety ret = PATCH_SAFE;
	for (size_t i = r->first; i < r->end; i++) {
		bool has_probe = items[i].at == p->function->begin || items[i].at == p->probe;
		if (!has_probe)
			continue;
		bool is_whole = i == r->first && items[i].i.length >= p->machine->jump_size;
		ret = is_whole && ret == PATCH_SAFE ? PATCH_HIDDEN : PATCH_FATAL;
	}
	return ret;
}

/* Does a window that is already planned have all of R? */
static bool is_planned(const struct planner *p, const struct plan_range *r)
{
	for (size_t i = 0; i < p->windows.count; i++)
		if (p->windows.items[i].first <= r->first && p->windows.items[i].end >= r->end)
			return true;
	return false;
}

static void window_add(struct planner *p, struct plan_range r)
{
	size_t kept = 0;
	for (size_t i = 0; i < p->windows.count; i++) {
		struct plan_range w = p->windows.items[i];
		if (w.first < r.first || w.end > r.end)
			p->windows.items[kept++] = w;
	}
	p->windows.count = kept;
	vector_push(&p->windows, r);
}

/* A function's first byte is as its entry, also for a probe of its first instruction. */
static bool site_is_entry(const struct planner *p, const struct patch_site *s)
{
	return s->kind == PATCH_ENTRY || (s->kind == PATCH_INSIDE && s->at == p->function->begin);
}

/* A window for S from item FIRST on that has item LAST. */
static enum patch_refusal try_window(struct planner *p, size_t first, size_t last,
				     const struct patch_site *s)
{
	struct plan_range r;
	if (first >= p->items.count || !range_of(p, first, last, &r))
		return PATCH_TOO_SHORT;
	bool is_entry = site_is_entry(p, s);
	uint64_t begin = p->function->begin;
	if (is_entry && planner_has_target(p, begin, range_end(p, &r)))
		return PATCH_TARGET_INSIDE;
	r = hull_of(p, r);
	enum patch_refusal why = window_check(p, &r, is_entry);
	if (why != PATCH_FITS)
		return why;
	if (safety_of(p, &r) == PATCH_FATAL && !s->may_take_first && !is_planned(p, &r))
		return PATCH_FIRST_INSTRUCTION;
	window_add(p, r);
	return PATCH_FITS;
}

static void firing_add(struct planner *p, const struct patch_site *s, size_t item,
		       struct patch_firing firing)
{
	firing.site = (uint32_t)(s - p->sites);
	vector_push(&p->firings,
		    ((struct plan_firing) { p->items.items[item].at, s->kind, firing }));
}

/* --- an entry ----------------------------------------------------------------------------------
 */

/* May ITEM run before the firing?  Adds to F what its context has to correct and save. */
static bool entry_skip(const struct planner *p, const struct plan_item *item, uint64_t reads,
		       struct patch_firing *f)
{
	const struct arch *a = p->machine->arch;
	struct bytes code = planner_bytes(p, item->at);
	struct instruction_effects e;
	if (item->i.flow != FLOW_NEXT || item->i.is_call || !arch_effects(a, &code, &e) ||
	    !e.is_stack_known || e.words & reads || (e.memory && reads & PATCH_READS_MEMORY))
		return false;
	f->stack -= e.stack;
	f->flags_live |= e.words >> a->flags / 8 & 1;
	f->below_live |= e.memory;
	return true;
}

/* After the first instruction, or some more. */
static bool plan_after_first(struct planner *p, const struct patch_site *s)
{
	bool is_live = s->kind != PATCH_ENTRY;
	struct patch_firing f = { .flags_live = is_live, .below_live = is_live };
	for (size_t i = 1; i <= SKIPPED_MOST && i <= p->items.count; i++) {
		if (!entry_skip(p, &p->items.items[i - 1], s->reads, &f))
			return false;
		if (i < p->items.count && p->items.items[i].at <= p->probe)
			continue;
		enum patch_refusal why = try_window(p, i, i, s);
		if (why == PATCH_FITS)
			firing_add(p, s, i, f);
		if (why == PATCH_FITS || why == PATCH_TARGET_INSIDE)
			return why == PATCH_FITS;
	}
	return false;
}

static enum patch_refusal plan_entry(struct planner *p, const struct patch_site *s)
{
	struct bytes code = planner_bytes(p, p->function->begin);
	size_t first = p->machine->mark_size(&code) ? 1 : 0;
	bool is_live = s->kind != PATCH_ENTRY;
	if (plan_after_first(p, s))
		return PATCH_FITS;
	enum patch_refusal why_first = try_window(p, first, first, s);
	if (why_first == PATCH_FITS)
		firing_add(p, s, first,
			   (struct patch_firing) { .flags_live = is_live, .below_live = is_live });
	return why_first;
}

/* --- exits, and instructions inside ------------------------------------------------------------
 */

static bool item_find(const struct planner *p, uint64_t at, size_t *ret)
{
	size_t until = vector_until(&p->items, at, at);
	*ret = until - 1;
	return until && p->items.items[until - 1].at == at;
}

/* From the site on, else from instructions before it on, the nearest first. */
static enum patch_refusal plan_inside(struct planner *p, const struct patch_site *s)
{
	size_t item, begin;
	if (!item_find(p, s->at, &item))
		return s->at < p->known_until ? PATCH_NO_INSTRUCTION : PATCH_UNKNOWN_CODE;
	const struct plan_item *items = p->items.items;
	enum patch_refusal why = PATCH_TOO_SHORT;
	for (begin = item;; begin--) {
		why = try_window(p, begin, item, s);
		bool is_last = !begin || s->at - items[begin].at + 1 >= p->machine->jump_size;
		if (why == PATCH_FITS || is_last)
			break;
	}
	if (why != PATCH_FITS)
		return why;
	bool is_live = s->kind != PATCH_EXIT || items[item].i.flow != FLOW_RETURN;
	firing_add(p, s, item,
		   (struct patch_firing) { .flags_live = is_live, .below_live = is_live });
	return PATCH_FITS;
}

/* --- the plan -----------------------------------------------------------------------------------
 */

static int plan_firing_compare(const void *left, const void *right)
{
	const struct plan_firing *a = left, *b = right;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	int order = a->kind - b->kind;
	return order ? order
		     : (a->firing.site > b->firing.site) - (a->firing.site < b->firing.site);
}

static int plan_range_compare(const void *left, const void *right)
{
	const struct plan_range *a = left, *b = right;
	return (a->first > b->first) - (a->first < b->first);
}

/* Windows and firings in order: both are sorted by place. */
static void plan_write(struct planner *p, struct patch_plan *plan)
{
	if (!p->windows.count)
		return;
	qsort(p->windows.items, p->windows.count, sizeof(*p->windows.items), plan_range_compare);
	qsort(p->firings.items, p->firings.count, sizeof(*p->firings.items), plan_firing_compare);
	size_t n = 0;
	for (size_t i = 0; i < p->windows.count; i++) {
		const struct plan_range *r = &p->windows.items[i];
		uint64_t at = p->items.items[r->first].at, end = range_end(p, r);
		struct patch_window w = { .at = at,
					  .size = (uint8_t)(end - at),
					  .safety = (uint8_t)safety_of(p, r),
					  .has_call = p->items.items[r->end - 1].i.is_call,
					  .first = (uint32_t)n };
		for (; n < p->firings.count && p->firings.items[n].at < end; n++) {
			p->firings.items[n].firing.offset = (uint8_t)(p->firings.items[n].at - at);
			vector_push(&plan->firings, p->firings.items[n].firing);
		}
		w.count = (uint32_t)n - w.first;
		vector_push(&plan->windows, w);
	}
}

/* Entries first: they have the least choice. */
void patch_plan_make(const struct patch_machine *m, const struct patch_function *f,
		     const struct patch_site *sites, size_t count, struct patch_plan *plan)
{
	struct planner p = { .machine = m, .function = f, .sites = sites, .known_until = f->begin };
	struct bytes code = planner_bytes(&p, f->begin);
	uint64_t last = f->begin;
	plan->windows.count = plan->firings.count = plan->refusals.count = 0;
	p.probe = f->begin + (code.failed ? 0 : m->arch->entry_site(&code));
	for (size_t i = 0; i < count; i++)
		last = MAX(last, sites[i].at);
	planner_decode(&p, last);
	for (size_t i = 0; i < count; i++) {
		bool is_entry = site_is_entry(&p, &sites[i]);
		enum patch_refusal why = p.items.count ? PATCH_FITS : PATCH_UNKNOWN_CODE;
		if (is_entry && why == PATCH_FITS)
			why = plan_entry(&p, &sites[i]);
		vector_push(&plan->refusals, (uint8_t)why);
	}
	for (size_t i = 0; i < count; i++)
		if (!site_is_entry(&p, &sites[i]))
			plan->refusals.items[i] = (uint8_t)plan_inside(&p, &sites[i]);
	plan_write(&p, plan);
	vector_free(&p.items);
	vector_free(&p.windows);
	vector_free(&p.firings);
}

void patch_plan_deinit(struct patch_plan *plan)
{
	vector_free(&plan->windows);
	vector_free(&plan->firings);
	vector_free(&plan->refusals);
}
