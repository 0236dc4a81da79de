/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A group's probe table
 *
 * It has an entry for each index that the program can see: the probe's id, or 0, and a bit for each
 * of the group's clauses.  The index is the cookie given when attaching, or a system call's number:
 *
 *     0 ... 511    native calls
 *   512 ... 1023   calls of the 32-bit table
 *
 * Where one event fires several probes, each index has as many entries.
 *
 * Where returns follow jumps (abi/exit.h), struct exit_jump of each jump out of a function come
 * last.
 */
#include <string.h>

#include "codegen/gen.h"

static struct probe_entry *table_at(struct gen *g, void *table, uint32_t index)
{
	return (struct probe_entry *)((char *)table + (size_t)index * g->table.entry_size);
}

/* INDEX: 1 + it finds the entry again where a firing is resumed; 0: it never is. */
static void fill_entry(struct gen *g, struct probe_entry *entry, const struct probe *p,
		       uint32_t resume)
{
	entry->probe = p->id;
	entry->resume = resume;
	if (g->table.call_at)
		*(uint32_t *)((char *)entry + g->table.call_at) =
			probe_call_number(g->plan->typed, p);
	if (g->names_used) {
		const char *function = p->written ? p->written : p->function;
		const char *names[4] = { p->provider, p->module, function, p->name };
		for (int i = 0; i < 4; i++)
			entry->names[i] = constant_string(g, names[i], UINT32_MAX);
	}
}

/* The WHICH-th index of event number I, less than 0: there is none.  System calls have two. */
static int64_t event_index(const struct gen *g, uint32_t i, unsigned which)
{
	const struct event *e = g->group->events[i].event;
	if (!event_is_syscall(e->kind))
		return which ? -1 : (int64_t)i;
	int32_t number = which ? e->call.compat : e->call.native;
	if (number >= SYSCALL_NUMBERS)
		return -1;
	return number < 0 || !which ? number : number + SYSCALL_NUMBERS;
}

#define INDEXES_AT_MOST 2

static void fill_event(struct gen *g, void *table, uint32_t i)
{
	const struct group_event *e = &g->group->events[i];
	bool resumes = event_is_syscall_entry(g->group->kind) && !e->event->call.no_return;
	for (unsigned which = 0; which < INDEXES_AT_MOST; which++) {
		int64_t index = event_index(g, i, which);
		for (unsigned k = 0; index >= 0 && k < e->probe_count; k++) {
			uint32_t entry = (uint32_t)index * g->group->passes + k;
			fill_entry(g, table_at(g, table, entry), e->probes[k],
				   resumes ? entry + 1 : 0);
			table_at(g, table, entry)->layout = e->layout;
			if (event_of_tree(e->event))
				table_at(g, table, entry)->target = (uint32_t)e->event->code.target;
			else if (event_is_function_return(e->event->kind))
				table_at(g, table, entry)->target = (uint32_t)e->event->code.pid;
		}
	}
}

/* The parts that run clause number I in the first pass, of which all later ones are run anyway. */
static uint32_t parts_of_clause(const struct gen *g, unsigned i)
{
	const struct event_group *group = g->group;
	uint32_t bits = 0;
	for (uint32_t part = 0; part < group->part_count; part++)
		if (i >= group->parts[part].begin && i < group->parts[part].end)
			bits |= 1u << part;
	return bits;
}

static void set_bits(const struct gen *g, struct probe_entry *entry, unsigned bit, uint32_t parts)
{
	entry->mask[bit / 32] |= 1u << bit % 32;
	if (g->group->part_count > 1)
		*(uint32_t *)((char *)entry + g->table.entry_size - sizeof(uint32_t)) |= parts;
}

/* The bit of clause number BIT, in each entry where it is enabled. */
static void fill_clause_bits(struct gen *g, void *table, unsigned bit)
{
	const struct group_clause *clause = &g->group->clauses[bit];
	uint32_t passes = g->group->passes, parts = parts_of_clause(g, bit);
	for (uint32_t i = 0; i < clause->entry_count; i++) {
		uint32_t event = clause->entries[i] / passes, pass = clause->entries[i] % passes;
		for (unsigned which = 0; which < INDEXES_AT_MOST; which++) {
			int64_t index = event_index(g, event, which);
			if (index >= 0)
				set_bits(g, table_at(g, table, (uint32_t)index * passes + pass),
					 bit, parts);
		}
	}
}

void visit_jumps(const struct gen *g, jump_fn *visit, void *arg)
{
	uint32_t entry = table_entries(g) + 1;
	for (uint32_t i = 0; i < g->group->event_count; i++) {
		const struct event_code *code = &g->group->events[i].event->code;
		for (uint32_t k = 0; k < code->site_count; k++)
			if (site_is_jump(&code->sites[k]))
				visit(arg, i, k, entry++);
	}
}

struct table {
	struct gen *of;
	void *entries;
};

static bool are_of_one_file(const struct event_code *a, const struct event_code *b)
{
	return a->pid == b->pid && (a->path == b->path || strcmp(a->path, b->path) == 0);
}

/* The first event of the group in the file and process of event number I. */
static uint32_t number_of_file(const struct gen *g, uint32_t i)
{
	const struct group_event *events = g->group->events;
	if (i && are_of_one_file(&events[i - 1].event->code, &events[i].event->code))
		return g->table.files[i - 1]; /* neighbours mostly share one */
	for (uint32_t first = 0; first < i; first++)
		if (are_of_one_file(&events[first].event->code, &events[i].event->code))
			return first;
	return i;
}

void number_files(struct gen *g)
{
	g->table.files = arena_alloc(g->arena, g->group->event_count * sizeof(*g->table.files));
	for (uint32_t i = 0; i < g->group->event_count; i++) {
		g->table.files[i] = number_of_file(g, i);
		g->table.has_files |= g->table.files[i] != 0;
	}
}

/* May a destination of S be found by its mapping alone? */
static bool searches_mappings(const struct gen *g, const struct event_site *s)
{
	return s->is_followed && (g->table.has_files || !s->is_near);
}

static void fill_jump(void *arg, uint32_t event, uint32_t site, uint32_t entry)
{
	const struct table *t = arg;
	const struct event_code *code = &t->of->group->events[event].event->code;
	const struct event_site *s = &code->sites[site];
	*(struct exit_jump *)(void *)table_at(t->of, t->entries, entry) = (struct exit_jump) {
		.inside = (int32_t)s->inside,
		.destination = s->destination,
		.kind = s->role == SITE_JUMP	 ? JUMP_FOLLOWED
			: s->role == SITE_LOOKUP ? JUMP_LOOKED_UP
						 : JUMP_AWAY,
		.of_destination = s->of_destination,
		.test = s->test,
		.operand = s->operand,
		.file = s->is_near ? t->of->table.files[event] : EXIT_NO_FILE,
		.at = s->at,
		.extent = s->extent,
		.pid = searches_mappings(t->of, s) ? code->pid : EXIT_NO_PROCESS,
	};
}

/* The entries, one more for ERROR after them, and those of jumps. */
void *probe_table_make(struct gen *g)
{
	uint32_t entries = table_entries(g);
	void *table =
		arena_alloc(g->arena, (size_t)(entries + 1 + g->table.jumps) * g->table.entry_size);
	if (g->table.jumps)
		visit_jumps(g, fill_jump, &(struct table) { g, table });
	for (uint32_t i = 0; i < g->group->event_count; i++)
		fill_event(g, table, i);
	for (unsigned i = 0; i < g->group->clause_count; i++)
		fill_clause_bits(g, table, i);
	if (g->plan->error_probe)
		fill_entry(g, table_at(g, table, entries), g->plan->error_probe, 0);
	return table;
}
