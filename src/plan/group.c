/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan/group.h"

#include <stdlib.h>
#include <string.h>

#include "plan/event_key.h"

/* An event while groups are made. */
struct found {
	const struct event *event;
	bool is_of_task; /* of clauses about another task, if tasks are tested */
	VECTOR(const struct probe *) probes; /* by id */
	uint32_t asked;			     /* bit n: some clause enabled here reads argN */
	struct found *same;		     /* the event that this one turned out to be; or NULL */
	unsigned group, index;		     /* in grouping.groups, and there */
	uint32_t layout;		     /* of the group's */
};

/* Of one clause, probe and event. */
struct use {
	const struct tclause *clause;
	const struct probe *probe;
	struct found *found;
};

struct making {
	enum event_kind kind;
	unsigned rank; /* groups are in this order */
	VECTOR(struct event_args) layouts;
	struct hash *layout_numbers; /* of layouts: number + 1 */
	uint32_t last_layout;
	unsigned first; /* of its events: the order of groups of one kind */
	VECTOR(struct found *) events;
};

/* Events with the same of it are one group's. */
struct layout_key {
	uint32_t kind, alone; /* alone: not 0: a unique number */
	uint32_t of_tasks;    /* clauses about another task test that themselves */
	uint32_t of_trees;    /* programs for trees of processes test first whether it is one */
	uint32_t is_tick;     /* and the programs of tick do not test their task */
	uint32_t in_programs; /* and those at functions that programs call test whether one runs */
	struct event_args args;
};

struct grouping {
	struct arena *arena;
	struct group_facts facts;
	bool shares_tracepoints; /* several may have one program */
	bool saves_values;	 /* at entries, for returns */
	VECTOR(struct found *) found;
	VECTOR(struct use) uses; /* by clause */
	VECTOR(struct making *) groups;
	struct hash *by_target, *by_layout;
	struct making *last; /* the group of the last event, and its key: neighbours mostly agree */
	struct layout_key last_key;
};

/* --- events -------------------------------------------------------------------------------- */

static struct found *found_of(struct grouping *g, const struct event *e, bool is_of_task)
{
	struct event_key key = event_key(e, is_of_task);
	void **place = hash_place(g->by_target, &key, sizeof(key));
	if (!*place) {
		struct found *f = ARENA_NEW(g->arena, struct found);
		f->event = e;
		f->is_of_task = is_of_task;
		vector_push(&g->found, f);
		*place = f;
	}
	return *place;
}

/* Its tracepoint costs half, and one of a thousand detaches in 0.1 ms instead of 100. */
static const struct event *without_record(struct grouping *g, const struct event *e)
{
	struct event *tracepoint = ARENA_NEW(g->arena, struct event);
	tracepoint->kind = EVENT_TRACEPOINT;
	tracepoint->tracepoint.name = e->record.name;
	return tracepoint;
}

/* Is arg0 of F, a return, read: which instruction returns? */
static bool wants_exits(const struct grouping *g, const struct found *f)
{
	return f->event->kind == EVENT_KERNEL_RETURN && f->asked & 1 && g->facts.exits;
}

static unsigned returns_with_exits(const struct grouping *g)
{
	unsigned count = 0;
	for (size_t i = 0; i < g->found.count; i++)
		count += wants_exits(g, g->found.items[i]);
	return count;
}

/* Each function has one at least: so of too many functions the code is not even read. */
static bool exits_fit(const struct grouping *g, unsigned returns)
{
	unsigned count = 0;
	for (size_t i = 0; i < g->found.count && MAX(count, returns) <= g->facts.exits_most; i++) {
		const struct found *f = g->found.items[i];
		const struct event *exits =
			wants_exits(g, f) ? g->facts.exits(g->facts.arg, f->event) : NULL;
		count += exits ? exits->function.count : 0;
	}
	return MAX(count, returns) <= g->facts.exits_most;
}

/* What the clauses that read F's arguments need of its event. */
static const struct event *as_asked(struct grouping *g, const struct found *f, bool with_exits)
{
	if (f->event->kind == EVENT_RECORD && !f->asked)
		return without_record(g, f->event);
	const struct event *exits = NULL;
	if (with_exits && wants_exits(g, f))
		exits = g->facts.exits(g->facts.arg, f->event);
	return exits ? exits : f->event;
}

static void choose_as_asked(struct grouping *g)
{
	unsigned returns = returns_with_exits(g);
	bool with_exits = exits_fit(g, returns);
	if (g->facts.exits)
		g->facts.exits_dropped(g->facts.arg, with_exits ? 0 : returns);
	for (size_t i = 0; i < g->found.count; i++)
		g->found.items[i]->event = as_asked(g, g->found.items[i], with_exits);
}

/* Each is a program, and takes 0.1 s to detach (6.1, 6.12). */
#define TRAMPOLINES_MOST 20

static unsigned found_of_kind(const struct grouping *g, enum event_kind kind)
{
	unsigned count = 0;
	for (size_t i = 0; i < g->found.count; i++)
		count += g->found.items[i]->event->kind == kind;
	return count;
}

static void by_trampoline(struct grouping *g, enum event_kind kind)
{
	for (size_t i = 0; i < g->found.count; i++) {
		struct found *f = g->found.items[i];
		const struct event *e =
			f->event->kind == kind ? g->facts.trampoline(g->facts.arg, f->event) : NULL;
		f->event = e ? e : f->event;
	}
}

static void prefer_trampolines(struct grouping *g)
{
	unsigned returns = found_of_kind(g, EVENT_KERNEL_RETURN);
	unsigned all = returns + found_of_kind(g, EVENT_KERNEL_ENTRY);
	if (g->facts.trampoline && returns <= TRAMPOLINES_MOST)
		by_trampoline(g, EVENT_KERNEL_RETURN);
	if (g->facts.trampoline && all <= TRAMPOLINES_MOST)
		by_trampoline(g, EVENT_KERNEL_ENTRY);
}

static bool may_share_tracepoints(const struct grouping *g)
{
	return found_of_kind(g, EVENT_TRACEPOINT) > g->facts.tracepoints_alone &&
	       g->facts.tracepoint_cookies && g->facts.tracepoint_cookies();
}

static unsigned place_by_id(const struct found *f, const struct probe *p)
{
	unsigned i = 0;
	while (i < f->probes.count && f->probes.items[i]->id < p->id)
		i++;
	return i;
}

static void add_probe(struct found *f, const struct probe *p)
{
	unsigned at = place_by_id(f, p);
	if (at < f->probes.count && f->probes.items[at] == p)
		return;
	vector_push(&f->probes, p);
	memmove(&f->probes.items[at + 1], &f->probes.items[at],
		(f->probes.count - 1 - at) * sizeof(p));
	f->probes.items[at] = p;
}

/* F is the event OTHER: it fires F's probes, too. */
static void join(struct found *f, struct found *other)
{
	for (size_t i = 0; i < f->probes.count; i++)
		add_probe(other, f->probes.items[i]);
	vector_free(&f->probes);
	f->same = other;
}

/*
 * A record that became its tracepoint may be an event of rawtp, too.  Each more program at a
 * tracepoint costs 2 ms to attach and 2 ms to detach (6.18).
 */
static void join_tracepoints(struct grouping *g)
{
	size_t count = 0;
	for (size_t i = 0; i < g->found.count; i++) {
		struct found *f = g->found.items[i];
		struct event_key key = event_key(f->event, f->is_of_task);
		void **place = f->event->kind == EVENT_TRACEPOINT
				       ? hash_place(g->by_target, &key, sizeof(key))
				       : NULL;
		if (place && !*place)
			*place = f;
		if (place && *place != f)
			join(f, *place);
		else
			g->found.items[count++] = f;
	}
	g->found.count = count;
	for (size_t i = 0; i < g->uses.count; i++)
		if (g->uses.items[i].found->same)
			g->uses.items[i].found = g->uses.items[i].found->same;
}

static void find_events_of_clause(struct grouping *g, const struct tclause *clause)
{
	for (unsigned k = 0; k < clause->probe_count; k++) {
		const struct probe_event *e = clause->probes[k]->events;
		for (; e; e = e->next) {
			if (!clause_is_on(clause, e))
				continue;
			bool is_of_task = g->facts.tests_tasks && clause->is_of_task;
			struct found *f = found_of(g, &e->event, is_of_task);
			f->asked |= clause->arguments_read;
			add_probe(f, clause->probes[k]);
			struct use use = { clause, clause->probes[k], f };
			vector_push(&g->uses, use);
		}
	}
}

static void find_events(struct grouping *g, const struct typed_program *t)
{
	/* What entry() saves are the values before any other clause of the entry. */
	for (unsigned i = 0; i < t->clause_count; i++)
		if (t->clauses[i]->saves) {
			g->saves_values = true;
			find_events_of_clause(g, t->clauses[i]);
		}
	for (unsigned i = 0; i < t->clause_count; i++)
		if (!t->clauses[i]->saves)
			find_events_of_clause(g, t->clauses[i]);
	choose_as_asked(g);
	join_tracepoints(g);
	prefer_trampolines(g);
	g->shares_tracepoints = may_share_tracepoints(g);
}

/* --- groups -------------------------------------------------------------------------------- */

/* The places of the arguments that clauses read; bytes to compare. */
static struct event_args args_asked(const struct found *f)
{
	struct event_args args = { 0 };
	for (unsigned i = 0; i < EVENT_ARGS; i++)
		if (f->asked >> i & 1)
			args.arg[i] = event_argument(f->event, i);
	return args;
}

static struct layout_key layout_of(const struct grouping *g, const struct found *f, unsigned number)
{
	struct event_facts facts = event_facts(f->event->kind);
	struct layout_key key;
	memset(&key, 0, sizeof(key));
	key.kind = f->event->kind;
	key.of_trees = event_of_tree(f->event);
	key.of_tasks = f->is_of_task;
	key.in_programs = event_in_programs(f->event);
	key.is_tick = g->facts.tests_tasks && event_is_tick(f->event);
	if (facts.arguments == ARGS_DIFFER)
		key.args = args_asked(f);
	else if (facts.arguments == ARGS_ALIKE && f->event->args)
		key.args = *f->event->args;
	bool is_shared = facts.program == PROGRAM_SHARED ||
			 (facts.program == PROGRAM_COOKIES && g->shares_tracepoints);
	key.alone = is_shared ? 0 : number + 1;
	return key;
}

/* The number of the layout ARGS of M. */
static uint32_t layout_number(struct making *m, const struct event_args *args)
{
	size_t size = sizeof(*args);
	if (m->layouts.count && memcmp(&m->layouts.items[m->last_layout], args, size) == 0)
		return m->last_layout;
	void **place = hash_place(m->layout_numbers, args, size);
	if (!*place) {
		vector_push(&m->layouts, *args);
		*place = (void *)(uintptr_t)m->layouts.count;
	}
	m->last_layout = (uint32_t)(uintptr_t)*place - 1;
	return m->last_layout;
}

/*
 * The kernel runs the programs of an instruction in the reverse order of their attachment.  A
 * function that only returns has its entry and its return at one instruction: what the entry saves
 * must be there then.
 */
static unsigned group_rank(const struct grouping *g, enum event_kind kind)
{
	return g->saves_values && kind == EVENT_FUNCTION_ENTRY ? EVENT_COUNT : kind;
}

/* The group of KEY; a new one begins with the event NUMBER. */
static struct making *group_with(struct grouping *g, const struct layout_key *key, unsigned number)
{
	if (g->last && memcmp(&g->last_key, key, sizeof(*key)) == 0)
		return g->last;
	void **place = hash_place(g->by_layout, key, sizeof(*key));
	struct making *m = *place;
	if (!m) {
		m = ARENA_NEW(g->arena, struct making);
		m->kind = (enum event_kind)key->kind;
		m->rank = group_rank(g, m->kind);
		m->first = number;
		m->layout_numbers = hash_new();
		*place = m;
		vector_push(&g->groups, m);
	}
	g->last = m;
	g->last_key = *key;
	return m;
}

static void choose_group(struct grouping *g, struct found *f, unsigned number)
{
	struct layout_key key = layout_of(g, f, number);
	struct making *m = group_with(g, &key, number);
	bool is_chosen = event_is_placed(f->event->kind);
	struct event_args args = is_chosen ? args_asked(f) : key.args;
	f->layout = layout_number(m, &args);
	f->index = (unsigned)m->events.count;
	vector_push(&m->events, f);
}

static int by_kind(const void *a, const void *b)
{
	const struct making *const *x = a, *const *y = b;
	if ((*x)->rank != (*y)->rank)
		return (*x)->rank < (*y)->rank ? -1 : 1;
	return (*x)->first < (*y)->first ? -1 : (*x)->first > (*y)->first;
}

static void make_groups(struct grouping *g)
{
	for (size_t i = 0; i < g->found.count; i++)
		choose_group(g, g->found.items[i], (unsigned)i);
	if (g->groups.count)
		qsort(g->groups.items, g->groups.count, sizeof(*g->groups.items), by_kind);
	for (size_t i = 0; i < g->groups.count; i++)
		for (size_t k = 0; k < g->groups.items[i]->events.count; k++)
			g->groups.items[i]->events.items[k]->group = (unsigned)i;
}

/* --- clauses ------------------------------------------------------------------------------- */

typedef VECTOR(struct group_clause) clause_vector;
typedef VECTOR(uint32_t) entry_vector;

/*
 * What a clause has in each group: its uses are from FIRST on.  LISTS, one for each group, are
 * empty before and after.  The result is the first use of the next clause.
 */
static size_t place_clause(struct grouping *g, struct event_group *groups, clause_vector *clauses,
			   entry_vector *lists, size_t first)
{
	const struct tclause *clause = g->uses.items[first].clause;
	size_t next = first;
	for (; next < g->uses.count && g->uses.items[next].clause == clause; next++) {
		const struct use *u = &g->uses.items[next];
		const struct found *f = u->found;
		vector_push(&lists[f->group],
			    f->index * groups[f->group].passes + place_by_id(f, u->probe));
	}
	for (size_t i = 0; i < g->groups.count; i++) {
		if (!lists[i].count)
			continue;
		size_t size = lists[i].count * sizeof(uint32_t);
		uint32_t *entries = arena_alloc(g->arena, size);
		memcpy(entries, lists[i].items, size);
		struct group_clause placed = { clause, entries, (uint32_t)lists[i].count };
		vector_push(&clauses[i], placed);
		lists[i].count = 0;
	}
	return next;
}

static void place_clauses(struct grouping *g, struct event_group *groups)
{
	size_t count = g->groups.count;
	auto_free clause_vector *clauses = mem_zalloc((count + 1) * sizeof(*clauses));
	auto_free entry_vector *lists = mem_zalloc((count + 1) * sizeof(*lists));
	for (size_t i = 0; i < g->uses.count;)
		i = place_clause(g, groups, clauses, lists, i);
	for (size_t i = 0; i < count; i++) {
		size_t size = clauses[i].count * sizeof(struct group_clause);
		struct group_clause *list = arena_alloc(g->arena, size);
		memcpy(list, clauses[i].items, size);
		groups[i].clauses = list;
		groups[i].clause_count = (uint32_t)clauses[i].count;
		struct group_part *whole = ARENA_NEW(g->arena, struct group_part);
		whole->end = groups[i].clause_count * groups[i].passes;
		groups[i].parts = whole;
		groups[i].part_count = 1;
		vector_free(&clauses[i]);
		vector_free(&lists[i]);
	}
}

/* --- the whole ------------------------------------------------------------------------------ */

static struct event_group group_of(struct grouping *g, const struct making *m)
{
	struct group_event *events = arena_alloc(g->arena, m->events.count * sizeof(*events));
	size_t layouts_size = m->layouts.count * sizeof(struct event_args);
	struct event_args *layouts = arena_alloc(g->arena, layouts_size);
	memcpy(layouts, m->layouts.items, layouts_size);
	struct event_group ret = { .kind = m->kind,
				   .layouts = layouts,
				   .layout_count = (uint32_t)m->layouts.count,
				   .events = events,
				   .event_count = (uint32_t)m->events.count };
	for (uint32_t i = 0; i < ret.event_count; i++) {
		const struct found *f = m->events.items[i];
		size_t size = f->probes.count * sizeof(const struct probe *);
		events[i] = (struct group_event) { f->event, arena_alloc(g->arena, size),
						   (unsigned)f->probes.count, f->layout };
		memcpy(events[i].probes, f->probes.items, size);
		ret.passes = MAX(ret.passes, events[i].probe_count);
	}
	return ret;
}

uint32_t group_jump_count(const struct event_group *g)
{
	uint32_t count = 0;
	if (g->kind != EVENT_FUNCTION_INSIDE)
		return 0;
	for (uint32_t i = 0; i < g->event_count; i++) {
		const struct event_code *code = &g->events[i].event->code;
		for (uint32_t k = 0; k < code->site_count; k++)
			count += site_is_jump(&code->sites[k]);
	}
	return count;
}

struct event_groups plan_groups(struct arena *a, const struct typed_program *t,
				struct group_facts facts)
{
	struct grouping g = {
		.arena = a, .facts = facts, .by_target = hash_new(), .by_layout = hash_new()
	};
	find_events(&g, t);
	make_groups(&g);
	struct event_group *groups = arena_alloc(a, (g.groups.count + 1) * sizeof(*groups));
	for (size_t i = 0; i < g.groups.count; i++)
		groups[i] = group_of(&g, g.groups.items[i]);
	place_clauses(&g, groups);
	for (size_t i = 0; i < g.found.count; i++)
		vector_free(&g.found.items[i]->probes);
	for (size_t i = 0; i < g.groups.count; i++) {
		vector_free(&g.groups.items[i]->events);
		vector_free(&g.groups.items[i]->layouts);
		hash_free(g.groups.items[i]->layout_numbers);
	}
	struct event_groups ret = { groups, (unsigned)g.groups.count };
	vector_free(&g.found);
	vector_free(&g.uses);
	vector_free(&g.groups);
	hash_free(g.by_target);
	hash_free(g.by_layout);
	return ret;
}
