/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * buffered - the third form of output: the text in pieces, as in calls of the classic library's
 * buffer handler (-B)
 *
 * The text form writes into memory.  After each action, and after each key and value of an
 * aggregation's row, the new text is printed as one call: the text, its owner, and the part of a
 * row.  Without new text there is no call.  The members have the names of the classic library's
 * structures.
 */
#include <string.h>

#include "base/escape.h"
#include "output/internal.h"

struct buffered {
	struct writer text;	     /* since the last call */
	const struct record *record; /* of the current rows; NULL: at the end of tracing */
};

/* The owner of a call; NULL: unknown, or none. */
struct call {
	const struct record *record;
	const struct aggregation_layout *aggregation;
	const struct value_field *field; /* a key */
	const struct action_layout *action;
	unsigned parts; /* enum row_part */
};

static struct buffered *buffered_of(struct output *o)
{
	if (!o->form) {
		struct buffered *b = o->form = mem_zalloc(sizeof(*b));
		writer_init(&b->text, -1);
		b->text.is_terminal = o->file.is_terminal;
		o->out = &b->text;
	}
	return o->form;
}

static void buffered_free(struct output *o)
{
	struct buffered *b = o->form;
	if (b)
		writer_deinit(&b->text);
	free(b);
	o->form = NULL;
	o->out = &o->file;
}

/* --- a call's lines ------------------------------------------------------------------------ */

static void title(struct writer *w, const char *text)
{
	writer_printf(w, "%s: %s%s\n", message_program(), text, *text ? ":" : "");
}

static void member(struct writer *w, const char *name)
{
	writer_printf(w, "%s: %20s => ", message_program(), name);
}

static void text_member(struct writer *w, const char *name, const char *text, size_t len)
{
	auto_strbuf struct strbuf quoted = { 0 }, shown = { 0 };
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\n')
			strbuf_puts(&quoted, "\\n");
		else if (c == '"' || c == '\\')
			strbuf_printf(&quoted, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			strbuf_printf(&quoted, "\\%03o", c);
		else
			strbuf_putc(&quoted, (char)c);
	}
	escape_add(&shown, strbuf_text(&quoted), quoted.len, w->is_terminal ? ESCAPE_CONTROLS : 0);
	member(w, name);
	writer_printf(w, "\"%s\"\n", strbuf_text(&shown));
}

static void group_name_member(struct writer *w, const char *name, const char *text)
{
	text_member(w, name, text, strlen(text));
}

static void pointer_member(struct writer *w, const char *name, bool is_there)
{
	member(w, name);
	writer_puts(w, is_there ? "<non-NULL>\n" : "<NULL>\n");
}

static void number_member(struct writer *w, const char *name, uint64_t number)
{
	member(w, name);
	writer_unsigned(w, number, 0);
	writer_putc(w, '\n');
}

static void flags_member(struct writer *w, unsigned parts)
{
	static const char *const names[] = { "AGGKEY", "AGGVAL", "AGGFORMAT", "AGGLAST" };
	const char *before = " (";
	member(w, "dtbda_flags");
	writer_printf(w, "0x%x", parts);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(parts >> i & 1))
			continue;
		writer_printf(w, "%s%s", before, names[i]);
		before = " | ";
	}
	writer_puts(w, parts ? ")\n" : "\n");
}

static void probe_group(struct writer *w, const struct probe_names *probe)
{
	title(w, "  dtrace_probedesc");
	group_name_member(w, "dtpd_provider", probe->provider);
	group_name_member(w, "dtpd_mod", probe->module);
	group_name_member(w, "dtpd_func", probe->function);
	group_name_member(w, "dtpd_name", probe->name);
	title(w, "");
}

/* The recorded data for this text: a key, an aggregation's value, an action's data. */
static bool has_record_group(const struct call *c)
{
	return c->field || c->action || (c->aggregation && c->parts & ROW_VALUE);
}

/* The bytes of all its data; constants, which are not recorded, count, too. */
static uint64_t action_size(const struct output *o, const struct record *r,
			    const struct action_layout *action)
{
	uint64_t size = 0;
	for (unsigned i = 0; i < action->field_count; i++)
		size += value_of_record(o, r, &action->fields[i]).size;
	return size;
}

static void record_group(const struct output *o, struct writer *w, const struct call *c)
{
	const char *format = c->action ? c->action->format : NULL;
	title(w, "  dtrace_recdesc");
	if (c->field) {
		group_name_member(w, "dtrd_action", "key");
		number_member(w, "dtrd_size", c->field->size);
	} else if (c->aggregation) {
		group_name_member(w, "dtrd_action", aggregate_row(c->aggregation->function)->name);
		number_member(w, "dtrd_size", c->aggregation->value_size);
	} else {
		group_name_member(w, "dtrd_action", action_name(c->action->kind));
		number_member(w, "dtrd_size", action_size(o, c->record, c->action));
	}
	if (format)
		group_name_member(w, "dtrd_format", format);
	title(w, "");
}

static void aggregation_group(struct writer *w, const struct program *p,
			      const struct aggregation_layout *a)
{
	title(w, "  dtrace_aggdesc");
	group_name_member(w, "dtagd_name", a->name);
	number_member(w, "dtagd_varid", (uint64_t)(a - p->aggregations) + 1);
	number_member(w, "dtagd_nrecs", a->key_count + 1);
	title(w, "");
}

static void show_call(struct output *o, struct buffered *b, const struct call *c)
{
	struct writer *w = &o->file;
	if (!b->text.used)
		return;
	title(w, ">>> Called buffer handler");
	title(w, "");
	title(w, "  dtrace_bufdata");
	text_member(w, "dtbda_buffered", b->text.buffer, b->text.used);
	pointer_member(w, "dtbda_probe", c->record != NULL);
	pointer_member(w, "dtbda_aggdata", c->aggregation != NULL);
	pointer_member(w, "dtbda_recdesc", has_record_group(c));
	flags_member(w, c->parts);
	title(w, "");
	if (c->record)
		probe_group(w, c->record->probe);
	if (has_record_group(c))
		record_group(o, w, c);
	if (c->aggregation)
		aggregation_group(w, consumer_program(o->setup.consumer), c->aggregation);
	b->text.used = 0;
}

/* --- the form ------------------------------------------------------------------------------- */

static void buffered_begin(struct output *o)
{
	buffered_of(o);
	output_text_ops.begin(o);
}

static void buffered_record_begin(struct output *o, const struct record *r)
{
	buffered_of(o);
	output_text_ops.record_begin(o, r);
}

static void buffered_acted(struct output *o, const struct record *r,
			   const struct action_layout *action)
{
	show_call(o, buffered_of(o), &(struct call) { .record = r, .action = action });
}

static void buffered_action(struct output *o, const struct record *r,
			    const struct action_layout *action)
{
	buffered_of(o);
	output_text_ops.action(o, r, action);
	buffered_acted(o, r, action);
}

static void buffered_record_end(struct output *o, const struct record *r)
{
	struct buffered *b = buffered_of(o);
	output_text_ops.record_end(o, r);
	show_call(o, b, &(struct call) { .record = r });
}

static void buffered_row(struct output *o, const struct aggregation_layout *aggregation,
			 const struct value_field *key, unsigned parts)
{
	struct buffered *b = buffered_of(o);
	show_call(o, b,
		  &(struct call) { .record = b->record,
				   .aggregation = aggregation,
				   .field = key,
				   .parts = parts });
}

static void buffered_aggregations(struct output *o, const struct record *r,
				  const struct action_layout *action,
				  const struct aggregation_rows *rows)
{
	struct buffered *b = buffered_of(o);
	b->record = r;
	output_text_ops.aggregations(o, r, action, rows);
	show_call(o, b, &(struct call) { .record = r, .action = action });
	b->record = NULL;
}

static void buffered_puts(struct output *o, const char *text)
{
	struct buffered *b = buffered_of(o);
	output_text_ops.puts(o, text);
	show_call(o, b, &(struct call) { 0 });
}

static void buffered_end(struct output *o)
{
	struct buffered *b = buffered_of(o);
	output_text_ops.end(o);
	show_call(o, b, &(struct call) { 0 });
}

const struct output_ops output_buffered_ops = {
	.begin = buffered_begin,
	.record_begin = buffered_record_begin,
	.action = buffered_action,
	.acted = buffered_acted,
	.record_end = buffered_record_end,
	.aggregations = buffered_aggregations,
	.row_part = buffered_row,
	.drop = message_drop,
	.fault = message_fault,
	.problem = message_problem,
	.puts = buffered_puts,
	.end = buffered_end,
	.free = buffered_free,
};
