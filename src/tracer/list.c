/* SPDX-License-Identifier: BSD-2-Clause */
/* -l and -v: probes and their stability as tables */
#include <ctype.h>
#include <string.h>

#include "base/escape.h"
#include "syntax/formula.h"
#include "tracer/internal.h"

/* LEN bytes of TEXT, a name or a type. */
static void print_name(FILE *f, const char *text, size_t len)
{
	auto_strbuf struct strbuf shown = { 0 };
	escape_add(&shown, text, len, message_escapes(fileno(f)));
	fputs(strbuf_text(&shown), f);
}

static void print_attributes(FILE *f, const char *title, struct attributes a)
{
	fprintf(f, "\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n", title,
		stability_text(a.name), stability_text(a.data));
	fprintf(f, "\t\tDependency Class: %s\n", class_text(a.class));
}

/* NAME: NULL if it has none.  PROBLEM: why it cannot be read, NULL: it can. */
static void print_argument(FILE *f, unsigned index, const char *type, size_t len, const char *name,
			   const char *problem)
{
	fprintf(f, "\t\targs[%u]: ", index);
	print_name(f, type, len);
	if (name) {
		fputs(len && type[len - 1] == '*' ? "" : " ", f);
		print_name(f, name, strlen(name));
	}
	if (problem)
		fprintf(f, " (%s)", problem);
	fputc('\n', f);
}

/* Of a translated argument, the result's type comes first. */
static unsigned print_texts(FILE *f, const struct probe_args *args)
{
	unsigned i = 0;
	for (; args && args->types && args->types[i]; i++) {
		const char *type = args->types[i];
		size_t len = strcspn(type, "<");
		while (len && type[len - 1] == ' ')
			len--;
		print_argument(f, i, type, len, args->names ? args->names[i] : NULL, NULL);
	}
	return i;
}

/* Those that the file itself declares; false: it declares none. */
static bool print_declared(FILE *f, struct sema *s, const struct probe *p)
{
	for (unsigned i = 0;; i++) {
		struct sema_declared a;
		if (!sema_declared_argument(s, p, i, &a))
			return false;
		if (!a.type && !i)
			fprintf(f, "\t\tNone\n");
		if (!a.type)
			return true;
		print_argument(f, i, a.type, strlen(a.type), a.name, NULL);
	}
}

/* Print TYPE to RET without the word "userland": that pointers of a process point into it is
 * understood. */
static void print_plain(const struct type *type, struct strbuf *ret)
{
	static const char word[] = "userland ";
	auto_strbuf struct strbuf text = { 0 };
	type_print(type, &text);
	const char *begin = strbuf_text(&text), *from = begin;
	for (const char *at = from; (at = strstr(at, word)); at++) {
		bool is_word = at == begin || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
		if (!is_word)
			continue;
		strbuf_add(ret, from, (size_t)(at - from));
		from = at + strlen(word);
	}
	strbuf_puts(ret, from);
}

static void print_types(FILE *f, const struct probe_args *args)
{
	unsigned count = print_texts(f, args);
	for (unsigned i = 0; args && i < args->count; i++, count++) {
		auto_strbuf struct strbuf text = { 0 };
		print_plain(args->list[i].type, &text);
		const char *problem = args->list[i].problem;
		print_argument(f, i, strbuf_text(&text), text.len,
			       problem ? args->list[i].name : NULL, problem);
	}
	if (!count)
		fprintf(f, "\t\tNone\n");
}

static void print_details(FILE *f, struct tracer *t, const struct probe *p)
{
	const struct probe_desc names = { p->provider, p->module, p->function, p->name };
	const struct probe_args *args = probe_db_arguments(t->probes, p); /* and attributes */
	print_attributes(f, "Probe Description Attributes", probe_attributes(p, &names));
	print_attributes(f, "Argument Attributes", probe_part_attributes(p, PART_OF_ARGS));
	fprintf(f, "\n\tArgument Types\n");
	if (!print_declared(f, t->sema, p))
		print_types(f, args);
	fprintf(f, "\n");
}

static void print_implementation(FILE *f, const struct probe *p)
{
	static const struct {
		const char *how, *cost;
	} kinds[] = {
#define EVENT(id, name, target, point, args, program, nests, what, how, cost)                      \
	[EVENT_##id] = { how, cost },
#include "abi/event.def"
#undef EVENT
	};
	if (!p->events)
		fprintf(f, "\tImplementation: a part of each program\n\n");
	int last = -1;
	for (const struct probe_event *e = p->events; e; last = e->event.kind, e = e->next)
		if ((int)e->event.kind != last)
			fprintf(f, "\tImplementation: %s\n\tCost of a firing: %s\n\n",
				kinds[e->event.kind].how, kinds[e->event.kind].cost);
}

/* The file's name without its folders, and the first place. */
static void add_code(struct strbuf *b, const char *how, const struct event_code *code)
{
	strbuf_printf(b, "%s %s+0x%llx", how, path_base_name(code->name),
		      (unsigned long long)(code->site_count ? code->sites[0].at : 0));
}

static void add_event(struct strbuf *b, const struct arch *a, const struct event *e)
{
	static const char *const points[] = {
		[POINT_ENTRY] = "entry", [POINT_RETURN] = "return", [POINT_INSIDE] = "instruction"
	};
	const char *point = points[event_facts(e->kind).point];
	if (e->kind == EVENT_TRACEPOINT)
		strbuf_printf(b, "tracepoint %s", e->tracepoint.name);
	else if (e->kind == EVENT_RECORD)
		strbuf_printf(b, "record %s:%s", e->record.group, e->record.name);
	else if (event_is_kernel(e->kind))
		strbuf_printf(b, "function %s %s", e->function.name, point);
	else if (event_is_syscall(e->kind))
		strbuf_printf(b, "syscall %s %s",
			      e->call.native >= 0
				      ? arch_call_name(&a->calls, (unsigned)e->call.native)
				      : arch_call_name(&a->compat_calls, (unsigned)e->call.compat),
			      point);
	else if (event_is_function(e->kind))
		add_code(b, event_is_return(e->kind) ? "uretprobe" : "uprobe", &e->code);
}

/* "97" is a number of times a second, "10ms" a time. */
static void add_rate(struct strbuf *b, const char *rate)
{
	int digits = (int)strspn(rate, "0123456789");
	strbuf_printf(b, "timer of %.*s %s", digits, rate, rate[digits] ? rate + digits : "Hz");
}

/* B is empty.  Counters, timers and what has no text of its own are listed as the formula names
 * them: perf_event_open(2) has only numbers. */
static void add_event_of(struct strbuf *b, const struct arch *a, const struct probe_event *e)
{
	add_event(b, a, &e->event);
	if (b->len || !e->source)
		return;
	const struct formula_name *name = e->source->event.names;
	if (e->source->event.kind == FORMULA_PROBE)
		strbuf_printf(b, "probe %s", name->text);
	else if (event_is_timer(e->event.kind))
		add_rate(b, name->next->text);
	else if (e->event.kind == EVENT_COUNTER)
		strbuf_printf(b, "perf %s %s", name->text, name->next->text);
}

void list_events(FILE *f, const struct arch *a, const struct probe *p)
{
	auto_strbuf struct strbuf text = { 0 };
	struct hash *listed = hash_new();
	const char *before = "";
	for (const struct probe_event *e = p->events; e; e = e->next) {
		strbuf_clear(&text);
		add_event_of(&text, a, e);
		void **place = hash_place(listed, strbuf_text(&text), text.len);
		if (!*place)
			fprintf(f, "%s %s", before, strbuf_text(&text));
		*place = listed;
		before = ",";
	}
	hash_free(listed);
}

/* Where and how probes are listed. */
struct listing {
	FILE *f;
	struct tracer *tracer;
	unsigned verbosity;
	unsigned escapes; /* of names: message_escapes(), which asks the kernel */
	bool *has_heading;
};

static void print_escaped(const struct listing *l, const char *text, size_t len)
{
	auto_strbuf struct strbuf shown = { 0 };
	escape_add(&shown, text, len, l->escapes);
	fputs(strbuf_text(&shown), l->f);
}

/* Each of TEXT's lines, after TITLE; NULL: none. */
static void print_lines(const struct listing *l, const char *title, const char *text)
{
	while (text && *text) {
		size_t len = strcspn(text, "\n");
		fprintf(l->f, "\t%s: ", title);
		print_escaped(l, text, len);
		fputc('\n', l->f);
		text += len + (text[len] == '\n');
	}
}

/* The events that were chosen, and why others were not. */
static void print_formula(const struct listing *l, const struct probe *p)
{
	fputs("\tEvents:", l->f);
	list_events(l->f, arch_host(), p);
	fputc('\n', l->f);
	print_lines(l, "Note", p->note);
	print_lines(l, "Not chosen", p->not_chosen);
	fputc('\n', l->f);
}

/* Before the first row: a listing of nothing has none. */
static void heading_print(const struct listing *l)
{
	if (!*l->has_heading)
		fprintf(l->f, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION",
			"NAME");
	*l->has_heading = true;
}

/* PROCESS: the one that has the probe, as a part of the provider's name; 0: none. */
static void print_names(const struct listing *l, const struct probe *p, int process)
{
	heading_print(l);
	auto_strbuf struct strbuf line = { 0 }, provider = { 0 };
	strbuf_puts(&provider, p->provider);
	if (process)
		strbuf_printf(&provider, "%d", process);
	strbuf_printf(&line, "%5u %10s %17s %33s %s", p->id, strbuf_text(&provider), p->module,
		      p->function, p->name);
	print_escaped(l, strbuf_text(&line), line.len);
	fputc('\n', l->f);
}

/* With -vv: probes that DESC would mean, and why this kernel does not have them. */
static void print_missing(const struct listing *l, const struct probe_desc *desc)
{
	const struct probe *p = NULL;
	while (l->verbosity > 1 && (p = probe_db_missing(l->tracer->probes, desc, p))) {
		print_names(l, p, 0);
		fprintf(l->f, "\n");
		print_lines(l, p->owner->process ? "Not in this process" : "Not on this kernel",
			    p->not_chosen);
		fprintf(l->f, "\n");
	}
}

static void print_row(const struct listing *l, const struct probe *p, int process)
{
	print_names(l, p, process);
	if (l->verbosity)
		print_details(l->f, l->tracer, p);
	if (l->verbosity > 1 && p->events && p->events->source)
		print_formula(l, p);
	if (l->verbosity > 1 && !(p->events && p->events->source))
		print_lines(l, "Note", p->note);
	if (l->verbosity > 1)
		print_implementation(l->f, p);
}

/* One of every process is a row for each that has it. */
static void print_probe(const struct listing *l, const struct probe *p)
{
	const int *processes;
	size_t count = probe_mappers(p, &processes);
	for (size_t i = 0; i < count; i++)
		print_row(l, p, processes[i]);
	if (!count)
		print_row(l, p, 0);
}

static void list_nothing(struct tracer *t, const struct probe_desc *desc)
{
	probe_vector none = { 0 };
	auto_error struct error *err = probe_db_match(t->probes, desc, &none);
	vector_free(&none);
	auto_free char *why =
		err ? probe_desc_why_unmatched(desc, err) : sema_why_unmatched(t->sema, desc);
	message("failed to match %s:%s:%s:%s: No probe matches description%s", desc->provider,
		desc->module, desc->function, desc->name, why);
}

bool tracer_is_compat_call(const struct probe *p)
{
	for (const struct probe_event *e = p->events; e; e = e->next)
		if (!event_is_syscall(e->event.kind) || e->event.call.native >= 0)
			return false;
	return p->events;
}

/* Calls that only 32-bit programs make are not listed among others. */
static bool has_others(const struct tclause *clause)
{
	bool any = false;
	for (unsigned i = 0; i < clause->probe_count && !any; i++)
		any = !tracer_is_compat_call(clause->probes[i]);
	return any;
}

static void list_clause(struct tracer *t, const struct listing *l, const struct tclause *clause)
{
	if (!clause->probe_count)
		list_nothing(t, &clause->desc);
	bool skips = has_others(clause);
	for (unsigned i = 0; i < clause->probe_count && !clause->is_repeated; i++)
		if (!skips || !tracer_is_compat_call(clause->probes[i]))
			print_probe(l, clause->probes[i]);
}

/* Has the clause before number I the same description, so that its probes are listed already?  A
 * clause is several where formulas make its probes, each with other probes. */
static bool is_listed(const struct typed_program *typed, unsigned i)
{
	const struct tclause *clause = typed->clauses[i];
	unsigned before = i;
	while (before && typed->clauses[before - 1]->range.begin == clause->range.begin &&
	       typed->clauses[before - 1]->node == clause->node)
		before--;
	return before && probe_desc_same(&clause->desc, &typed->clauses[before - 1]->desc);
}

/* Are all probes that the description of clause number I means listed with it? */
static bool is_last(const struct typed_program *typed, unsigned i)
{
	const struct tclause *clause = typed->clauses[i], *next;
	if (i + 1 == typed->clause_count)
		return true;
	next = typed->clauses[i + 1];
	return next->is_of_formula || next->node != clause->node ||
	       next->range.begin != clause->range.begin ||
	       !probe_desc_same(&next->desc, &clause->desc);
}

static struct error *list_everything(struct tracer *t, const struct listing *l)
{
	/* "*": static probes of processes, too, which a description of a kernel does not have. */
	const char *provider = option_text(t->options, OPTION_provcheck) ? "" : "*";
	const struct probe_desc all = { provider, "", "", "" };
	probe_vector probes = { 0 };
	tracer_refresh_env(t);
	wings_do(open, t, NULL);
	struct error *err = probe_db_discover_all(t->probes);
	if (!err)
		err = probe_db_match(t->probes, &all, &probes);
	for (size_t i = 0; i < probes.count && !err; i++)
		if (!tracer_is_compat_call(probes.items[i]) &&
		    sema_formula_is_right(t->sema, probes.items[i]))
			print_probe(l, probes.items[i]);
	vector_free(&probes);
	if (!err)
		print_missing(l, &all);
	return err;
}

void tracer_only_list(struct tracer *t)
{
	t->request.only_lists = true;
	tracer_set_option(t, "zdefs", NULL);
}

struct error *tracer_list(struct tracer *t, FILE *f, unsigned verbosity)
{
	const struct typed_program *typed = sema_result(t->sema);
	bool has_heading = false;
	const struct listing l = { f, t, verbosity, message_escapes(fileno(f)), &has_heading };
	if (option_is_set(t->options, OPTION_oformat))
		message("warning: -l lists as text: -x oformat has no effect on it");
	if (!t->compiling.done.count)
		return list_everything(t, &l);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (!is_listed(typed, i) && !typed->clauses[i]->is_of_formula) {
			list_clause(t, &l, typed->clauses[i]);
			if (is_last(typed, i))
				print_missing(&l, &typed->clauses[i]->desc);
		}
	return NULL;
}

static const struct compiled *compiled_of(const struct tracer *t,
					  const struct tracer_program *program)
{
	for (size_t i = 0; i < t->compiling.done.count; i++)
		if (t->compiling.done.items[i].program == program)
			return &t->compiling.done.items[i];
	return NULL;
}

size_t tracer_program_title(const struct tracer_program *program)
{
	return program->kind == PROGRAM_SCRIPT ? strlen(program->name)
					       : strcspn(program->name, "{/;");
}

/* Does an earlier clause of C's have the description of the WHICH-th? */
static bool reported_before(const struct typed_program *typed, const struct compiled *c,
			    unsigned which)
{
	const struct tclause *const *clauses =
		(const struct tclause *const *)typed->clauses + c->first_clause;
	for (unsigned i = 0; i < which; i++)
		if (probe_desc_same(&clauses[i]->desc, &clauses[which]->desc))
			return true;
	return false;
}

/* The weakest ones of C's clauses. */
static void report_stability(FILE *f, const struct typed_program *typed, const struct compiled *c)
{
	struct attributes probes = { STABILITY_STANDARD, STABILITY_STANDARD, CLASS_COMMON };
	struct attributes statements = probes;
	for (unsigned i = 0; i < c->clause_count; i++) {
		const struct tclause *clause = typed->clauses[c->first_clause + i];
		for (unsigned j = 0; j < clause->probe_count; j++)
			probes = attributes_weaker(
				probes, probe_attributes(clause->probes[j], &clause->desc));
		if (clause->is_declared)
			probes = attributes_weaker(probes, clause->declared);
		statements = attributes_weaker(statements, clause->attributes);
	}
	print_attributes(f, "Minimum Probe Description Attributes", probes);
	print_attributes(f, "Minimum Statement Attributes", statements);
}

static void report(struct tracer *t, FILE *f, const struct compiled *c, bool only_compiled)
{
	const struct typed_program *typed = sema_result(t->sema);
	fprintf(f, "\nStability attributes for %s ",
		c->program->kind == PROGRAM_SCRIPT ? "script" : "description");
	print_name(f, c->program->name, tracer_program_title(c->program));
	fputs(":\n", f);
	report_stability(f, typed, c);
	if (!only_compiled) {
		fprintf(f, "\n");
		return;
	}
	for (unsigned i = 0; i < c->clause_count; i++) {
		const struct tclause *clause = typed->clauses[c->first_clause + i];
		if (reported_before(typed, c, i))
			continue;
		auto_free char *name =
			mem_printf("%s:%s:%s:%s", clause->desc.provider, clause->desc.module,
				   clause->desc.function, clause->desc.name);
		fputc('\n', f);
		print_name(f, name, strlen(name));
		fputc('\n', f);
		if (clause->probe_count)
			print_details(f, t, clause->probes[0]);
	}
}

void tracer_report(struct tracer *t, FILE *f, const struct tracer_program *program,
		   bool only_compiled)
{
	const struct compiled *c = compiled_of(t, program);
	if (c)
		report(t, f, c, only_compiled);
}

void tracer_report_all(struct tracer *t, FILE *f)
{
	for (size_t i = 0; i < t->compiling.done.count; i++)
		report(t, f, &t->compiling.done.items[i], false);
}
