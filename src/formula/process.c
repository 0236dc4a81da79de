/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - formulas of processes: plockstat1234:::mutex-acquire
 *
 * Their events at functions and static probes are those of the probes that pid and usdt make for
 * the process, which know the files that it runs.  What the process maps later makes further
 * probes of the same names, with only the new events: so the alternative that was chosen first is
 * kept, as clauses have been compiled for its sources.
 */
#include <string.h>

#include "base/diagnostic.h"
#include "formula/formula_internal.h"
#include "provider/provider.h"

#define LIBC "libc"

/* --- events ----------------------------------------------------------------------------------- */

/* "libc:malloc": its two parts, in A; false: it has not two. */
static bool two_parts(struct arena *a, const char *text, const char **first, const char **second)
{
	const char *colon = strchr(text, ':');
	if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':'))
		return false;
	*first = arena_strndup(a, text, (size_t)(colon - text));
	*second = colon + 1;
	return true;
}

/* Formulas are about calls, which inlined copies of functions are not. */
static bool event_is_meant(const struct formula_event *f, const struct event *e)
{
	return f->kind == FORMULA_USDT || !event_is_placed(e->kind);
}

/* The description of what E calls FIRST:SECOND, at IN. */
static struct probe_desc desc_at(struct arena *a, const struct formula_event *e, const char *first,
				 const char *second, const struct formula_process *in)
{
	if (in->pid && e->kind == FORMULA_USDT)
		return (struct probe_desc) { arena_printf(a, "%s%d", first, in->pid), "", "",
					     second };
	const char *object = in->object ? in->object : "";
	if (e->kind == FORMULA_USDT)
		return (struct probe_desc) { first, object, "", second };
	const char *pid = in->pid ? arena_printf(a, "pid%d", in->pid) : "pid*";
	return (struct probe_desc) { pid, in->object ? in->object : first, second,
				     e->is_return ? "return" : "entry" };
}

static bool formula_file_is(const struct file_key *a, const struct file_key *b)
{
	return a->inode == b->inode && a->dev_major == b->dev_major && a->dev_minor == b->dev_minor;
}

/* Is P, which the description of E's event OBJECT:NAME means, meant at IN? */
static bool probe_is_at(const struct formula_event *e, const char *object,
			const struct formula_process *in, const struct probe *p)
{
	if (!p->events || !event_is_meant(e, &p->events->event))
		return false;
	struct file_key file;
	if (in->pid)
		return true;
	if (!probe_file_key(p, &file) || (in->has_file && !formula_file_is(&file, &in->file)))
		return false;
	/* A file that is named is the C library, whatever it is called. */
	const struct probe_desc d = { "", object, "", "" };
	return e->kind == FORMULA_USDT || string_equal(object, LIBC) || probe_place_match(&d, p);
}

static const char *event_not_there(struct arena *a, const struct formula_process *in,
				   const char *what, const char *name)
{
	if (in->pid)
		return arena_printf(a, "process %d has no %s %s", in->pid, what, name);
	return arena_printf(a, in->has_file ? "the file has no %s %s" : "no process has the %s %s",
			    what, name);
}

/* A clause is compiled for what a formula is made of, so no such file may come later (-Z). */
static const char *not_mapped(struct arena *a, const char *module)
{
	return arena_printf(a, "no process has mapped %s%s", module,
			    *module == '/' ? ", and it cannot be opened"
					   : " (a file that is given by its path need not be)");
}

/* The probes of OBJECT:FUNCTION or PROVIDER:NAME at IN; a problem, or NULL. */
static const char *one_find(struct arena *a, struct probe_db *db, const struct formula_event *e,
			    const char *name, const struct formula_process *in, probe_vector *ret)
{
	const char *first, *second;
	bool is_static = e->kind == FORMULA_USDT;
	if (!two_parts(a, name, &first, &second))
		return arena_printf(a, "%s is %s, not %s", formula_event_word(e->kind),
				    is_static ? "PROVIDER:NAME" : "OBJECT:FUNCTION", name);
	const struct probe_desc desc = desc_at(a, e, first, second, in);
	size_t before = ret->count, kept = before;
	struct error *err = probe_db_match(db, &desc, ret);
	bool is_unmapped = !in->pid && !is_static && err && error_tag_of(err) == D_PDESC_ZERO;
	const char *problem = is_unmapped ? not_mapped(a, desc.module)
			      : err	  ? arena_strdup(a, error_text(err))
					  : NULL;
	error_free(err);
	for (size_t i = before; i < ret->count; i++)
		if (probe_is_at(e, first, in, ret->items[i]))
			ret->items[kept++] = ret->items[i];
	ret->count = kept;
	if (problem || ret->count > before)
		return problem;
	return event_not_there(a, in, is_static ? "static probe" : "function", name);
}

/*
 * libc: the C library, wherever it is.  Until 2.33, glibc's functions of threads were in a library
 * of their own, and those of the same names in libc only called them.  A static program has all.
 * Of every process the name is that of the file.
 */
static const char *function_find_in(struct arena *a, struct probe_db *db,
				    const struct formula_event *e, const char *name,
				    const struct formula_process *in, probe_vector *ret)
{
	static const char *const others[] = { "libpthread", LIBC, "a.out" };
	size_t len = strlen(LIBC);
	if (!in->pid || e->kind != FORMULA_UPROBE || strncmp(name, LIBC, len) != 0 ||
	    name[len] != ':')
		return one_find(a, db, e, name, in, ret);
	const char *function = name + len + 1;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!one_find(a, db, e, arena_printf(a, "%s:%s", others[i], function), in, ret))
			return NULL;
	return arena_printf(a, "the C library of process %d has no function %s", in->pid, function);
}

/* Of several, some may be missing. */
const char *formula_process_find(struct arena *a, struct probe_db *db,
				 const struct formula_event *e, const struct formula_process *in,
				 probe_vector *ret)
{
	const char *problem = NULL;
	for (const struct formula_name *n = e->names; n; n = n->next) {
		const char *missing = function_find_in(a, db, e, n->text, in, ret);
		problem = problem ? problem : missing;
	}
	return ret->count ? NULL : problem;
}

const char *process_event_problem(struct arena *a, struct probe_db *db,
				  const struct formula_source *s, const struct formula_process *in)
{
	if (params_count(s->event.params) > PROBE_ARGS)
		return "a probe has ten arguments";
	probe_vector probes = { 0 };
	const char *problem = formula_process_find(a, db, &s->event, in, &probes);
	vector_free(&probes);
	return problem;
}

static bool probes_have(const probe_vector *probes, const struct probe *p)
{
	for (size_t i = 0; i < probes->count; i++)
		if (probes->items[i] == p)
			return true;
	return false;
}

/* Sites are copied: a probe of pid may get more, elsewhere in memory. */
static void event_copy(struct arena *a, struct probe_db *db, struct probe *p,
		       const struct event *from, const struct formula_source *s)
{
	struct event *e = probe_db_add_event(db, p, from->kind, from->args);
	const struct event_args *args = e->args;
	size_t size = from->code.site_count * sizeof(*from->code.sites);
	struct event_site *sites = arena_alloc(a, size + 1);
	memcpy(sites, from->code.sites, size);
	*e = *from;
	e->args = args;
	e->code.sites = sites;
	probe_set_source(p, s);
}

/* --- what a probe is in a process ------------------------------------------------------------- */

/* The probes that S is in the process and was not before.  Each library that the process maps asks
 * again, so names and reasons are not kept. */
static probe_vector new_of(const struct making *m, const struct formula_source *s)
{
	probe_vector all = { 0 }, ret = { 0 };
	struct arena *scratch = arena_new();
	formula_process_find(scratch, m->db, &s->event, m->process, &all);
	arena_free(scratch);
	for (size_t i = 0; i < all.count; i++)
		if (!probes_have(&m->made->used, all.items[i]) && !probes_have(&ret, all.items[i]))
			vector_push(&ret, all.items[i]);
	vector_free(&all);
	return ret;
}

/* E, LEAVE's, at those of its instructions that return; false: there are none. */
static bool only_returns(struct arena *a, const struct probe *leave, struct event *e)
{
	*e = leave->events->event;
	struct event_site *sites = arena_alloc(a, e->code.site_count * sizeof(*sites) + 1);
	uint32_t count = 0;
	for (uint32_t i = 0; i < e->code.site_count; i++)
		if (process_site_returns(leave, i))
			sites[count++] = e->code.sites[i];
	e->code.sites = sites;
	e->code.site_count = count;
	return count;
}

/* The return of the function whose return probe of pid is LEAVE; NULL: no event sees it. */
static const struct event *return_of(const struct making *m, const struct probe *leave)
{
	struct arena *a = m->file->owner->arena;
	struct event *e = ARENA_NEW(a, struct event);
	const struct probe_desc d = { m->process->provider, leave->module, leave->function,
				      "return by a jump" };
	bool returns = only_returns(a, leave, e);
	if (e->code.site_count < leave->events->event.code.site_count)
		probe_db_leave_out(m->db, &d,
				   "the result is not known yet there (-x pidret=kernel knows it, "
				   "but may change what the process does)",
				   true);
	return returns ? e : NULL;
}

/* The events of FROM, a probe of pid or usdt, to P as those of S. */
static void events_copy(const struct making *m, struct probe *p, const struct formula_source *s,
			const struct probe *from)
{
	struct arena *a = m->file->owner->arena;
	bool is_return = s->event.kind == FORMULA_UPROBE && s->event.is_return;
	const struct event *leave = is_return ? return_of(m, from) : NULL;
	if (leave)
		event_copy(a, m->db, p, leave, s);
	for (const struct probe_event *e = from->events; e && !is_return; e = e->next)
		if (event_is_meant(&s->event, &e->event))
			event_copy(a, m->db, p, &e->event, s);
}

/* Add the new events of S to P; NEW: probes that are new, for all sources. */
static void source_add(const struct making *m, struct probe *p, const struct formula_source *s,
		       probe_vector *new)
{
	if (s->entry)
		source_add(m, p, s->entry, new);
	probe_vector found = new_of(m, s);
	for (size_t i = 0; i < found.count; i++) {
		events_copy(m, p, s, found.items[i]);
		if (!probes_have(new, found.items[i]))
			vector_push(new, found.items[i]);
	}
	vector_free(&found);
}

static bool made_has_new(const struct making *m)
{
	bool any = false;
	for (const struct formula_source *s = m->made->chosen->sources; s && !any; s = s->next) {
		if (!formula_event_is_of_process(&s->event))
			continue;
		probe_vector found = new_of(m, s);
		any = found.count;
		vector_free(&found);
	}
	return any;
}

/* The events that are not any probe's yet to P; those of the kernel once. */
static void add_new(const struct making *m, struct probe *p, bool is_first)
{
	struct arena *a = m->file->owner->arena;
	probe_vector new = { 0 };
	for (const struct formula_source *s = m->made->chosen->sources; s; s = s->next)
		if (formula_event_is_of_process(&s->event))
			source_add(m, p, s, &new);
		else if (is_first && !event_problem(a, m->db, s, m->process))
			event_add(a, m->db, p, s);
	for (size_t i = 0; i < new.count; i++)
		vector_push(&m->made->used, new.items[i]);
	vector_free(&new);
	m->made->probe = p;
	p->data = m->made;
}

/* The first probe of the names that is M's, or none's yet. */
static struct probe *formula_probe_take(const struct making *m, const struct formula_probe *formula)
{
	struct probe *p = probe_db_add(m->db, &m->file->provider, m->process->provider,
				       m->process->module, "", formula->name);
	return p->data && p->data != m->made ? probe_db_succeed(m->db, p) : p;
}

void formula_make_first(const struct making *m, const struct formula_probe *formula)
{
	struct formula_made *made = m->made;
	struct probe *p = formula_probe_take(m, formula);
	made->probe = p;
	p->data = made;
	made->chosen = formula_choose(m->file, m->db, formula, p, m->process);
	bool has_kernels = false;
	const char *problem = made->chosen ? formula_every_process_problem(m, &has_kernels) : NULL;
	if (problem) {
		p->not_chosen = problem;
		made->chosen = NULL;
	}
	p->is_hidden = !made->chosen;
	if (made->chosen)
		add_new(m, p, !has_kernels);
}

/* The same names, with the new events. */
static void make_more(const struct making *m)
{
	const struct probe *old = m->made->probe;
	struct probe *p = probe_db_succeed(m->db, m->made->probe);
	p->args = old->args;
	p->note = old->note;
	p->not_chosen = old->not_chosen;
	add_new(m, p, false);
}

struct formula_process *formula_process_new(struct formula_file *f, const char *provider,
					    const char *module)
{
	struct arena *a = f->owner->arena;
	struct formula_process *process = ARENA_NEW(a, struct formula_process);
	process->provider = arena_strdup(a, provider);
	process->module = arena_strdup(a, module);
	for (const struct formula_probe *p = f->tree->probes; p; p = p->next)
		process->count++;
	process->made = arena_alloc(a, (process->count + 1) * sizeof(*process->made));
	vector_push(&f->processes, process);
	return process;
}

static struct formula_process *formula_process_of(struct formula_file *f, const char *provider)
{
	for (size_t i = 0; i < f->processes.count; i++)
		if (string_equal(f->processes.items[i]->provider, provider))
			return f->processes.items[i];
	struct formula_process *process = formula_process_new(f, provider, f->tree->module);
	provider_process_of(&f->provider, provider, &process->pid);
	return process;
}

bool formula_is_repeated(const struct formula_file *f, const struct formula_probe *formula)
{
	const struct formula_probe *p = f->tree->probes;
	while (!string_equal(p->name, formula->name))
		p = p->next;
	return p != formula;
}

struct error *formula_process_probes(struct formula_file *f, struct probe_db *db,
				     const struct probe_desc *desc)
{
	if (!f->tree)
		return NULL;
	const struct formula_process *process = formula_process_of(f, desc->provider);
	struct error *err = process_check(db, process->provider, process->pid);
	size_t i = 0;
	for (const struct formula_probe *p = f->tree->probes; p && !err; p = p->next, i++) {
		const struct making m = { f, db, process, &process->made[i] };
		if (!probe_field_match(desc->module, f->tree->module) ||
		    !probe_field_match(desc->name, p->name) || formula_is_repeated(f, p))
			continue;
		if (!m.made->chosen)
			formula_make_first(&m, p);
		else if (made_has_new(&m))
			make_more(&m);
	}
	return err;
}

void formula_processes_free(struct formula_file *f)
{
	for (size_t i = 0; i < f->processes.count; i++)
		for (size_t k = 0; k < f->processes.items[i]->count; k++)
			vector_free(&f->processes.items[i]->made[k].used);
	vector_free(&f->processes);
}
