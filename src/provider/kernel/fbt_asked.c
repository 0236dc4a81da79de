/* SPDX-License-Identifier: BSD-2-Clause */
/* fbt_asked - instructions that formulas ask for, each question answered once */
#include "provider/kernel/fbt_functions.h"
#include "provider/kernel/fbt_text.h"
#include "symbol/symbol.h"

/* An answer of kernel_sites(). */
struct sites {
	struct site_query query;
	kernel_site_vector found;
	const char *problem;
};

static bool is_same_query(const struct site_query *a, const struct site_query *b)
{
	bool same_caller = !a->caller == !b->caller;
	return a->kind == b->kind && a->number == b->number && a->is_after == b->is_after &&
	       a->element == b->element && string_equal(a->function, b->function) && same_caller &&
	       (!a->caller || string_equal(a->caller, b->caller));
}

/* The variable of Q's increments. */
static const char *find_variable(struct functions *f, const struct site_query *q, uint64_t *ret)
{
	struct symbols_kernel *symbols = symbols_kernel_new();
	struct kernel_symbol symbol;
	const char *problem = symbols_kernel_problem(symbols);
	if (problem)
		problem = arena_strdup(f->arena, problem);
	else if (symbols_kernel_lookup(symbols, NULL, q->function, &symbol))
		*ret = symbol.address;
	else
		problem = arena_printf(f->arena, "the kernel has no variable %s", q->function);
	symbols_kernel_free(symbols);
	return problem;
}

/* Which of the sites' functions tracefs lists. */
struct listed {
	const kernel_site_vector *sites;
	bool *is_listed; /* of each */
	bool is_known;
};

static bool symbol_is_part_of(const char *part, const char *function)
{
	size_t len = strlen(function);
	return strncmp(part, function, len) == 0 && (!part[len] || part[len] == '.');
}

static void note_listed(void *arg, const char *module, const char *name, uint64_t address)
{
	struct listed *l = arg;
	l->is_known = true;
	for (size_t i = 0; i < l->sites->count; i++)
		l->is_listed[i] |= symbol_is_part_of(l->sites->items[i].function, name);
}

/*
 * The kernel refuses probes inside of functions that tracefs does not list (seen on 6.1;
 * within_notrace_func() in trace_kprobe.c); a part of a function (f.cold) is as the function.
 */
static void query_check(struct functions *f, struct sites *s)
{
	auto_free bool *is_listed = mem_zalloc(s->found.count + 1);
	struct listed l = { &s->found, is_listed, false };
	kernel_functions(note_listed, &l);
	for (size_t i = 0; i < s->found.count && l.is_known && !s->problem; i++)
		if (!is_listed[i])
			s->problem =
				arena_printf(f->arena, "the kernel refuses probes inside of %s",
					     s->found.items[i].function);
}

static void find_sites(struct functions *f, struct sites *s)
{
	uint64_t variable = 0;
	auto_error struct error *err = functions_open_text(f);
	if (err)
		s->problem = arena_strdup(f->arena, error_text(err));
	else if (s->query.kind == SITE_INCREMENT)
		s->problem = find_variable(f, &s->query, &variable);
	if (!s->problem)
		s->problem = fbt_sites(&f->text, f->arena, &s->query, variable, &s->found);
	if (!s->problem)
		query_check(f, s);
}

static struct sites *query_sites(struct functions *f, const struct site_query *q)
{
	for (size_t i = 0; i < f->sites.count; i++)
		if (is_same_query(&f->sites.items[i]->query, q))
			return f->sites.items[i];
	struct sites *s = ARENA_NEW(f->arena, struct sites);
	s->query = *q;
	vector_push(&f->sites, s);
	find_sites(f, s);
	return s;
}

const struct kernel_site *kernel_sites(struct probe_db *db, const struct site_query *q,
				       uint32_t *count, const char **problem)
{
	const struct sites *s = query_sites(probe_db_state(db, &provider_fbt), q);
	*problem = s->problem;
	*count = (uint32_t)s->found.count;
	return s->problem ? NULL : s->found.items;
}

void fbt_asked_free(struct functions *f)
{
	for (size_t i = 0; i < f->sites.count; i++)
		vector_free(&f->sites.items[i]->found);
	vector_free(&f->sites);
}
