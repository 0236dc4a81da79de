/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json - the second form of output: one JSON object per line (docs/json.md)
 *
 * A line is assembled in memory and written whole, so that lines never mix.  A record's line is
 * open while its actions run; tuples that one of them prints are separate lines, which come first.
 */
#include "output/json/json.h"

#include <string.h>

#include "base/clock.h"

struct json *json_of(struct output *o)
{
	struct json *j = o->form;
	if (j)
		return j;
	unsigned count = consumer_program(o->setup.consumer)->aggregation_count;
	o->form = j = mem_zalloc(sizeof(*j));
	j->is_stream = o->ops == &output_stream_ops;
	j->has_texts = !j->is_stream || o->setup.has_texts;
	j->names = json_names_new();
	j->processes = process_names_new();
	j->cleared = mem_alloc(count * sizeof(*j->cleared));
	for (unsigned i = 0; i < count; i++)
		j->cleared[i] = o->setup.began;
	writer_init(&j->record, -1);
	writer_init(&j->line, -1);
	return j;
}

static void json_free(struct output *o)
{
	struct json *j = o->form;
	if (!j)
		return;
	writer_deinit(&j->record);
	writer_deinit(&j->line);
	json_names_free(j->names);
	process_names_free(j->processes);
	free(j->cleared);
	free(j);
	o->form = NULL;
}

/* --- lines -------------------------------------------------------------------------------- */

void json_line_close(struct output *o, struct writer *w)
{
	writer_puts(w, "}\n");
	if (VERIFIES || o->setup.verify)
		o->lines_not_json += !json_is_line(w->buffer, w->used);
	writer_add(o->out, w->buffer, w->used);
}

struct writer *json_line_begin(struct output *o, const char *type)
{
	struct json *j = json_of(o);
	json_start(o, j);
	json_names_trim(o);
	json_line_open(&j->line, type);
	return &j->line;
}

void json_line_end(struct output *o)
{
	json_line_close(o, &json_of(o)->line);
}

/* --- records ------------------------------------------------------------------------------ */

void json_thread_members(struct writer *w, const struct record_thread *t,
			 const struct process_name *process)
{
	json_unsigned_member(w, "pid", t->pid);
	json_unsigned_member(w, "tid", t->tid);
	json_member(w, "thread");
	json_text(w, t->name, strnlen(t->name, sizeof(t->name)));
	if (!*process->text)
		return;
	json_member(w, "process");
	json_text(w, process->text, strnlen(process->text, sizeof(process->text)));
}

void json_probe_members(struct writer *w, const struct probe_names *probe)
{
	json_text_member(w, "provider", probe->provider);
	json_text_member(w, "module", probe->module);
	json_text_member(w, "function", probe->function);
	json_text_member(w, "name", probe->name);
	enum call_edge edge = edge_of_probe(probe); /* as -x flowindent sees it */
	if (edge != EDGE_NONE)
		json_text_member(w, "flow", edge == EDGE_ENTRY ? "entry" : "return");
}

static void json_host_member(struct writer *w, const struct record *r)
{
	if (r->host)
		json_text_member(w, "host", r->host);
}

/* When, where, who, and by what. */
static void origin_whole(struct output *o, struct writer *w, const struct record *r)
{
	json_unsigned_member(w, "time", r->header->time);
	json_signed_member(w, "cpu", r->cpu);
	json_host_member(w, r);
	const struct record_thread *thread = record_thread(r);
	if (thread)
		json_thread_members(w, thread, json_process_name(o, thread));
	json_member(w, "probe");
	writer_puts(w, "{\"id\":");
	json_unsigned(w, r->header->probe);
	json_probe_members(w, r->probe);
	writer_putc(w, '}');
	json_unsigned_member(w, "clause", r->clause->epid);
	if (r->clause->line)
		json_unsigned_member(w, "line", r->clause->line);
}

/* Does the first line say which probe left R? */
static bool probe_is_declared(const struct output *o, const struct record *r)
{
	const struct output_about *about = o->setup.about;
	uint32_t index = r->clause->epid - 1;
	return about && index < about->clause_count &&
	       about->clauses[index].probe == r->header->probe;
}

/* The same in numbers. */
static void origin_short(struct output *o, struct writer *w, const struct record *r)
{
	const struct record_thread *thread = record_thread(r);
	json_describe_origin(o, r);
	json_unsigned_member(w, "time", r->header->time);
	json_signed_member(w, "cpu", r->cpu);
	json_host_member(w, r);
	if (thread)
		json_unsigned_member(w, "tid", thread->tid);
	if (!probe_is_declared(o, r))
		json_unsigned_member(w, "probe", r->header->probe);
	json_unsigned_member(w, "clause", r->clause->epid);
}

static void origin(struct output *o, struct writer *w, const struct record *r)
{
	if (json_of(o)->is_stream)
		origin_short(o, w, r);
	else
		origin_whole(o, w, r);
}

static void json_begin(struct output *o)
{
	json_start(o, json_of(o));
}

static void json_ended(struct output *o)
{
	json_of(o)->ended = clock_ns(CLOCK_MONOTONIC);
}

static void json_record_begin(struct output *o, const struct record *r)
{
	struct json *j = json_of(o);
	json_start(o, j);
	json_names_trim(o);
	j->records++;
	json_line_open(&j->record, "record");
	origin(o, &j->record, r);
	j->actions_written = 0;
	json_list_member(&j->record, "data");
}

static void json_record_end(struct output *o, const struct record *r)
{
	struct json *j = json_of(o);
	writer_putc(&j->record, ']');
	json_line_close(o, &j->record);
	j->record_has_numbers = false;
}

/* --- actions ------------------------------------------------------------------------------ */

/* In a stream, the n-th item is of the clause's n-th action; null: it did not run. */
static void skip_to(struct json *j, unsigned action)
{
	for (; j->actions_written < action; j->actions_written++) {
		json_separate(&j->record);
		writer_puts(&j->record, "null");
	}
	j->actions_written++;
}

/* Begin ACTION's item.  What the clause says of the action is not repeated in a stream. */
static struct writer *action_open(struct output *o, const struct record *r,
				  const struct action_layout *action)
{
	struct json *j = json_of(o);
	struct writer *w = &j->record;
	if (j->is_stream)
		skip_to(j, (unsigned)(action - r->clause->actions));
	json_separate(w);
	writer_putc(w, '{');
	if (j->is_stream)
		return w;
	json_text_member(w, "action", action_name(action->kind));
	if (action->aggregation_count)
		json_aggregation_names(o, w, action);
	return w;
}

void json_aggregation_names(struct output *o, struct writer *w, const struct action_layout *action)
{
	const struct program *p = consumer_program(o->setup.consumer);
	json_list_member(w, "aggregations");
	for (unsigned i = 0; i < action->aggregation_count; i++) {
		json_separate(w);
		json_string(w, p->aggregations[action->aggregations[i]].name);
	}
	writer_putc(w, ']');
}

static void values(struct output *o, struct writer *w, const struct record *r,
		   const struct action_layout *action)
{
	for (unsigned i = 0; i < action->field_count; i++) {
		struct value v = value_of_record(o, r, &action->fields[i]);
		json_separate(w);
		json_value(o, w, &v);
	}
	writer_putc(w, ']');
}

/* In a stream: an item that is values alone. */
static void values_item(struct output *o, const struct record *r,
			const struct action_layout *action)
{
	struct json *j = json_of(o);
	skip_to(j, (unsigned)(action - r->clause->actions));
	json_separate(&j->record);
	writer_putc(&j->record, '[');
	values(o, &j->record, r, action);
}

static void json_action(struct output *o, const struct record *r,
			const struct action_layout *action)
{
	const struct json *j = json_of(o);
	bool has_text = action->format && j->has_texts;
	if (j->is_stream && !has_text && action->kind != ACTION_PRINT) {
		values_item(o, r, action);
		return;
	}
	struct writer *w = action_open(o, r, action);
	if (has_text) {
		auto_free char *text = printf_text(o, prepared_of(o, r, action),
						   &(struct arguments) { .record = r });
		json_text_member(w, "text", text);
	}
	if (action->kind == ACTION_PRINT) {
		json_print(o, w, r, action);
	} else if (action->field_count) {
		json_list_member(w, "values");
		values(o, w, r, action);
	}
	writer_putc(w, '}');
}

/* Values of the aggregations that ACTION, of R, has emptied begin there. */
static void note_cleared(struct output *o, const struct record *r,
			 const struct action_layout *action)
{
	bool empties = action->kind == ACTION_CLEAR ||
		       (action->kind == ACTION_TRUNC && !action->field_count);
	for (unsigned i = 0; i < action->aggregation_count && empties; i++)
		json_of(o)->cleared[action->aggregations[i]] = r->header->time;
}

static void json_acted(struct output *o, const struct record *r, const struct action_layout *action)
{
	json_action(o, r, action);
	note_cleared(o, r, action);
}

/* A line before, or after, the rows that were requested while tracing. */
static void snapshot_line(struct output *o, const char *type, const struct json_printing *p)
{
	struct writer *w = json_line_begin(o, type);
	json_unsigned_member(w, "time", p->to);
	json_unsigned_member(w, "printing", p->number);
	json_line_end(o);
}

/* The tuples first; the record only says which printing it was, and how many they were. */
static void json_aggregations(struct output *o, const struct record *r,
			      const struct action_layout *action,
			      const struct aggregation_rows *rows)
{
	struct json *j = json_of(o);
	bool is_snapshot = !r && !o->is_ending;
	struct json_printing p = {
		++j->printings, r, action, consumer_program(o->setup.consumer)->aggregations,
		j->cleared,
	};
	p.to = r ? r->header->time : o->is_ending ? j->ended : clock_ns(CLOCK_MONOTONIC);
	if (is_snapshot)
		snapshot_line(o, "snapshot", &p);
	json_rows(o, &p, rows);
	if (is_snapshot)
		snapshot_line(o, "end", &p);
	if (!action)
		return;
	struct writer *w = action_open(o, r, action);
	json_unsigned_member(w, "printing", p.number);
	json_unsigned_member(w, "rows", rows->count);
	writer_putc(w, '}');
}

/* --- what went wrong ------------------------------------------------------------------------ */

static void json_drop(struct output *o, const struct drop *drop)
{
	struct json *j = json_of(o);
	struct writer *w = json_line_begin(o, "drop");
	auto_free char *text = drop_text(drop);
	bool is_truncation =
		drop->kind == DROP_TRUNCATED_STRINGS || drop->kind == DROP_TRUNCATED_STACKS;
	if (!drop->clause) /* otherwise they were reported before */
		*(is_truncation ? &j->cuts : &j->drops) += drop->count;
	json_text_member(w, "tag", drop_tag(drop->kind));
	if (drop->cpu >= 0)
		json_signed_member(w, "cpu", drop->cpu);
	if (drop->clause) {
		json_unsigned_member(w, "clause", drop->clause->epid);
		json_unsigned_member(w, "line", drop->clause->line);
	}
	json_unsigned_member(w, "count", drop->count);
	json_text_member(w, "text", text);
	json_line_end(o);
}

static void json_fault(struct output *o, const struct record *r, const struct record_fault *fault)
{
	struct writer *w = json_line_begin(o, "error");
	json_of(o)->errors++;
	origin(o, w, r);
	json_member(w, "fault");
	writer_putc(w, '{');
	json_unsigned_member(w, "number", fault->code);
	json_text_member(w, "text", fault_name(fault->code));
	if (fault->action)
		json_unsigned_member(w, "action", fault->action);
	if (fault->address != UINT64_MAX)
		json_address_member(w, "address", fault->address);
	if (fault->memory != MEMORY_UNKNOWN) {
		json_member(w, "mapped");
		writer_puts(w, fault->memory == MEMORY_MAPPED ? "true" : "false");
	}
	if (fault->pc >= 0)
		json_signed_member(w, "pc", fault->pc);
	writer_putc(w, '}');
	auto_strbuf struct strbuf text = { 0 };
	fault_text(&text, r, fault);
	json_member(w, "text");
	json_text(w, strbuf_text(&text), text.len);
	json_line_end(o);
}

static void json_problem(struct output *o, const struct record *r, const char *text)
{
	struct writer *w = json_line_begin(o, "error");
	json_of(o)->errors++;
	if (!r->problem) {
		origin(o, w, r);
	} else {
		json_signed_member(w, "cpu", r->cpu);
	}
	json_text_member(w, "text", text);
	json_line_end(o);
}

/* --- the end -------------------------------------------------------------------------------- */

static void json_exit(struct output *o, int status)
{
	const struct json *j = json_of(o);
	struct writer *w = json_line_begin(o, "exit");
	json_signed_member(w, "status", status);
	json_unsigned_member(w, "records", j->records);
	json_unsigned_member(w, "errors", j->errors);
	json_unsigned_member(w, "drops", j->drops);
	json_unsigned_member(w, "cuts", j->cuts);
	json_line_end(o);
}

#define JSON_OPS                                                                                   \
	{                                                                                          \
		.start = json_begin, .record_begin = json_record_begin, .action = json_action,     \
		.acted = json_acted, .record_end = json_record_end,                                \
		.aggregations = json_aggregations, .drop = json_drop, .fault = json_fault,         \
		.problem = json_problem, .end = json_ended, .exit = json_exit, .free = json_free   \
	}
const struct output_ops output_json_ops = JSON_OPS;
const struct output_ops output_stream_ops = JSON_OPS;
