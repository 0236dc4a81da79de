/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One group: the prologue that finds the probe that fired (prologue.c), the clauses, the ERROR
 * clauses that they call, and the table of the clauses enabled at each probe (probe_table.c)
 */
#include "codegen/gen.h"

uint32_t table_entries(const struct gen *g)
{
	return g->table.indexes * g->group->passes;
}

/* --- the code ----------------------------------------------------------------------------- */

static bool may_exit(const struct gen *g, const struct tclause *clause)
{
	return g->plan->error_exits || has_exit(&plan_clause(g->plan, clause)->layout);
}

/* Clauses before it have been run when a firing is resumed. */
static size_t first_suspended(const struct gen *g)
{
	size_t i = 0;
	while (i < g->group->clause_count &&
	       !plan_needs(g->plan, g->group->clauses[i].clause, EVENT_SYSCALL_ENTRY, false)
			.suspends)
		i++;
	return i;
}

/* On to NEXT unless clause number I is enabled at the probe. */
static void gen_enabled_test(struct gen *g, size_t i, label next)
{
	struct code *c = &g->code;
	gen_entry(g, R1);
	emit_load(c, 4, R1, R1, (int)(offsetof(struct probe_entry, mask) + i / 32 * 4));
	label enabled = label_new(c);
	emit_jump_if_bits(c, R1, 1u << i % 32, enabled);
	emit_jump(c, next);
	label_place(c, enabled);
}

/* Of a firing that is resumed the first pass is that of its suspension, which may be any. */
static bool is_any_pass(const struct gen *g)
{
	return is_resumed(g) && g->group->passes > 1;
}

static bool may_run(const struct gen *g, uint32_t i, uint32_t pass)
{
	return is_any_pass(g) || group_events_in_pass(g->group, i, pass);
}

/* Clause number I in this pass, if any event runs it there. */
static void gen_clause_of_pass(struct gen *g, uint32_t i, uint32_t pass, bool *exited)
{
	const struct event_group *group = g->group;
	const struct tclause *clause = group->clauses[i].clause;
	if (!may_run(g, i, pass))
		return;
	label next = label_new(&g->code);
	long_jump_push(g, &next);
	g->clause_number = (unsigned)i;
	mark_part(g, "does the next clause run here?");
	if (is_resumed(g) && !pass)
		gen_resume_test(g, next);
	if (g->event != EVENT_END && *exited) /* no further clause begins */
		gen_activity_test(g, next);
	*exited |= may_exit(g, clause);
	if (is_any_pass(g) || group_events_in_pass(group, i, pass) < group->event_count)
		gen_enabled_test(g, i, next);
	gen_clause(g, clause);
	long_jump_pop(g, next);
}

/* May a clause of an earlier part have called exit()? */
static bool has_exited(const struct gen *g, size_t first)
{
	const struct event_group *group = g->group;
	for (uint32_t step = 0; step < group->parts[g->part].begin; step++) {
		uint32_t i = step % group->clause_count, pass = step / group->clause_count;
		if ((pass || i >= first) && may_run(g, i, pass) &&
		    may_exit(g, group->clauses[i].clause))
			return true;
	}
	return false;
}

/* The clauses of the part, for each probe that an event fires. */
static void gen_steps(struct gen *g, label out)
{
	const struct event_group *group = g->group;
	size_t first = is_resumed(g) ? first_suspended(g) : 0;
	bool exited = has_exited(g, first);
	for (uint32_t step = group->parts[g->part].begin; step < group->parts[g->part].end;
	     step++) {
		uint32_t i = step % group->clause_count, pass = step / group->clause_count;
		if (pass && !i) {
			mark_part(g, "epilogue");
			gen_release(g);
			gen_resumed_pass_test(g, pass, out);
			gen_next_probe(g, out);
		}
		if (pass || i >= first)
			gen_clause_of_pass(g, i, pass, &exited);
	}
}

void gen_release(struct gen *g)
{
	if (plan_shares_slot(g->plan))
		gen_slot_free(g);
}

static void gen_main(struct gen *g)
{
	struct code *c = &g->code;
	label aside = label_new(c), out = label_new(c);
	g->aside = &aside;
	bool suspends = group_may_suspend(g);
	if (suspends)
		long_jump_push(g, &aside);
	long_jump_push(g, &out);
	mark_part(g, PROLOGUE_MARK);
	if (g->part)
		gen_part_begin(g, out);
	else
		gen_prologue(g, out);
	gen_steps(g, out);
	if (part_is_last(g)) {
		mark_part(g, "epilogue");
		gen_release(g);
	} else {
		gen_part_end(g, out);
	}
	long_jump_pop(g, out);
	if (plan_counts_running(g->plan, g->event))
		emit_call(c, RT_leave);
	emit_number(c, R0, 0);
	emit_exit(c);
	if (!suspends)
		return;
	long_jump_pop(g, aside);
	gen_save_firing(g);
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
	emit_address(c, R1, RELOCATE_PROBES, 0, table_entries(g) * g->table.entry_size);
	emit_store(c, 8, FP, g->firing.entry, R1);
	label out = label_new(c);
	long_jump_push(g, &out);
	gen_this_variables(g, out);
	for (unsigned i = 0; i < g->plan->typed->clause_count; i++) {
		if (!is_error_clause(g->plan->typed->clauses[i]))
			continue;
		label next = label_new(c);
		long_jump_push(g, &next);
		if (g->plan->error_exits && g->event != EVENT_END)
			gen_activity_test(g, next);
		gen_clause(g, g->plan->typed->clauses[i]);
		long_jump_pop(g, next);
	}
	mark_part(g, "epilogue");
	gen_release(g);
	long_jump_pop(g, out);
	emit_number(c, R0, 0);
	emit_exit(c);
	g->in_error = false;
}

/* --- the group ---------------------------------------------------------------------------- */

/* Too much for the stack: once more with less in it (frame.c); if that was it, a mistake. */
static void check_frames(struct gen *g, const struct group_state *h, size_t error_entry)
{
	int total = chain_size(g, h->main_frame, h->error_frame, error_entry);
	if (gen_follows_jumps(g)) /* its caller's */
		total += sizeof(struct exit_firing);
	if (total <= STACK_OF_A_CHAIN)
		return;
	g->found.spill = true;
	if (g->plan->limits.spill)
		diagnose(g->diagnostics, h->group->clauses[0].clause->range, D_UNKNOWN,
			 "the clauses of this probe need %d bytes of stack and there are %d: "
			 "split expressions with elements of elements",
			 total, STACK_OF_A_CHAIN);
}

/*
 * A kernel program may refer to 64 maps; 24 of them are for memory, buffers and
 * parts (loader/maps.c, buffers.c).  With more, the program is laid out again, with shared maps
 * (plan/key.c).
 */
#define MAPS_AT_MOST 40

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
		diagnose(g->diagnostics, h->group->clauses[0].clause->range, D_UNKNOWN,
			 "probes of one kind use aggregations with keys and associative arrays of "
			 "%u different sizes here, and there may be %d: join some, with one more "
			 "key",
			 count, MAPS_AT_MOST);
}

/* Do clauses find cells of calls, whose functions matter? */
static bool has_calls(const struct event_group *group)
{
	for (uint32_t i = 0; i < group->clause_count; i++) {
		const struct entry_value *v = group->clauses[i].clause->entries;
		if (v && v->key != CALL_BY_THREAD && !v->is_register)
			return true;
	}
	return false;
}

static void group_prepare(struct gen *g, const struct event_group *group, enum event_kind kind)
{
	uint32_t masks = (group->clause_count + 31) / 32;
	uint32_t words = masks + (group->part_count > 1) + has_calls(group);
	g->group = group;
	g->event = kind;
	g->table.indexes = event_is_syscall(kind) ? 2 * SYSCALL_NUMBERS : group->event_count;
	g->table.jumps = gen_follows_jumps(g) ? group_jump_count(group) : 0;
	uint32_t size = ALIGN_UP((uint32_t)sizeof(struct probe_entry) + 4 * words, 8);
	g->table.entry_size = g->table.jumps ? MAX(size, sizeof(struct exit_jump)) : size;
	g->table.call_at = has_calls(group) ? offsetof(struct probe_entry, mask) + 4 * masks : 0;
	g->table.has_files = false;
	if (g->table.jumps)
		number_files(g);
	g->names_used = false;
	g->in_error = false;
}

static void number_jump(void *arg, uint32_t event, uint32_t site, uint32_t entry)
{
	struct event_site *const *sites = arg;
	sites[event][site].entry = entry;
}

/* The sites of functions that end by jumps know their entries in the probe table. */
static void number_jumps(struct gen *g, struct event *events)
{
	uint32_t count = g->group->event_count;
	auto_free struct event_site **sites = mem_alloc((count + 1) * sizeof(*sites));
	for (uint32_t i = 0; i < count; i++) {
		struct event_code *code = &events[i].code;
		size_t size = code->site_count * sizeof(*code->sites);
		sites[i] = arena_alloc(g->arena, size + 1);
		memcpy(sites[i], code->sites, size);
		code->sites = sites[i];
		code->file = g->table.files[i];
	}
	visit_jumps(g, number_jump, sites);
}

/* The group's events, and the probes that they fire, for executors. */
static void finish_events(struct gen *g, struct group_code *ret)
{
	const struct event_group *group = g->group;
	struct event *events = arena_alloc(g->arena, group->event_count * sizeof(*events));
	uint32_t count = group->event_count * group->passes;
	uint32_t *ids = arena_alloc(g->arena, count * sizeof(*ids));
	memset(ids, 0, count * sizeof(*ids));
	for (uint32_t i = 0; i < group->event_count; i++) {
		events[i] = *group->events[i].event;
		for (unsigned k = 0; k < group->events[i].probe_count; k++)
			ids[i * group->passes + k] = group->events[i].probes[k]->id;
	}
	if (gen_follows_jumps(g))
		number_jumps(g, events);
	ret->events = events;
	ret->event_count = group->event_count;
	ret->passes = group->passes;
	ret->probe_ids = ids;
}

static void group_finish(struct gen *g, const struct group_state *h, struct group_code *ret)
{
	struct code *c = &g->code;
	ret->error_entry = code_drop_dead(c, ret->error_entry);
	check_frames(g, h, ret->error_entry);
	if (!code_finish(c))
		diagnose(g->diagnostics, h->group->clauses[0].clause->range, D_UNKNOWN,
			 "a clause of this probe is too large: split it");
	ret->kind = g->event;
	ret->part = g->part;
	ret->parts = g->group->part_count;
	ret->count = (uint32_t)c->insns.count;
	ret->code = gen_keep(g, c->insns.items, c->insns.count * sizeof(*c->insns.items));
	ret->relocation_count = (uint32_t)c->relocations.count;
	ret->relocations = gen_keep(g, c->relocations.items,
				    c->relocations.count * sizeof(*c->relocations.items));
	ret->line_count = (uint32_t)c->lines.count;
	ret->lines = gen_keep(g, c->lines.items, c->lines.count * sizeof(*c->lines.items));
	ret->may_sleep = plan_may_sleep(g->plan, g->event);
	ret->follows_jumps = gen_follows_jumps(g);
	ret->passes = g->group->passes;
}

static void gen_part(struct gen *g)
{
	struct group_state h = { .group = g->group };
	struct group_code code = { 0 };
	g->long_jumps.placed_at = 0;
	g->loops_nested[0] = g->loops_nested[1] = 0;
	g->code.back_reach = g->plan->options->arch->back_reach;
	gen_main(g);
	code_move_functions(&g->code);
	h.main_frame = g->code.frame_max;
	if (g->plan->error_probe) {
		code.error_entry = (uint32_t)g->code.insns.count;
		gen_error(g);
		code_move_functions(&g->code);
		h.error_frame = g->code.frame_max;
	}
	if (!g->again) {
		check_maps(g, &h);
		group_finish(g, &h, &code);
		vector_push(&g->groups, code);
	}
	code_deinit(&g->code);
	g->code = (struct code) { 0 };
}

void gen_group(struct gen *g, const struct event_group *group, enum event_kind kind)
{
	size_t first = g->groups.count;
	group_prepare(g, group, kind);
	for (g->part = 0; g->part < group->part_count; g->part++)
		gen_part(g);
	if (g->again)
		return;
	const void *table = probe_table_make(g);
	for (size_t i = first; i < g->groups.count; i++) {
		struct group_code *code = &g->groups.items[i];
		code->probe_table = table;
		code->table_entries = table_entries(g) + 1 + g->table.jumps;
		code->jump_count = g->table.jumps;
		code->table_entry_size = g->table.entry_size;
	}
	finish_events(g, &g->groups.items[first]);
}
