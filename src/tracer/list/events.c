/* SPDX-License-Identifier: BSD-2-Clause */
/* What the events of a probe are on a kernel: tracepoints, functions, timers */
#include <string.h>

#include "base/hash.h"
#include "syntax/formula.h"
#include "tracer/list/list.h"

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

void list_events_of(const struct arch *a, const struct probe *p, listed_event_fn *visit, void *arg)
{
	auto_strbuf struct strbuf text = { 0 };
	struct hash *listed = hash_new();
	for (const struct probe_event *e = p->events; e; e = e->next) {
		strbuf_clear(&text);
		add_event_of(&text, a, e);
		void **place = hash_place(listed, strbuf_text(&text), text.len);
		if (!*place)
			visit(arg, strbuf_text(&text));
		*place = listed;
	}
	hash_free(listed);
}

bool list_file_of(const struct probe *p, char **name, char **build_id)
{
	const char *its;
	struct bytes id = bytes_of(NULL, 0);
	if (!probe_file(p, &its, &id))
		return false;
	auto_strbuf struct strbuf text = { 0 };
	strbuf_add_hexadecimal(&text, id.data, id.size);
	*name = mem_strdup(its);
	*build_id = mem_strdup(strbuf_text(&text));
	return true;
}

struct events_text {
	FILE *f;
	const char *before;
};

static void event_print_text(void *arg, const char *event)
{
	struct events_text *t = arg;
	fprintf(t->f, "%s %s", t->before, event);
	t->before = ",";
}

void list_events(FILE *f, const struct arch *a, const struct probe *p)
{
	list_events_of(a, p, event_print_text, &(struct events_text) { f, "" });
}
