/* SPDX-License-Identifier: BSD-2-Clause */
/* text - the first form of output: lines for people */
#include <string.h>

#include "output/internal.h"

#define NAME_WIDTH 32 /* cells of FUNCTION:NAME */
#define FLOW_WIDTH 41 /* of FUNCTION, indented */
#define NAME_LEAST 8  /* of a function */

static void text_begin(struct output *o)
{
	if (o->options.flowindent)
		writer_printf(o->out, "%s%-*s\n", o->options.testing ? "" : "CPU ", FLOW_WIDTH,
			      "FUNCTION");
	else if (o->options.testing && !o->options.quiet)
		writer_printf(o->out, "%*s\n", NAME_WIDTH, "FUNCTION:NAME");
	else if (!o->options.quiet)
		writer_printf(o->out, "%3s %6s %*s\n", "CPU", "ID", NAME_WIDTH, "FUNCTION:NAME");
}

/* --- flow indent ----------------------------------------------------------------------------- */

static bool probe_name_ends_in(const char *name, const char *word)
{
	size_t len = strlen(name), word_len = strlen(word);
	if (len < word_len || strcmp(name + len - word_len, word) != 0)
		return false;
	return len == word_len || name[len - word_len - 1] == '-';
}

enum call_edge edge_of_probe(const struct probe_names *probe)
{
	if (probe_name_ends_in(probe->name, "entry"))
		return EDGE_ENTRY;
	return probe_name_ends_in(probe->name, "return") ? EDGE_RETURN : EDGE_NONE;
}

/*
 * Entry or return? The second clause of a firing is neither: it would indent again.  It is
 * distinguished from a new firing by its clause, which differs from the first one.
 */
static enum call_edge edge_of_record(struct call_flow *flow, const struct record *r)
{
	enum call_edge kind = edge_of_probe(r->probe);
	bool goes_on = flow->is_open && flow->probe == r->header->probe &&
		       flow->clause != r->header->clause;
	if (goes_on)
		return EDGE_NONE;
	*flow = (struct call_flow) {
		.indent = flow->indent,
		.probe = r->header->probe,
		.clause = r->header->clause,
		.is_open = kind != EDGE_NONE,
	};
	return kind;
}

static void flow_print(struct output *o, const struct record *r)
{
	static const char *const arrows[][2] = {
		[EDGE_ENTRY] = { " -> ", " => " },
		[EDGE_RETURN] = { " <- ", " <= " },
	};
	struct call_flow *flow = &o->flows[r->cpu];
	enum call_edge kind = edge_of_record(flow, r);
	if (kind == EDGE_RETURN)
		flow->indent = MAX(flow->indent - 2, 0);

	struct strbuf *name = &o->scratch;
	strbuf_clear(name);
	strbuf_fill(name, ' ', (size_t)flow->indent);
	if (kind == EDGE_NONE)
		strbuf_printf(name, "| %s:%s", r->probe->function, r->probe->name);
	else
		strbuf_printf(name, "%s%s",
			      arrows[kind][string_equal(r->probe->provider, "syscall")],
			      r->probe->function);
	if (!o->options.testing) {
		writer_signed(o->out, r->cpu, 3);
		writer_putc(o->out, ' ');
	}
	struct shown s = show_text(o, strbuf_text(name), name->len, SHOW_IN_LINE);
	size_t before = (size_t)flow->indent + (kind == EDGE_NONE ? strlen("| ") : strlen(" -> "));
	record_line_has_name(o, before, s.len - before,
			     FLOW_WIDTH - MIN(before, FLOW_WIDTH - NAME_LEAST));
	writer_pad_right(o->out, s.text, s.len, FLOW_WIDTH);
	writer_putc(o->out, ' ');
	if (kind == EDGE_ENTRY)
		flow->indent += 2;
}

/* --- records --------------------------------------------------------------------------------- */

/* "%3d %6d %32s ", by hand: every record passes here. */
static void prefix_print(struct output *o, const struct record *r)
{
	struct writer *w = o->out;
	const char *function = r->probe->function, *name = r->probe->name;
	struct shown s = show_text(o, function, strlen(function), SHOW_IN_LINE);
	size_t name_len = strlen(name); /* made by us */
	if (!o->options.testing) {
		writer_signed(w, r->cpu, 3);
		writer_putc(w, ' ');
		writer_unsigned(w, r->header->probe, 6);
		writer_putc(w, ' ');
	}
	if (s.len + 1 + name_len < NAME_WIDTH)
		writer_fill(w, ' ', NAME_WIDTH - (s.len + 1 + name_len));
	if (w->line_cells)
		record_line_has_name(o, 0, s.len,
				     NAME_WIDTH - MIN(1 + name_len, NAME_WIDTH - NAME_LEAST));
	writer_add_shown(w, s);
	writer_putc(w, ':');
	writer_add(w, name, name_len);
	writer_putc(w, ' ');
}

static void host_print(struct output *o, const struct record *r)
{
	writer_add_shown(o->out, show_text(o, r->host, strlen(r->host), SHOW_IN_LINE));
	writer_puts(o->out, ": ");
}

/* setopt() may change `quiet` while the record is printed; its line ends as it began. */
static void text_record_begin(struct output *o, const struct record *r)
{
	o->record_is_quiet = o->options.quiet;
	if (o->out->line_cells)
		record_line_begin(o);
	uint32_t continues = r->clause->continues;
	if (continues && record_flag(r, (int)continues - 1))
		return;
	if (r->host && (!o->options.quiet || record_shows(r)))
		host_print(o, r);
	if (o->options.flowindent)
		flow_print(o, r);
	else if (!o->options.quiet)
		prefix_print(o, r);
}

static void text_record_end(struct output *o, const struct record *r)
{
	if (o->out->line_cells)
		record_line_end(o);
	if (!o->record_is_quiet)
		writer_putc(o->out, '\n');
}

static void tracemem_print(struct output *o, const struct record *r,
			   const struct action_layout *action)
{
	struct value bytes = value_of_record(o, r, &action->fields[0]);
	uint32_t size = bytes.size;
	if (action->field_count > 1) {
		struct value wanted = value_of_record(o, r, &action->fields[1]);
		bool is_negative = wanted.field->is_signed && value_integer(&wanted) < 0;
		if (!is_negative)
			size = (uint32_t)MIN(value_unsigned(&wanted), size);
	}
	dump_print(o, bytes.bytes, size);
}

static void text_action(struct output *o, const struct record *r,
			const struct action_layout *action)
{
	switch (action->kind) {
	case ACTION_PRINTF:
		printf_run(o, prepared_of(o, r, action), &(struct arguments) { .record = r });
		break;
	case ACTION_TRACEMEM:
		if (action->field_count)
			tracemem_print(o, r, action);
		break;
	case ACTION_PRINT:
		print_print(o, r, action);
		break;
	case ACTION_PCAP:
		pcap_print(o, r, action);
		break;
	default:
		for (unsigned i = 0; i < action->field_count; i++) {
			struct value v = value_of_record(o, r, &action->fields[i]);
			trace_print(o, &v);
		}
		break;
	}
}

static void text_aggregations(struct output *o, const struct record *r,
			      const struct action_layout *action,
			      const struct aggregation_rows *rows)
{
	if (!action) {
		rows_print(o, rows);
	} else if (action->format) {
		rows_printf(o, prepared_of(o, r, action), rows);
	} else {
		writer_putc(o->out, '\n');
		rows_print(o, rows);
	}
}

static void text_puts(struct output *o, const char *text)
{
	writer_puts(o->out, text);
}

static void text_end(struct output *o)
{
	writer_putc(o->out, '\n');
}

const struct output_ops output_text_ops = {
	.begin = text_begin,
	.record_begin = text_record_begin,
	.action = text_action,
	.record_end = text_record_end,
	.aggregations = text_aggregations,
	.drop = message_drop,
	.fault = message_fault,
	.problem = message_problem,
	.puts = text_puts,
	.end = text_end,
};
