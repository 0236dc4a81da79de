/* SPDX-License-Identifier: BSD-2-Clause */
/* json_start - the first line: what a reader must know of the run */
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "output/json/json.h"

#define SCHEMA_VERSION 1
#define COMMAND_LINE_MOST (128u << 10) /* bytes; a program of -n can be long */

/* The words of our command line, each ended by a NUL in /proc. */
static void command_line_write(struct writer *w)
{
	auto_strbuf struct strbuf words = { 0 };
	auto_error struct error *err = file_read("/proc/self/cmdline", COMMAND_LINE_MOST, &words);
	json_list_member(w, "command");
	for (size_t at = 0; !err && at < words.len;) {
		size_t len = strnlen(words.text + at, words.len - at);
		if (at + len == words.len) /* cut off */
			break;
		json_separate(w);
		json_text(w, words.text + at, len);
		at += len + 1;
	}
	writer_putc(w, ']');
}

static void machine_write(struct writer *w)
{
	struct utsname host;
	if (uname(&host))
		return;
	json_text_member(w, "host", host.nodename);
	json_text_member(w, "kernel", host.release);
	json_text_member(w, "machine", host.machine);
	json_signed_member(w, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
}

static void texts_write(struct writer *w, const char *name, const struct about_values *v)
{
	json_list_member(w, name);
	for (unsigned i = 0; i < v->count; i++) {
		json_separate(w);
		json_text(w, v->texts[i], strlen(v->texts[i]));
	}
	writer_putc(w, ']');
}

static void action_write(struct output *o, struct writer *w, const struct action_layout *action,
			 const struct about_values *values)
{
	json_separate(w);
	writer_puts(w, "{\"action\":");
	json_string(w, action_name(action->kind));
	if (action->aggregation_count)
		json_aggregation_names(o, w, action);
	if (action->format)
		json_text_member(w, "format", action->format);
	if (values->count)
		texts_write(w, "values", values);
	writer_putc(w, '}');
}

static void clause_write(struct output *o, struct writer *w, const struct clause_layout *clause,
			 const struct about_clause *about)
{
	json_separate(w);
	writer_puts(w, "{\"clause\":");
	json_unsigned(w, clause->epid);
	json_text_member(w, "description", clause->description);
	json_unsigned_member(w, "probes", about->probes);
	if (about->probe)
		json_unsigned_member(w, "probe", about->probe);
	if (about->program) {
		json_unsigned_member(w, "program", about->program);
		json_unsigned_member(w, "line", clause->line);
	}
	json_list_member(w, "actions");
	for (unsigned i = 0; i < clause->action_count; i++)
		if (clause->actions[i].kind != ACTION_DEFAULT)
			action_write(o, w, &clause->actions[i], &about->actions[i]);
	writer_puts(w, "]}");
}

/* From them a reader knows the bounds of empty buckets, and what can be added to what. */
static void parameters_write(struct writer *w, const struct aggregation_layout *a)
{
	if (a->function == AGGREGATE_LQUANTIZE) {
		json_member(w, "parameters");
		writer_printf(w, "{\"low\":%" PRId64 ",\"high\":%" PRId64 ",\"step\":%u}", a->base,
			      a->base + (int64_t)a->levels * a->step, a->step);
	} else if (a->function == AGGREGATE_LLQUANTIZE) {
		json_member(w, "parameters");
		writer_printf(w, "{\"factor\":%u,\"low\":%u,\"high\":%u,\"steps\":%u}",
			      a->ll.factor, a->ll.low, a->ll.high, a->ll.steps);
	}
}

static void aggregation_write(struct writer *w, const struct aggregation_layout *a,
			      const struct about_aggregation *about)
{
	json_separate(w);
	writer_puts(w, "{\"name\":");
	json_string(w, a->name);
	json_text_member(w, "function", aggregate_row(a->function)->name);
	texts_write(w, "key", &about->key);
	parameters_write(w, a);
	if (about->key_types.count)
		texts_write(w, "key_types", &about->key_types);
	if (about->value)
		json_text_member(w, "value", about->value);
	if (about->value_type)
		json_text_member(w, "value_type", about->value_type);
	if (about->unit)
		json_text_member(w, "unit", about->unit);
	if (about->is_cleared)
		json_true_member(w, "cleared");
	writer_putc(w, '}');
}

static void program_text_write(struct writer *w, const struct about_program *p)
{
	json_separate(w);
	writer_putc(w, '{');
	if (p->file)
		json_text_member(w, "file", p->file);
	json_text_member(w, "text", p->text);
	writer_putc(w, '}');
}

static void about_write(struct output *o, struct writer *w, const struct output_about *about)
{
	const struct program *p = consumer_program(o->setup.consumer);
	texts_write(w, "options", &about->options);
	if (about->pairs.count)
		texts_write(w, "pairs", &about->pairs);
	json_list_member(w, "pids");
	for (unsigned i = 0; i < about->pid_count; i++) {
		json_separate(w);
		json_signed(w, about->pids[i]);
	}
	writer_putc(w, ']');
	json_list_member(w, "programs");
	for (unsigned i = 0; i < about->program_count; i++)
		program_text_write(w, &about->programs[i]);
	writer_putc(w, ']');
	json_list_member(w, "clauses");
	for (unsigned i = 0; i < p->clause_count; i++)
		clause_write(o, w, &p->clauses[i], &about->clauses[i]);
	writer_putc(w, ']');
	json_list_member(w, "aggregations");
	for (unsigned i = 0; i < p->aggregation_count; i++)
		aggregation_write(w, &p->aggregations[i], &about->aggregations[i]);
	writer_putc(w, ']');
}

void json_start(struct output *o, struct json *j)
{
	if (j->has_started)
		return;
	j->has_started = true;
	json_line_open(&j->line, "start");
	json_unsigned_member(&j->line, "version", SCHEMA_VERSION);
	int64_t offset = o->setup.wall_offset;
	json_signed_member(&j->line, "wall_offset", offset ? offset : (int64_t)clock_wall_offset());
	machine_write(&j->line);
	command_line_write(&j->line);
	if (o->setup.about)
		about_write(o, &j->line, o->setup.about);
	json_line_close(o, &j->line);
}
