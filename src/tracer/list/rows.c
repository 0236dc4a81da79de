/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe for people: a row, with -v its stability and arguments, with -vv what it is here */
#include <string.h>

#include "base/cells.h"
#include "base/escape.h"
#include "tracer/list/list.h"

/* LEN bytes of TEXT, a name or a type. */
void print_name(FILE *f, const char *text, size_t len)
{
	auto_strbuf struct strbuf shown = { 0 };
	escape_add(&shown, text, len, message_escapes(fileno(f)));
	fputs(strbuf_text(&shown), f);
}

void print_attributes(FILE *f, const char *title, struct attributes a)
{
	fprintf(f, "\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n", title,
		stability_text(a.name), stability_text(a.data));
	fprintf(f, "\t\tDependency Class: %s\n", class_text(a.class));
}

struct arguments_text {
	FILE *f;
	unsigned count;
};

static void print_argument(void *arg, const struct listed_argument *a)
{
	struct arguments_text *t = arg;
	t->count++;
	fprintf(t->f, "\t\targs[%u]: ", a->index);
	print_name(t->f, a->type, a->len);
	if (a->name) {
		fputs(a->len && a->type[a->len - 1] == '*' ? "" : " ", t->f);
		print_name(t->f, a->name, strlen(a->name));
	}
	if (a->problem)
		fprintf(t->f, " (%s)", a->problem);
	fputc('\n', t->f);
}

void print_details(FILE *f, struct tracer *t, const struct probe *p)
{
	const struct probe_desc names = { p->provider, p->module, p->function, p->name };
	struct arguments_text text = { f };
	auto_free char *file = NULL, *build_id = NULL;
	probe_db_arguments(t->probes, p); /* and attributes */
	if (list_file_of(p, &file, &build_id)) {
		fputs("\n\tFile: ", f);
		print_name(f, file, strlen(file));
		fprintf(f, "%s%s\n", *build_id ? ", build id " : "", build_id);
	}
	print_attributes(f, "Probe Description Attributes", probe_attributes(p, &names));
	print_attributes(f, "Argument Attributes", probe_part_attributes(p, PART_OF_ARGS));
	fprintf(f, "\n\tArgument Types\n");
	list_arguments_of(t, p, print_argument, &text);
	if (!text.count)
		fprintf(f, "\t\tNone\n");
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

/* Of an executor that cannot run all: who would run P's clauses? */
static void print_executor_of(const struct listing *l, const struct probe *p)
{
	const struct executor_ops *executor = l->tracer->executor;
	const char *why = NULL;
	if (!executor->enter)
		return;
	for (const struct probe_event *e = p->events; e && !why; e = e->next)
		why = executor->refuse_event(&e->event);
	if (why)
		fprintf(l->f, "\tExecutor: the kernel: %s\n\n", why);
	else
		fprintf(l->f, "\tExecutor: %s\n\n", executor->name);
}

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

#define NAMES 4
#define LINE_USUAL 80

/* The columns of names, which are narrower on a terminal that has less than 80. */
static void names_columns(const struct listing *l, struct table_column ret[NAMES])
{
	static const size_t usual[NAMES] = { 10, 17, 33, 11 }, least[NAMES] = { 10, 8, 12, 11 };
	size_t line = l->line_cells ? MIN(l->line_cells, (size_t)LINE_USUAL) : LINE_USUAL;
	for (unsigned i = NAMES, missing = LINE_USUAL - (unsigned)line; i-- > 0;) {
		unsigned less = MIN(missing, (unsigned)(usual[i] - least[i]));
		ret[i] = (struct table_column) { .width = usual[i] - less };
		missing -= less;
	}
}

/* Before the first row: a listing of nothing has none. */
static void heading_print(const struct listing *l)
{
	struct table_column columns[NAMES];
	names_columns(l, columns);
	if (!*l->has_heading)
		fprintf(l->f, "%5s %*s %*s %*s %s\n", "ID", (int)columns[0].width, "PROVIDER",
			(int)columns[1].width, "MODULE", (int)columns[2].width, "FUNCTION", "NAME");
	*l->has_heading = true;
}

/* LINE: the names of a probe, cut so that the line fits the terminal. */
static void add_names_cut(const struct listing *l, const char *const names[NAMES],
			  struct strbuf *line)
{
	struct table_column columns[NAMES];
	auto_strbuf struct strbuf shown = { 0 };
	size_t ends[NAMES + 1] = { 0 }, used = line->len + NAMES; /* a blank before each name */
	names_columns(l, columns);
	for (unsigned i = 0; i < NAMES; i++) {
		escape_add(&shown, names[i], strlen(names[i]), l->escapes);
		ends[i + 1] = shown.len;
		columns[i].content = text_cells(strbuf_text(&shown) + ends[i], shown.len - ends[i]);
	}
	columns[3].width = MIN(columns[3].width, columns[3].content); /* it is not padded */
	columns_fit(columns, NAMES, l->line_cells - MIN(l->line_cells, used));
	for (unsigned i = 0; i < NAMES; i++) {
		size_t cells = MIN(columns[i].content, columns[i].most);
		strbuf_fill(line, ' ', 1 + columns[i].width - MIN(columns[i].width, cells));
		text_add_cut(line, strbuf_text(&shown) + ends[i], ends[i + 1] - ends[i],
			     columns[i].most);
	}
}

/* PROCESS: the one that has the probe, as a part of the provider's name; 0: none. */
static void print_names(const struct listing *l, const struct probe *p, int process)
{
	heading_print(l);
	auto_strbuf struct strbuf line = { 0 }, provider = { 0 };
	strbuf_puts(&provider, p->provider);
	if (process)
		strbuf_printf(&provider, "%d", process);
	const char *const names[] = { strbuf_text(&provider), p->module, p->function, p->name };
	strbuf_printf(&line, "%5u", p->id);
	if (l->line_cells) {
		add_names_cut(l, names, &line);
		fputs(strbuf_text(&line), l->f);
	} else {
		strbuf_printf(&line, " %10s %17s %33s %s", names[0], names[1], names[2], names[3]);
		print_escaped(l, strbuf_text(&line), line.len);
	}
	fputc('\n', l->f);
}

/* Probes that a description would mean, and why there are none. */
static void print_missing(const struct listing *l, const struct probe *p)
{
	fprintf(l->f, "\n");
	print_lines(l, p->owner->process ? "Not in this process" : "Not on this kernel",
		    p->not_chosen);
	fprintf(l->f, "\n");
}

void list_row(const struct listing *l, const struct probe *p, int process, bool is_missing)
{
	print_names(l, p, process);
	if (is_missing) {
		print_missing(l, p);
		return;
	}
	if (l->verbosity)
		print_details(l->f, l->tracer, p);
	if (l->verbosity)
		print_executor_of(l, p);
	if (l->verbosity < 2)
		return;
	if (p->events && p->events->source)
		print_formula(l, p);
	else
		print_lines(l, "Note", p->note);
	print_implementation(l->f, p);
}
