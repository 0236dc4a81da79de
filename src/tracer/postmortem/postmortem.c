/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Post-mortem: the flight recorder of a process, read from its core or its memory
 *
 *   load            the program and the names of its probes are written for the memory that the
 *                   process shares with dtrace (postmortem/postmortem.h)
 *   (the process)   records in rings, and dies; dtrace prints its records as always
 *   tracer_core()   dtrace --core: the records and aggregations in the core, or in a process,
 *                   printed as by tracer_run(), with the options that the output had; -x changes
 *                   them
 *
 * END does not run: the process may not have had its end.  What a record would do here (system(),
 * freopen(), ftruncate()) is done only with -w: a core may be anyone's.
 */
#include <stdlib.h>
#include <string.h>

#include "inject/inject.h"
#include "postmortem/postmortem.h"
#include "program/program.h"
#include "tracer/anonymous/anonymous.h"
#include "tracer/internal.h"

struct postmortem {
	struct strbuf note;
	bool has_later;	     /* reported */
	struct saved *saved; /* what the text has; NULL: we trace */
	struct output_about about;
	int pid;
	struct post_mortem *read; /* NULL: we trace; owned as t->executing */
};

/* --- the note --------------------------------------------------------------------------------- */

typedef VECTOR(struct recorded_probe) recorded_probe_vector;

static int probe_order(const void *left, const void *right)
{
	const struct recorded_probe *a = left, *b = right;
	return a->id < b->id ? -1 : a->id > b->id;
}

static void probe_collect(const struct tracer *t, uint32_t id, recorded_probe_vector *ret)
{
	const struct probe *p = probe_db_get(t->probes, id);
	if (p)
		vector_push(ret, ((struct recorded_probe) { p->id,
							    { p->provider, p->module, p->function,
							      p->name, p->written } }));
}

/* Those of all groups, and ERROR, which is in none. */
static void probes_collect(const struct tracer *t, recorded_probe_vector *ret)
{
	probe_collect(t, PROBE_ERROR, ret);
	for (unsigned i = 0; i < t->program.group_count; i++)
		for (uint32_t k = 0; k < group_probe_count(&t->program.groups[i]); k++)
			probe_collect(t, t->program.groups[i].probe_ids[k], ret);
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(*ret->items), probe_order);
	size_t kept = 0;
	for (size_t i = 0; i < ret->count; i++)
		if (!kept || ret->items[kept - 1].id != ret->items[i].id)
			ret->items[kept++] = ret->items[i];
	ret->count = kept;
}

static struct error *postmortem_load(struct tracer *t, struct executor_options *o)
{
	if (t->executor != &process_executor || tracer_policy(t) != POLICY_RING ||
	    !t->processes.list.count)
		return NULL;
	auto_strbuf struct strbuf text = { 0 }, program = { 0 };
	struct error *err = anonymous_write(t, true, &text);
	error_free(err); /* a probe by its number: there is no text of it */
	program_write(&t->program, t->types, &program);
	recorded_probe_vector probes = { 0 };
	probes_collect(t, &probes);
	const struct post_mortem_note note = {
		.pid = (uint32_t)process_pid(t->processes.list.items[0]),
		.text = strbuf_text(&text),
		.program = program.text,
		.program_size = program.len,
		.probes = probes.items,
		.probe_count = probes.count,
	};
	post_mortem_write(&note, &t->postmortem->note);
	vector_free(&probes);
	o->note = t->postmortem->note.text;
	o->note_size = t->postmortem->note.len;
	return NULL;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Is the option NAME among the first COUNT that the command has set, to whatever value? */
static bool is_given(const struct tracer *t, size_t count, const char *name)
{
	size_t all, len = strlen(name);
	const char *const *given = options_given(t->options, &all);
	bool is = false;
	for (size_t i = 0; i < count; i++)
		is |= strncmp(given[i], name, len) == 0 && (!given[i][len] || given[i][len] == '=');
	return is;
}

static struct error *options_restore(struct tracer *t, const char *text)
{
	struct error *err = saved_parse(text, strlen(text), &t->postmortem->saved);
	if (err)
		return error_wrap(err, "the text in the core");
	const struct saved *s = t->postmortem->saved;
	size_t ours;
	options_given(t->options, &ours);
	for (size_t i = 0; i < s->options.count; i++) {
		char *name = s->options.items[i].text, *equals = strchr(name, '=');
		if (equals)
			*equals = 0;
		enum option id = option_by_name(name);
		if (id != OPTION_COUNT && !is_given(t, ours, name))
			options_set_foreign(t->options, name, equals ? equals + 1 : NULL);
	}
	return NULL;
}

/* Of a library or program that came while the process ran: the note was written before. */
static const struct probe_names *later_names(struct tracer *t)
{
	static const struct probe_names unknown = { "?", "?", "?", "?", NULL };
	if (!t->postmortem->has_later)
		message_loss(
			"probes of libraries and programs that the process loaded later have no "
			"names here");
	t->postmortem->has_later = true;
	return &unknown;
}

static const struct probe_names *recorded_names(void *arg, uint32_t id)
{
	const struct post_mortem_note *n =
		post_mortem_note(((struct tracer *)arg)->postmortem->read);
	const struct recorded_probe key = { .id = id };
	const struct recorded_probe *found =
		n->probe_count ? bsearch(&key, n->probes, n->probe_count, sizeof(key), probe_order)
			       : NULL;
	_Static_assert(sizeof(struct probe_names) == sizeof(found->names), "five names");
	return found ? (const struct probe_names *)&found->names : later_names(arg);
}

/* For programs that read the output. */
static const struct output_about *recorded_about(struct tracer *t)
{
	struct postmortem *m = t->postmortem;
	size_t texts = m->saved->programs.count;
	struct about_program *programs = arena_alloc(t->arena, (texts + 1) * sizeof(*programs));
	for (size_t i = 0; i < texts; i++) {
		const struct saved_program *s = &m->saved->programs.items[i];
		const char *file = s->kind == PROGRAM_SCRIPT ? s->name.text : NULL;
		programs[i] = (struct about_program) { file, s->text.text };
	}
	m->pid = (int)post_mortem_note(m->read)->pid;
	m->about = tracer_about_compiled(t, post_mortem_program(m->read));
	m->about.programs = programs;
	m->about.program_count = (unsigned)texts;
	m->about.pids = &m->pid;
	m->about.pid_count = 1;
	return &m->about;
}

static struct error *postmortem_connect(struct tracer *t, struct consumer_setup *consumer,
					struct output_setup *output)
{
	if (!t->postmortem->read)
		return NULL;
	consumer->names.probe = recorded_names;
	output->target = post_mortem_note(t->postmortem->read)->pid;
	output->about = recorded_about(t);
	output->began = 0;
	output->wall_offset = post_mortem_wall_offset(t->postmortem->read);
	output->set_option = tracer_foreign_setopt;
	output->is_foreign = !option_number(t->options, OPTION_destructive);
	return NULL;
}

static void report_missing(const struct post_mortem *p, unsigned changed, unsigned unknown)
{
	uint64_t missing = post_mortem_missing(p);
	if (missing)
		message_loss("%llu KiB of what the process recorded are not in the core, which was "
			     "truncated or damaged (ulimit -c, a full disk)",
			     (unsigned long long)((missing + 1023) / 1024));
	uint64_t undumped = post_mortem_undumped(p);
	if (undumped)
		message_loss("%llu times the process could not add memory to its core "
			     "(vm.max_map_count, a filter of system calls): records of threads or "
			     "elements of aggregations are missing",
			     (unsigned long long)undumped);
	if (changed)
		message_loss(
			"%u of the process's files have changed since: their functions have no "
			"names",
			changed);
	if (unknown)
		message_loss("of %u of the process's files the core does not have the build id: "
			     "their functions have no names",
			     unknown);
}

static int recorded_status(struct tracer *t)
{
	const struct control *control = tracer_half(t, 0).source->control;
	return control->exited == 1 ? (int)(control->status & 0xff) : 0;
}

static struct error *recorded_show(struct tracer *t, int *status)
{
	struct error *err = tracer_connect(t);
	if (!err)
		err = output_start(t->output);
	if (!err)
		err = consumer_flush(t->consumer, output_record, t->output);
	if (err)
		return err;
	consumer_drops(t->consumer, 0, output_drop, t->output);
	err = output_end(t->output, true);
	*status = recorded_status(t);
	return err ? err : output_exit(t->output, *status);
}

/* A number is a process's; a file with such a name is ./NUMBER. */
static struct error *remains_open(struct tracer *t, const char *which, struct post_mortem **ret)
{
	bool is_number = *which && !which[strspn(which, "0123456789")] && strlen(which) < 10;
	return is_number ? post_mortem_of_process(atoi(which), t->types, t->arena, ret)
			 : post_mortem_of_core(which, t->types, t->arena, ret);
}

/* Names of what its addresses are: a process has its own mappings. */
static void names_prepare(struct tracer *t, struct post_mortem *p)
{
	size_t count;
	unsigned changed, unknown;
	const struct mapping *files = post_mortem_files(p, &count, &changed, &unknown);
	if (count)
		symbols_set_mappings(t->symbols, (int)post_mortem_note(p)->pid, files, count);
	report_missing(p, changed, unknown);
}

struct error *tracer_core(struct tracer *t, const char *which, int *status)
{
	struct post_mortem *p;
	struct error *err = remains_open(t, which, &p);
	if (err)
		return err;
	t->executor = &post_mortem_executor;
	t->executing = t->postmortem->read = p;
	err = options_restore(t, post_mortem_note(p)->text);
	if (err)
		return err;
	names_prepare(t, p);
	err = tracer_unless_cancelled(t, recorded_show(t, status));
	return tracer_written(t, err);
}

static void postmortem_free(struct tracer *t)
{
	strbuf_deinit(&t->postmortem->note);
	saved_free(t->postmortem->saved);
}

const struct wing postmortem_wing = {
	.size = sizeof(struct postmortem),
	.load = postmortem_load,
	.connect = postmortem_connect,
	.free = postmortem_free,
};
