/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of code that arrives during tracing
 *
 * Descriptions of per-process providers are matched again when their process has mapped a library
 * or executed another program.  New matches get a separate program over the same state, buffers and
 * maps: the clauses are compiled again, only for these probes.  So a program for probes that are
 * known at the start has no cost for later ones, and their number is not limited.  Probes whose
 * args[] have other types than the first ones' are read by clauses of their own: versions.h.
 *
 * Who reports the code, and when it is looked for: arrivals.c.
 *
 * The process waits meanwhile (runtime/process/arrival.c); one that did not wait is reported.  A
 * probe at its dynamic linker makes the process wait, which costs 20 ms more at the end (of
 * 50; 6.18): it is not set for entries that name one library and have found it, which only exec can
 * change. Returns need it: a library may contain an unwinder, which kernel return probes mislead.
 * Then these are removed, and descriptions match probes at the instructions that return.  After an
 * exec the probe is set: a new program waits if the kernel can hold it before its start.
 */
#include <string.h>

#include "tracer/live/live.h"
#include "tracer/targets/targets.h"

/* --- which processes --- */

/* Does a library that is loaded later, or another program's first function, matter? */
static bool wants_mappings(const struct tracer *t, int pid)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		const char *module = c->desc.module;
		int its;
		if (tracer_of_every_process(t, c))
			return true;
		if (!tracer_process_of(&c->desc, &its) || its != pid)
			continue;
		if (!c->probe_count || !*module || !glob_is_plain(module) ||
		    string_equal(module, "a.out"))
			return true;
	}
	return false;
}

static bool was_held(const struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->processes.list.count; i++)
		if (process_pid(t->processes.list.items[i]) == pid)
			return process_is_created(t->processes.list.items[i]);
	return false;
}

static struct error *watch_linker(void *tracer, const struct event_code *linker)
{
	struct tracer *t = tracer;
	return t->executor->follow->watch(t->executing, linker->pid, linker);
}

bool live_watch_linker(struct tracer *t, int pid)
{
	bool was_watched = false;
	auto_error struct error *err =
		probe_db_code_watch(t->probes, pid, watch_linker, t, &was_watched);
	if (err && !option_number(t->options, OPTION_quiet))
		message_loss(
			"functions of libraries that process %d loads later are not traced: %s",
			pid, error_text(err));
	return was_watched;
}

struct error *live_watch(struct tracer *t)
{
	struct error *err = NULL;
	files_watch(t);
	modules_watch(t);
	t->live->match_again |= tracer_follows(t) && targets_descendants(t)->count;
	for (size_t i = 0; i < t->watched.list.count && t->executor->follow && !err; i++) {
		struct watched *w = &t->watched.list.items[i];
		err = t->executor->follow->watch(t->executing, w->pid, NULL);
		if (wants_mappings(t, w->pid))
			live_watch_linker(t, w->pid);
		probe_db_code_has_changed(t->probes, w->pid);
		/* One that runs may have mapped something since its descriptions were matched. */
		t->live->match_again |= !was_held(t, w->pid);
	}
	return err;
}

/* --- new probes --- */

static int by_id(const void *a, const void *b)
{
	const struct probe *const *x = a, *const *y = b;
	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

static bool has_probe(const struct tclause *c, const struct probe *p)
{
	return c->probe_count &&
	       bsearch(&p, c->probes, c->probe_count, sizeof(struct probe *), by_id);
}

static bool is_of_formula(const struct probe *p)
{
	return p->events && p->events->source;
}

/*
 * A clause of a formula is for the events of one source: does P, whose formula may not have been in
 * the process when the clause was compiled, have this source?
 */
static bool has_source(struct tracer *t, const struct tclause *c, const struct probe *p)
{
	for (const struct probe_event *e = p->events; e && c->source; e = e->next)
		if (e->source == c->source)
			return true;
	if (c->source)
		return false;
	const struct probe_desc names = { p->provider, p->module, p->function, p->name };
	probe_db_leave_out(t->probes, &names,
			   "what its formula needs was not there when the tracing began", true);
	return false;
}

/* C, or the version of C, that is for P, which matches C; NULL: neither. */
static const struct tclause *clause_for(struct tracer *t, const struct tclause *c,
					const struct probe *p)
{
	if (!is_of_formula(p))
		return version_for(t, c, p);
	return has_source(t, c, p) ? c : NULL;
}

/* The kernel's half of a divided program gets no probes while it runs. */
static bool left_to_kernel(struct tracer *t, const struct tclause *c)
{
	bool is_first = tracer_is_beside(t, c) && !t->live->told_of_kernel;
	if (is_first)
		message_loss("line %u: functions that come while tracing are not traced, as "
			     "the kernel runs the clause (executor=kernel traces them)",
			     c->range.line);
	t->live->told_of_kernel |= is_first;
	return tracer_is_beside(t, c);
}

static void match_again(struct tracer *t, const struct probe_desc *desc, probe_vector *ret)
{
	auto_error struct error *err = probe_db_match(t->probes, desc, ret);
	if (err && error_tag_of(err) == D_PROC_CREATEFAIL)
		probe_db_leave_out(t->probes, desc, error_text(err), true);
	else if (err)
		log_debug("matched again: %s", error_text(err));
}

/*
 * What C means.  A clause that sema has made for a formula of every process changes its values in
 * the files that the program's other clauses mean.
 */
static void match_clause(struct tracer *t, const struct tclause *c, probe_vector *ret)
{
	const struct typed_program *typed = sema_result(t->sema);
	if (!c->is_made || !c->source || !tracer_of_every_process(t, c)) {
		match_again(t, &c->desc, ret);
		return;
	}
	for (unsigned i = 0; i < typed->clause_count && !typed->clauses[i]->is_made; i++) {
		const struct probe_desc *d = &typed->clauses[i]->desc;
		const struct probe_desc desc = { d->provider, d->module, "", c->desc.name };
		if (string_equal(d->provider, c->desc.provider))
			match_again(t, &desc, ret);
	}
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(*ret->items), by_id);
}

/* The probes that C means now and did not before, with the versions of C that read them. */
static void find_new(struct tracer *t, const struct tclause *c, struct layers *l)
{
	probe_vector all = { 0 };
	match_clause(t, c, &all);
	for (size_t i = 0; i < all.count; i++) {
		bool is_same = i && all.items[i] == all.items[i - 1];
		bool is_new = !is_same && !has_probe(c, all.items[i]) && !left_to_kernel(t, c);
		const struct tclause *version = is_new ? clause_for(t, c, all.items[i]) : NULL;
		if (version)
			layers_add(l, all.items[i], version);
	}
	vector_free(&all);
}

static void find_all_new(struct tracer *t, struct layers *l)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++) {
		int pid;
		const struct probe_desc *desc = &typed->clauses[i]->desc;
		if (tracer_process_of(desc, &pid) ||
		    tracer_of_every_process(t, typed->clauses[i]) ||
		    (t->live->has_modules && probe_db_is_in_modules(t->probes, desc)))
			find_new(t, typed->clauses[i], l);
	}
}

/* They are not new any more. */
static void keep_probes(struct tracer *t, struct tclause *c, const struct tclause *more)
{
	probe_vector all = { 0 };
	for (unsigned i = 0; i < c->probe_count; i++)
		vector_push(&all, c->probes[i]);
	for (unsigned i = 0; i < more->probe_count; i++)
		vector_push(&all, more->probes[i]);
	qsort(all.items, all.count, sizeof(*all.items), by_id);
	live_keep_probes(t, c, &all);
	vector_free(&all);
}

static void keep_all(struct tracer *t, const struct typed_program *more)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (more->clauses[i]->probe_count && !is_error_clause(typed->clauses[i]))
			keep_probes(t, typed->clauses[i], more->clauses[i]);
}

/* --- their program --- */

static struct error *compile_addition(struct tracer *t, void *arg)
{
	const struct addition *a = arg;
	const struct plan *plan;
	struct error *err =
		tracer_make_program(t, t->executor, a->arena, a->typed, a->program, &plan);
	return err ? err : tracer_verify(a->typed, a->program);
}

static struct error *load_addition(struct tracer *t, void *arg)
{
	return tracer_load_more(t, ((const struct addition *)arg)->program);
}

static struct error *enable(struct tracer *t, struct addition *a)
{
	a->program = ARENA_NEW(a->arena, struct program);
	size_t running = t->running.count;
	struct error *err = compile_addition(t, a);
	if (!err)
		err = tracer_load_in_parts(t, a->program, compile_addition, load_addition, a);
	if (err || t->running.count == running)
		return err;
	unsigned number = (unsigned)t->running.count - 1;
	err = tracer_attach_program(t, number);
	for (unsigned i = 0; i < a->typed->clause_count && t->executor->follow->in_place; i++)
		for (unsigned j = 0; j < a->typed->clauses[i]->probe_count; j++)
			early_add_file(t, a->typed->clauses[i]->probes[j], number);
	early_count(t);
	return err;
}

/* MORE, which is in the arena A: loaded and attached. */
static void add(struct tracer *t, struct arena *arena, const struct typed_program *more)
{
	struct addition a = { .arena = arena, .typed = more };
	size_t running = t->running.count;
	auto_error struct error *err = enable(t, &a);
	if (err)
		message_loss("functions loaded while tracing are not traced: %s", error_text(err));
	keep_all(t, more);
	if (t->running.count > running)
		vector_push(&t->live->additions, a);
	else
		arena_free(a.arena);
}

bool live_match_again(struct tracer *t)
{
	struct layers l = { 0 };
	find_all_new(t, &l);
	bool any = l.found.count;
	tracer_report_left_out(t);
	while (l.found.count) {
		struct arena *arena = arena_new();
		add(t, arena, layers_take(&l, arena, t));
	}
	layers_deinit(&l);
	return any;
}

void live_match_last(struct tracer *t)
{
	struct layers l = { 0 };
	if (t->live->match_again)
		find_all_new(t, &l);
	for (size_t i = 0; i < l.found.count; i++)
		early_add_file(t, l.found.items[i].probe, 0);
	early_count(t);
	layers_deinit(&l);
}
