/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A group's probe table
 *
 * It has an entry for each index that the group can see (a system call's number, or the cookie
 * given when attaching): the probe's id, or 0, and a bit for each of the group's clauses.
 */
#include "codegen/gen.h"

static void set_names(struct gen *g, struct probe_entry *entry, const struct probe *p)
{
	const char *names[4] = { p->provider, p->module, p->function, p->name };
	for (int i = 0; i < 4; i++)
		entry->names[i] = constant_string(g, names[i], UINT32_MAX);
}

static struct probe_entry *table_at(struct gen *g, void *table, uint32_t index)
{
	return (struct probe_entry *)((char *)table + (size_t)index * g->entry_size);
}

static void fill_entry(struct gen *g, struct probe_entry *entry, const struct probe *p,
		       uint32_t index)
{
	entry->probe = p->id;
	if (p->event == EVENT_SYSCALL_ENTRY && !p->no_return)
		entry->resume = index + 1;
	if (g->names_used)
		set_names(g, entry, p);
}

static uint32_t index_of(const struct group_state *h, unsigned n, unsigned which, bool *more)
{
	*more = false;
	if (event_is_syscall(h->kind))
		return h->probes.items[n]->owner->table_index(h->probes.items[n], which, more);
	return n;
}

static void fill_probe(struct gen *g, const struct group_state *h, void *table, unsigned n)
{
	bool more = true;
	for (unsigned which = 0; more; which++) {
		uint32_t index = index_of(h, n, which, &more);
		if (index < g->table_entries)
			fill_entry(g, table_at(g, table, index), h->probes.items[n], index);
	}
}

/* Bits of one clause, for all its probes; a hash keeps 700 probes from being searched for. */
static void fill_clause_bits(struct gen *g, const struct group_state *h, void *table, unsigned bit,
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

/* The entries, and one more for ERROR behind them. */
void *make_table(struct gen *g, const struct group_state *h)
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
	if (g->plan->error_probe)
		fill_entry(g, table_at(g, table, g->table_entries), g->plan->error_probe,
			   g->table_entries);
	return table;
}
