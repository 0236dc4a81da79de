/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One group: the head that finds out which probe fired (head.c), the clauses, the ERROR clauses
 * that they call, and the table that tells which clauses are enabled where (table.c)
 */
#include "codegen/gen.h"

/* --- which clauses and probes ---------------------------------------------------- */

static void add_probes(struct group_state *h, const struct tclause *clause, struct hash *seen)
{
	for (unsigned i = 0; i < clause->probe_count; i++) {
		const struct probe *p = clause->probes[i];
		if (p->event != event_of_probes(h->kind))
			continue;
		void **place = hash_place(seen, &p->id, sizeof(p->id));
		if (*place)
			continue;
		vector_push(&h->probes, p);
		*place = (void *)(uintptr_t)h->probes.count;
	}
}

static void collect(struct gen *g, struct group_state *h)
{
	struct hash *seen = hash_new();
	for (unsigned i = 0; i < g->plan->typed->clause_count; i++) {
		const struct tclause *clause = g->plan->typed->clauses[i];
		if (!clause_has_event(clause, event_of_probes(h->kind)))
			continue;
		vector_push(&h->clauses, clause);
		add_probes(h, clause, seen);
	}
	hash_free(seen);
}

/* Is the clause enabled at every probe of the group?  Both lists hold a probe once. */
static bool is_everywhere(const struct group_state *h, const struct tclause *clause)
{
	unsigned count = 0;
	for (unsigned i = 0; i < clause->probe_count; i++)
		count += clause->probes[i]->event == event_of_probes(h->kind);
	return count == h->probes.count;
}

/* --- the code ----------------------------------------------------------------------------- */

/* Those before it have been run when a firing is resumed. */
static size_t first_suspended(const struct gen *g, const struct group_state *h)
{
	struct needs n = { 0 };
	size_t i = 0;
	for (; i < h->clauses.count && !n.waits; i++)
		plan_needs(g->plan, h->clauses.items[i], EVENT_SYSCALL_ENTRY, false, &n);
	return i - 1;
}

static void gen_clauses(struct gen *g, const struct group_state *h)
{
	struct code *c = &g->code;
	bool exited = false; /* once exit() was called no further clause begins */
	size_t first = is_resumed(g) ? first_suspended(g, h) : 0;
	for (size_t i = first; i < h->clauses.count; i++) {
		label next = label_new(c);
		far_push(g, &next);
		g->clause_number = (unsigned)i;
		mark_part(g, "does the next clause run here?");
		if (is_resumed(g))
			gen_resume_test(g, next);
		if (g->event != EVENT_END && exited)
			gen_activity_test(g, next);
		exited |= g->plan->error_exits ||
			  has_exit(&plan_clause(g->plan, h->clauses.items[i])->layout);
		if (!is_everywhere(h, h->clauses.items[i])) {
			gen_entry(g, R1);
			emit_load(c, 4, R1, R1,
				  (int)(offsetof(struct probe_entry, mask) + i / 32 * 4));
			label enabled = label_new(c);
			emit_jump_if_bits(c, R1, 1u << i % 32, enabled);
			emit_jump(c, next);
			label_place(c, enabled);
		}
		gen_clause(g, h->clauses.items[i]);
		far_pop(g, next);
	}
}

void gen_release(struct gen *g)
{
	if (plan_shares_slot(g->plan))
		gen_slot_free(g);
}

static void gen_main(struct gen *g, const struct group_state *h)
{
	struct code *c = &g->code;
	label aside = label_new(c), out = label_new(c);
	g->aside = &aside;
	bool waits = h->kind == EVENT_SYSCALL_ENTRY && g->plan->waiting_size;
	if (waits)
		far_push(g, &aside);
	far_push(g, &out);
	mark_part(g, PROLOGUE_MARK);
	gen_head(g, out);
	gen_clauses(g, h);
	mark_part(g, "epilogue");
	gen_release(g);
	far_pop(g, out);
	if (plan_may_sleep(g->plan, g->event))
		emit_call(c, RT_leave);
	emit_number(c, R0, 0);
	emit_exit(c);
	if (!waits)
		return;
	far_pop(g, aside);
	gen_put_aside(g);
}

/* A subprogram: R1 the context, R2 the caller's struct error_info. */
static void gen_error(struct gen *g)
{
	struct code *c = &g->code;
	g->in_error = true;
	mark_part(g, PROLOGUE_MARK);
	begin_frame(g);
	g->firing.error_info = frame_alloc(c, 8);
	emit_mov(c, R6, R1);
	emit_store(c, 8, FP, g->firing.error_info, R2);
	emit_address(c, R1, RELOCATE_PROBES, 0, g->table_entries * g->entry_size);
	emit_store(c, 8, FP, g->firing.entry, R1);
	label out = label_new(c);
	far_push(g, &out);
	gen_this_variables(g, out);
	for (unsigned i = 0; i < g->plan->typed->clause_count; i++) {
		if (!is_error_clause(g->plan->typed->clauses[i]))
			continue;
		label next = label_new(c);
		far_push(g, &next);
		if (g->plan->error_exits && g->event != EVENT_END)
			gen_activity_test(g, next);
		gen_clause(g, g->plan->typed->clauses[i]);
		far_pop(g, next);
	}
	mark_part(g, "epilogue");
	gen_release(g);
	far_pop(g, out);
	emit_number(c, R0, 0);
	emit_exit(c);
	g->in_error = false;
}

/* --- the group ---------------------------------------------------------------------------- */

/* Too much for the stack: once more with less in it (frame.c); if that was it, a mistake. */
static void check_frames(struct gen *g, const struct group_state *h, size_t error_entry)
{
	int total = chain_size(g, h->main_frame, h->error_frame, error_entry);
	if (total <= STACK_OF_A_CHAIN)
		return;
	g->found.spill = true;
	if (g->plan->limits.spill)
		diagnose(g->diagnostics, h->clauses.items[0]->range, D_UNKNOWN,
			 "the clauses of this probe need %d bytes of stack and there are %d: "
			 "split expressions with elements of elements",
			 total, STACK_OF_A_CHAIN);
}

/*
 * A kernel program may refer to 64 maps; 23 of them are for memory and buffers
 * (loader/maps.c, buffers.c).  With more, the program is laid out anew, with shared maps
 * (plan/key.c).
 */
#define MAPS_AT_MOST 41

static void check_maps(struct gen *g, const struct group_state *h)
{
	unsigned count = 0;
	bool *seen = arena_alloc(g->arena, g->plan->map_count + 1);
	for (size_t i = 0; i < g->code.relocations.count; i++) {
		const struct relocation *r = &g->code.relocations.items[i];
		if (r->kind != RELOCATE_MAP || seen[r->index])
			continue;
		seen[r->index] = true;
		count++;
	}
	if (count <= MAPS_AT_MOST)
		return;
	g->found.share_maps = true;
	if (g->plan->limits.share_maps)
		diagnose(g->diagnostics, h->clauses.items[0]->range, D_UNKNOWN,
			 "probes of one kind use aggregations with keys and associative arrays of "
			 "%u different sizes here, and there may be %d: join some, with one more "
			 "key",
			 count, MAPS_AT_MOST);
}

static void prepare(struct gen *g, const struct group_state *h)
{
	uint32_t words = ((uint32_t)h->clauses.count + 31) / 32;
	g->event = h->kind;
	g->entry_size = ALIGN_UP((uint32_t)sizeof(struct probe_entry) + 4 * words, 8);
	g->table_entries =
		event_is_syscall(h->kind) ? 2 * SYSCALL_NUMBERS : (uint32_t)h->probes.count;
	g->names_used = false;
	g->in_error = false;
	g->bridge_at = 0;
	g->code.back_reach = g->plan->options->arch->back_reach;
}

static void finish(struct gen *g, const struct group_state *h, struct group_code *ret)
{
	struct code *c = &g->code;
	ret->error_entry = code_drop_unreachable(c, ret->error_entry);
	check_frames(g, h, ret->error_entry);
	if (!code_finish(c))
		diagnose(g->diagnostics, h->clauses.items[0]->range, D_UNKNOWN,
			 "a clause of this probe is too large: split it");
	uint32_t *ids = arena_alloc(g->arena, h->probes.count * sizeof(*ids));
	for (size_t i = 0; i < h->probes.count; i++)
		ids[i] = h->probes.items[i]->id;
	ret->kind = h->kind;
	ret->count = (uint32_t)c->insns.count;
	ret->code = gen_keep(g, c->insns.items, c->insns.count * sizeof(*c->insns.items));
	ret->relocation_count = (uint32_t)c->relocations.count;
	ret->relocations = gen_keep(g, c->relocations.items,
				    c->relocations.count * sizeof(*c->relocations.items));
	ret->line_count = (uint32_t)c->lines.count;
	ret->lines = gen_keep(g, c->lines.items, c->lines.count * sizeof(*c->lines.items));
	ret->may_sleep = plan_may_sleep(g->plan, h->kind);
	ret->probe_table = make_table(g, h);
	ret->table_entries = g->table_entries + 1;
	ret->table_entry_size = g->entry_size;
	ret->probe_ids = ids;
	ret->probe_count = (uint32_t)h->probes.count;
}

bool gen_group(struct gen *g, enum event_kind kind, struct group_code *ret)
{
	struct group_state h = { .kind = kind };
	if (kind != EVENT_SYSCALL_RESUME || g->plan->suspends)
		collect(g, &h);
	bool any = h.clauses.count > 0;
	if (any) {
		*ret = (struct group_code) { 0 };
		prepare(g, &h);
		gen_main(g, &h);
		h.main_frame = g->code.frame_max;
		if (g->plan->error_probe) {
			ret->error_entry = (uint32_t)g->code.insns.count;
			gen_error(g);
			h.error_frame = g->code.frame_max;
		}
		check_maps(g, &h);
		finish(g, &h, ret);
		code_deinit(&g->code);
		g->code = (struct code) { 0 };
	}
	vector_free(&h.clauses);
	vector_free(&h.probes);
	return any;
}
