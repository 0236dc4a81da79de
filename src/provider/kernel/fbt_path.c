/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fbt_path - functions of the kernel that probes and programs themselves call
 *
 * The kernel enters our path at some functions, by pointers (own_path.def): what runs programs, and
 * what programs call.  What these call in turn is found in their machine code: direct calls, and
 * jumps to other functions.  The walk ends where the path is left in exceptional cases only:
 * warnings, the scheduler, allocation of pages (own_path.def, too), code that the compiler calls
 * cold; and, as kernels differ, at each call from which calls lead to more than 64 functions.
 *
 * Calls by pointers inside of the path are not seen: their targets are listed as beginnings.
 */
#include "provider/kernel/fbt_text.h"

#include "probe/probe.h"

/* Walking a stack needs 35 functions; sending a message to the console, or giving up the CPU,
 * hundreds.
 */
#define FAR 64

struct fbt_path {
	struct arena *arena;
	struct hash *reasons; /* of addresses */
	size_t count;
};

struct row {
	const char *pattern, *why;
};

static const struct row begins[] = {
#define OWN_BEGIN(pattern, why) { pattern, why },
#include "provider/kernel/own_path.def"
#undef OWN_BEGIN
};
static const struct row ends[] = {
#define OWN_END(pattern, why) { pattern, why },
#include "provider/kernel/own_path.def"
#undef OWN_END
};
static const struct row names[] = {
#define OWN_NAME(pattern, why) { pattern, why },
#include "provider/kernel/own_path.def"
#undef OWN_NAME
};
static const struct row forbidden[] = {
#define FORBIDDEN(pattern, why) { pattern, why },
#include "provider/kernel/own_path.def"
#undef FORBIDDEN
};

static const char *reason_in(const struct row *rows, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (glob_match(rows[i].pattern, name))
			return rows[i].why;
	return NULL;
}

const char *fbt_path_name_reason(const char *function)
{
	const char *why = reason_in(begins, ARRAY_SIZE(begins), function);
	return why ? why : reason_in(names, ARRAY_SIZE(names), function);
}

const char *fbt_forbidden_reason(const char *function)
{
	return reason_in(forbidden, ARRAY_SIZE(forbidden), function);
}

/* --- the graph of calls ---------------------------------------------------------------------- */

struct node {
	const struct text_symbol *symbol;
	VECTOR(struct node *) callees; /* if it was walked */
	bool is_walked, is_found;
	unsigned search; /* the last one that came here */
	const char *why; /* of what it calls; NULL: not needed yet */
};

struct graph {
	const struct kernel_text *text;
	struct arena *arena;
	struct hash *nodes; /* by address */
	VECTOR(struct node *) all;
	unsigned searches;
};

static struct node *path_node(struct graph *g, const struct text_symbol *s)
{
	void **place = hash_place(g->nodes, &s->address, sizeof(s->address));
	if (!*place) {
		struct node *n = ARENA_NEW(g->arena, struct node);
		n->symbol = s;
		*place = n;
		vector_push(&g->all, n);
	}
	return *place;
}

struct walk {
	struct graph *graph;
	struct node *of;
};

/* Code in the middle of another symbol is not a function: it is a part of one (.cold). */
static bool add_callee(void *arg, uint64_t address, const struct instruction *i)
{
	struct walk *w = arg;
	const struct kernel_text *t = w->graph->text;
	uint64_t target = address + (uint64_t)i->target, begin = w->of->symbol->address;
	if (!instruction_has_target(i) || target - begin < text_size(t, w->of->symbol))
		return true;
	const struct text_symbol *s = text_symbol_at(t, target);
	if (s && s->address == target && !reason_in(ends, ARRAY_SIZE(ends), s->name))
		vector_push(&w->of->callees, path_node(w->graph, s));
	return true;
}

static void node_walk(struct graph *g, struct node *n)
{
	struct walk w = { g, n };
	if (!n->is_walked)
		text_walk(g->text, n->symbol, add_callee, &w);
	n->is_walked = true;
}

/* Do calls from N lead to so many functions that N does not belong to our path alone? */
static bool leads_far(struct graph *g, struct node *n)
{
	struct node *queue[FAR + 1] = { n };
	unsigned search = ++g->searches, count = 1;
	n->search = search;
	for (unsigned i = 0; i < count; i++) {
		node_walk(g, queue[i]);
		for (size_t k = 0; k < queue[i]->callees.count; k++) {
			struct node *callee = queue[i]->callees.items[k];
			if (callee->search == search)
				continue;
			if (count > FAR)
				return true;
			callee->search = search;
			queue[count++] = callee;
		}
	}
	return count > FAR;
}

/* --- the path -------------------------------------------------------------------------------- */

typedef VECTOR(struct node *) node_vector;

static void find(struct fbt_path *p, node_vector *found, struct node *n, const char *why)
{
	n->is_found = true;
	vector_push(found, n);
	*hash_place(p->reasons, &n->symbol->address, sizeof(n->symbol->address)) = (void *)why;
	p->count++;
}

static void find_callees(struct fbt_path *p, struct graph *g, node_vector *found, struct node *n)
{
	node_walk(g, n);
	for (size_t i = 0; i < n->callees.count; i++) {
		struct node *callee = n->callees.items[i];
		if (callee->is_found || leads_far(g, callee))
			continue;
		if (!n->why)
			n->why = arena_printf(p->arena, "called by %s", n->symbol->name);
		find(p, found, callee, n->why);
	}
}

static void path_begins_find(struct fbt_path *p, struct graph *g, node_vector *found)
{
	for (size_t i = 0; i < g->text->symbols.count; i++) {
		const struct text_symbol *s = &g->text->symbols.items[i];
		const char *why = reason_in(begins, ARRAY_SIZE(begins), s->name);
		struct node *n = why ? path_node(g, s) : NULL;
		if (n && !n->is_found)
			find(p, found, n, why);
	}
}

struct fbt_path *fbt_path_new(const struct kernel_text *t)
{
	struct fbt_path *p = mem_zalloc(sizeof(*p));
	struct graph g = { .text = t, .arena = arena_new(), .nodes = hash_new() };
	node_vector found = { 0 };
	p->arena = arena_new();
	p->reasons = hash_new();
	path_begins_find(p, &g, &found);
	for (size_t i = 0; i < found.count; i++)
		find_callees(p, &g, &found, found.items[i]);
	log_debug("the code of %zu functions was searched for our path", g.all.count);
	for (size_t i = 0; i < g.all.count; i++)
		vector_free(&g.all.items[i]->callees);
	vector_free(&g.all);
	vector_free(&found);
	hash_free(g.nodes);
	arena_free(g.arena);
	return p;
}

void fbt_path_free(struct fbt_path *p)
{
	if (!p)
		return;
	hash_free(p->reasons);
	arena_free(p->arena);
	free(p);
}

const char *fbt_path_reason(const struct fbt_path *p, uint64_t address)
{
	return hash_get(p->reasons, &address, sizeof(address));
}

size_t fbt_path_count(const struct fbt_path *p)
{
	return p->count;
}
