/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One hook: the head that finds out which probe fired, the clauses, the table
 *
 * The table has an entry for each index that the hook can see (a system call's
 * number, or the cookie given when attaching): the probe's id, or 0, and a bit
 * for each of the hook's clauses.
 */
#include "codegen/gen.h"

struct hook_state {
	enum hook_kind kind;
	VECTOR(const struct tclause *) clauses;
	VECTOR(const struct probe *) probes; /* each once */
	bool is_syscall;
	int main_frame, error_frame; /* bytes */
};

/* --- which clauses and probes ---------------------------------------------------- */

static bool clause_has_hook(const struct tclause *clause, enum hook_kind kind)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		if (clause->probes[i]->hook == kind)
			return true;
	return false;
}

static void add_probes(struct hook_state *h, const struct tclause *clause, struct hash *seen)
{
	for (unsigned i = 0; i < clause->probe_count; i++) {
		const struct probe *p = clause->probes[i];
		if (p->hook != h->kind)
			continue;
		void **place = hash_place(seen, &p->id, sizeof(p->id));
		if (*place)
			continue;
		vector_push(&h->probes, p);
		*place = (void *)(uintptr_t)h->probes.count;
	}
}

static void collect(struct gen *g, struct hook_state *h)
{
	struct hash *seen = hash_new();
	for (unsigned i = 0; i < g->typed->clause_count; i++) {
		const struct tclause *clause = g->typed->clauses[i];
		if (!clause_has_hook(clause, h->kind))
			continue;
		vector_push(&h->clauses, clause);
		add_probes(h, clause, seen);
	}
	hash_free(seen);
}

/* Is the clause enabled at every probe of the hook?  Both lists hold a probe once. */
static bool is_everywhere(const struct hook_state *h, const struct tclause *clause)
{
	unsigned count = 0;
	for (unsigned i = 0; i < clause->probe_count; i++)
		count += clause->probes[i]->hook == h->kind;
	return count == h->probes.count;
}

/* --- the table ---------------------------------------------------------------------- */

static void set_names(struct gen *g, struct hook_probe *entry, const struct probe *p)
{
	const char *names[4] = { p->provider, p->module, p->function, p->name };
	for (int i = 0; i < 4; i++)
		entry->names[i] = constant_string(g, names[i], UINT32_MAX);
}

static struct hook_probe *table_at(struct gen *g, void *table, uint32_t index)
{
	return (struct hook_probe *)((char *)table + (size_t)index * g->entry_size);
}

static void fill_entry(struct gen *g, const struct hook_state *h, struct hook_probe *entry,
		       const struct probe *p)
{
	entry->probe = p->id;
	if (g->names_used)
		set_names(g, entry, p);
}

static uint32_t index_of(const struct hook_state *h, unsigned n, unsigned which, bool *more)
{
	*more = false;
	if (h->is_syscall)
		return h->probes.items[n]->owner->table_index(h->probes.items[n], which, more);
	return n;
}

static void fill_probe(struct gen *g, const struct hook_state *h, void *table, unsigned n)
{
	bool more = true;
	for (unsigned which = 0; more; which++) {
		uint32_t index = index_of(h, n, which, &more);
		if (index < g->table_entries)
			fill_entry(g, h, table_at(g, table, index), h->probes.items[n]);
	}
}

/* Bits of one clause, for all its probes; a hash keeps 700 probes from being searched for. */
static void fill_clause_bits(struct gen *g, const struct hook_state *h, void *table, unsigned bit,
			     const struct hash *numbers)
{
	const struct tclause *clause = h->clauses.items[bit];
	for (unsigned i = 0; i < clause->probe_count; i++) {
		uintptr_t n = (uintptr_t)hash_get(numbers, &clause->probes[i], sizeof(void *));
		bool more = n != 0;
		for (unsigned which = 0; more; which++) {
			uint32_t index = index_of(h, (unsigned)n - 1, which, &more);
			if (index < g->table_entries)
				table_at(g, table, index)->mask[bit / 32] |= 1u << bit % 32;
		}
	}
}

static const struct probe *error_probe(const struct gen *g)
{
	for (unsigned i = 0; i < g->typed->clause_count; i++)
		for (unsigned j = 0; j < g->typed->clauses[i]->probe_count; j++)
			if (g->typed->clauses[i]->probes[j]->id == PROBE_ERROR)
				return g->typed->clauses[i]->probes[j];
	return NULL;
}

/* The entries, and one more for ERROR behind them. */
static void *make_table(struct gen *g, const struct hook_state *h)
{
	void *table = arena_alloc(g->arena, (size_t)(g->table_entries + 1) * g->entry_size);
	struct hash *numbers = hash_new();
	for (unsigned i = 0; i < h->probes.count; i++) {
		*hash_place(numbers, &h->probes.items[i], sizeof(void *)) =
			(void *)(uintptr_t)(i + 1);
		fill_probe(g, h, table, i);
	}
	for (unsigned i = 0; i < h->clauses.count; i++)
		fill_clause_bits(g, h, table, i, numbers);
	hash_free(numbers);
	const struct probe *error = error_probe(g);
	if (error)
		fill_entry(g, h, table_at(g, table, g->table_entries), error);
	return table;
}

/* --- the head -------------------------------------------------------------------------- */

static void begin_frame(struct gen *g)
{
	struct code *c = &g->code;
	c->frame_used = 0;
	c->frame_max = 0;
	c->in_r8 = c->in_r9 = false;
	g->firing = (struct firing) {
		.entry = frame_alloc(c, 8),
		.slot_at = frame_alloc(c, 8),
		.time = frame_alloc(c, 8),
		.fault_where = frame_alloc(c, 8),
		.fault_address = frame_alloc(c, 8),
	};
	if (g->this_frame_size)
		g->firing.this_frame = frame_alloc(c, (int)g->this_frame_size);
}

static void gen_activity_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	emit_address(c, R1, RELOCATE_CONTROL, 0, offsetof(struct control, activity));
	emit_load(c, 4, R1, R1, 0);
	if (g->hook == HOOK_BEGIN)
		emit_jump_if_number(c, BPF_JGE, R1, ACTIVITY_DRAINING, out);
	else
		emit_jump_if_number(c, BPF_JNE, R1, ACTIVITY_ACTIVE, out);
}

/* -xcpu; BEGIN and END are run on that CPU anyway. */
static void gen_cpu_test(struct gen *g, label out)
{
	if (g->options->only_cpu < 0)
		return;
	emit_call(&g->code, RT_cpu);
	emit_jump_if_number(&g->code, BPF_JNE, R0, g->options->only_cpu, out);
}

/* The system call's number into R0 */
static void gen_syscall_number(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->options->arch;
	if (g->hook == HOOK_SYSCALL_ENTRY) {
		emit_load(c, 8, R0, R6, 8);
	} else {
		emit_call(c, RT_task);
		emit_mov(c, R1, R0);
		emit_call(c, RT_user_regs);
		emit_load(c, 8, R0, R0, a->syscall_number);
	}
	emit_number(c, R1, (int64_t)a->number_mask);
	emit_alu(c, BPF_AND, R0, R1);
}

/* Calls of 32-bit code have numbers, and entries, of their own. */
static void gen_compat(struct gen *g)
{
	struct code *c = &g->code;
	if (g->options->thread_status_offset < 0)
		return;
	g->firing.compat = frame_alloc(c, 8);
	label native = label_new(c);
	struct temp number = temp_push(g, R0);
	emit_call(c, RT_task);
	emit_load(c, 4, R1, R0, g->options->thread_status_offset);
	temp_pop(g, number, R0);
	emit_alu_number(c, BPF_AND, R1, (int32_t)g->options->arch->compat_mask);
	emit_store(c, 8, FP, g->firing.compat, R1);
	emit_jump_if_number(c, BPF_JEQ, R1, 0, native);
	emit_alu_number(c, BPF_ADD, R0, SYSCALL_NUMBERS);
	label_place(c, native);
}

/* The index of the probe that fired, into R0; below table_entries or out. */
static void gen_index_of_probe(struct gen *g, label out)
{
	struct code *c = &g->code;
	switch (g->hook) {
	case HOOK_BEGIN:
	case HOOK_END:
		emit_load(c, 8, R0, R6, 0);
		break;
	case HOOK_SYSCALL_ENTRY:
	case HOOK_SYSCALL_RETURN:
		gen_syscall_number(g);
		emit_jump_if_number(c, BPF_JGE, R0, SYSCALL_NUMBERS, out);
		gen_compat(g);
		break;
	default:
		emit_mov(c, R1, R6);
		emit_call(c, RT_cookie);
		if (g->hook == HOOK_FUNCTION_INSIDE)
			emit_extend(c, R0, 4, false);
	}
	emit_jump_if_number(c, BPF_JGE, R0, (int32_t)g->table_entries, out);
}

static void gen_table_entry(struct gen *g, label out)
{
	struct code *c = &g->code;
	emit_alu_number(c, BPF_MUL, R0, (int32_t)g->entry_size);
	emit_address(c, R1, RELOCATE_PROBES, 0, 0);
	emit_alu(c, BPF_ADD, R1, R0);
	emit_store(c, 8, FP, g->firing.entry, R1);
	if (g->hook == HOOK_SYSCALL_ENTRY || g->hook == HOOK_SYSCALL_RETURN) {
		emit_load(c, 4, R0, R1, offsetof(struct hook_probe, probe));
		emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	}
}

/* `this` begins as zeros in each firing. */
static void gen_this_variables(struct gen *g, label out)
{
	struct code *c = &g->code;
	for (uint32_t i = 0; i < g->this_frame_size; i += 8)
		emit_store_number(c, 8, FP, g->firing.this_frame + (int)i, 0);
	/* strtok() goes on from clause to clause, too. */
	g->slot_claimed = g->this_slot_size > 0 || g->token_at;
	if (!g->slot_claimed)
		return;
	gen_slot_claim(g, out);
	if (!g->this_slot_size)
		return;
	emit_mov(c, R1, R7);
	emit_alu_number(c, BPF_ADD, R1, sizeof(struct slot));
	emit_number(c, R2, g->this_slot_size);
	emit_address(c, R3, RELOCATE_CONSTANTS, 0, 0);
	emit_call(c, RT_read_kernel);
}

static bool has_exit(const struct clause_layout *layout)
{
	for (unsigned i = 0; i < layout->action_count; i++)
		if (layout->actions[i].kind == ACTION_EXIT)
			return true;
	return false;
}

/* Once exit() was called no further clause begins. */
static bool error_can_exit(const struct gen *g)
{
	for (unsigned i = 0; i < g->typed->clause_count; i++)
		if (is_error_clause(g->typed->clauses[i]) && has_exit(&g->clauses[i]))
			return true;
	return false;
}

static bool can_exit(const struct gen *g, const struct hook_state *h, size_t before)
{
	if (before && error_can_exit(g))
		return true;
	for (size_t i = 0; i < before; i++)
		if (has_exit(&g->clauses[h->clauses.items[i]->index]))
			return true;
	return false;
}

static void gen_clauses(struct gen *g, const struct hook_state *h)
{
	struct code *c = &g->code;
	for (size_t i = 0; i < h->clauses.count; i++) {
		label next = label_new(c);
		if (g->hook != HOOK_END && can_exit(g, h, i))
			gen_activity_test(g, next);
		if (!is_everywhere(h, h->clauses.items[i])) {
			gen_entry(g, R1);
			emit_load(c, 4, R1, R1,
				  (int)(offsetof(struct hook_probe, mask) + i / 32 * 4));
			label enabled = label_new(c);
			emit_jump_if_bits(c, R1, 1u << i % 32, enabled);
			emit_jump(c, next);
			label_place(c, enabled);
		}
		gen_clause(g, h->clauses.items[i]);
		label_place(c, next);
	}
}

static void gen_main(struct gen *g, const struct hook_state *h)
{
	struct code *c = &g->code;
	label out = label_new(c);
	begin_frame(g);
	emit_mov(c, R6, R1);
	if (g->hook != HOOK_BEGIN && g->hook != HOOK_END)
		gen_activity_test(g, out);
	gen_cpu_test(g, out);
	if (g->table_entries == 1) { /* the only probe: nothing to look up */
		emit_address(c, R1, RELOCATE_PROBES, 0, 0);
		emit_store(c, 8, FP, g->firing.entry, R1);
	} else {
		gen_index_of_probe(g, out);
		gen_table_entry(g, out);
	}
	gen_this_variables(g, out);
	gen_clauses(g, h);
	if (g->slot_claimed) {
		emit_load(c, 8, R1, FP, g->firing.slot_at);
		emit_call(c, RT_slot_release);
	}
	label_place(c, out);
	emit_number(c, R0, 0);
	emit_exit(c);
}

/* A subprogram: R1 the context, R2 the caller's struct error_info. */
static void gen_error(struct gen *g)
{
	struct code *c = &g->code;
	g->in_error = true;
	begin_frame(g);
	g->firing.error_info = frame_alloc(c, 8);
	emit_mov(c, R6, R1);
	emit_store(c, 8, FP, g->firing.error_info, R2);
	emit_address(c, R1, RELOCATE_PROBES, 0, g->table_entries * g->entry_size);
	emit_store(c, 8, FP, g->firing.entry, R1);
	label out = label_new(c);
	gen_this_variables(g, out);
	for (unsigned i = 0; i < g->typed->clause_count; i++) {
		if (!is_error_clause(g->typed->clauses[i]))
			continue;
		label next = label_new(c);
		if (error_can_exit(g) && g->hook != HOOK_END)
			gen_activity_test(g, next);
		gen_clause(g, g->typed->clauses[i]);
		label_place(c, next);
	}
	if (g->slot_claimed) {
		emit_load(c, 8, R1, FP, g->firing.slot_at);
		emit_call(c, RT_slot_release);
	}
	label_place(c, out);
	emit_number(c, R0, 0);
	emit_exit(c);
	g->in_error = false;
}

/* --- the hook ---------------------------------------------------------------------------- */

/* Too much for the stack: once more with less in it (frame.c); if that was it, a mistake. */
static void check_frames(struct gen *g, const struct hook_state *h, size_t error_entry)
{
	int total = chain_size(g, h->main_frame, h->error_frame, error_entry);
	if (total <= STACK_OF_A_CHAIN)
		return;
	g->overflow = true;
	if (g->spill)
		diagnose(g->diagnostics, h->clauses.items[0]->range, D_UNKNOWN,
			 "the clauses of this probe need %d bytes of stack and there are %d: "
			 "split expressions with elements of elements",
			 total, STACK_OF_A_CHAIN);
}

/*
 * A kernel program may refer to 64 maps; 20 of them are for memory and buffers
 * (loader/bind.c).
 */
#define MAPS_AT_MOST 44

static void check_maps(struct gen *g, const struct hook_state *h)
{
	unsigned count = 0;
	bool *seen = arena_alloc(g->arena, g->maps.count + 1);
	for (size_t i = 0; i < g->code.relocations.count; i++) {
		const struct relocation *r = &g->code.relocations.items[i];
		if (r->kind != RELOCATE_MAP || seen[r->index])
			continue;
		seen[r->index] = true;
		count++;
	}
	if (count > MAPS_AT_MOST)
		diagnose(g->diagnostics, h->clauses.items[0]->range, D_UNKNOWN,
			 "probes of one kind use %u aggregations with keys and associative arrays "
			 "here, and there may be %d: join some, with one more key",
			 count, MAPS_AT_MOST);
}

static void prepare(struct gen *g, const struct hook_state *h)
{
	uint32_t words = ((uint32_t)h->clauses.count + 31) / 32;
	g->hook = h->kind;
	g->entry_size = ALIGN_UP((uint32_t)sizeof(struct hook_probe) + 4 * words, 8);
	g->table_entries = h->is_syscall ? 2 * SYSCALL_NUMBERS : (uint32_t)h->probes.count;
	g->may_sleep = hook_is_function(h->kind) && g->options->can_sleep && g->reads_user;
	g->names_used = false;
	g->in_error = false;
	g->slot_claimed = false;
}

static void finish(struct gen *g, const struct hook_state *h, struct hook_code *ret)
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
	ret->may_sleep = g->may_sleep;
	ret->probe_table = make_table(g, h);
	ret->table_entries = g->table_entries + 1;
	ret->table_entry_size = g->entry_size;
	ret->mask_words = ((uint32_t)h->clauses.count + 31) / 32;
	ret->probe_ids = ids;
	ret->probe_count = (uint32_t)h->probes.count;
}

bool gen_hook(struct gen *g, enum hook_kind kind, struct hook_code *ret)
{
	struct hook_state h = { .kind = kind };
	h.is_syscall = kind == HOOK_SYSCALL_ENTRY || kind == HOOK_SYSCALL_RETURN;
	collect(g, &h);
	bool any = h.clauses.count > 0;
	if (any) {
		*ret = (struct hook_code) { 0 };
		prepare(g, &h);
		gen_main(g, &h);
		h.main_frame = g->code.frame_max;
		if (has_error_clauses(g)) {
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
