/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe for programs: a line of JSON (docs/json.md), with -v and -vv more members */
#include <string.h>

#include "output/json_text.h"
#include "tracer/list/list.h"

static void argument_write(void *writer, const struct listed_argument *a)
{
	struct writer *w = writer;
	json_separate(w);
	writer_puts(w, "{\"type\":");
	json_text(w, a->type, a->len);
	if (a->name)
		json_text_member(w, "name", a->name);
	if (a->problem)
		json_text_member(w, "problem", a->problem);
	writer_putc(w, '}');
}

/* That of dtrace itself has no text. */
static void event_write(void *writer, const char *event)
{
	if (!*event)
		return;
	json_separate(writer);
	json_text(writer, event, strlen(event));
}

static void attributes_write(struct writer *w, const char *name, struct attributes a)
{
	auto_free char *text = mem_printf("%s/%s/%s", stability_text(a.name),
					  stability_text(a.data), class_text(a.class));
	json_text_member(w, name, text);
}

static void details_write(const struct listing *l, const struct probe *p)
{
	const struct probe_desc names = { p->provider, p->module, p->function, p->name };
	probe_db_arguments(l->tracer->probes, p); /* and attributes */
	auto_free char *file = NULL, *build_id = NULL;
	if (list_file_of(p, &file, &build_id)) {
		json_text_member(l->lines, "file", file);
		json_text_member(l->lines, "build_id", build_id);
	}
	attributes_write(l->lines, "attributes", probe_attributes(p, &names));
	attributes_write(l->lines, "argument_attributes", probe_part_attributes(p, PART_OF_ARGS));
	json_list_member(l->lines, "arguments");
	list_arguments_of(l->tracer, p, argument_write, l->lines);
	writer_putc(l->lines, ']');
}

/* Lines, of which the last one ends as the others do. */
static void reason_write(struct writer *w, const char *name, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	json_member(w, name);
	json_text(w, text ? text : "", len && text[len - 1] == '\n' ? len - 1 : len);
}

static void implementation_write(const struct listing *l, const struct probe *p)
{
	json_list_member(l->lines, "events");
	list_events_of(arch_host(), p, event_write, l->lines);
	writer_putc(l->lines, ']');
	if (p->note)
		json_text_member(l->lines, "note", p->note);
	if (p->not_chosen)
		reason_write(l->lines, "not_chosen", p->not_chosen);
}

void list_line(const struct listing *l, const struct probe *p, int process, bool is_missing)
{
	json_line_open(l->lines, "probe");
	json_unsigned_member(l->lines, "id", p->id);
	json_text_member(l->lines, "provider", p->provider);
	if (process)
		json_unsigned_member(l->lines, "pid", (uint64_t)process);
	json_text_member(l->lines, "module", p->module);
	json_text_member(l->lines, "function", p->function);
	json_text_member(l->lines, "name", p->name);
	if (is_missing)
		reason_write(l->lines, "missing", p->not_chosen);
	if (l->verbosity && !is_missing)
		details_write(l, p);
	if (l->verbosity > 1 && !is_missing)
		implementation_write(l, p);
	writer_puts(l->lines, "}\n");
	fwrite(l->lines->buffer, 1, l->lines->used, l->f);
}
