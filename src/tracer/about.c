/* SPDX-License-Identifier: BSD-2-Clause */
/* about - what the programs say of what they record, for the first line of output for programs */
#include <ctype.h>
#include <string.h>

#include "base/nearest.h"
#include "tracer/internal.h"

#define EXPRESSION_MOST 256 /* bytes of an expression that are reported */
#define CUT ".."

/* Blanks outside of quotes are made one. */
static const char *expression_text(struct arena *a, struct range r)
{
	char *text = arena_alloc(a, EXPRESSION_MOST + sizeof(CUT));
	const char *from = r.source ? r.source->text : "";
	size_t len = 0;
	char quote = 0;
	uint32_t i = r.begin;
	for (; i < r.end && len < EXPRESSION_MOST; i++) {
		bool is_escaped = quote && i > r.begin && from[i - 1] == '\\';
		if ((from[i] == '"' || from[i] == '\'') && !is_escaped &&
		    (!quote || quote == from[i]))
			quote = quote ? 0 : from[i];
		bool blank = !quote && isspace((unsigned char)from[i]);
		if (!blank || (len && text[len - 1] != ' '))
			text[len++] = blank ? ' ' : from[i];
	}
	bool is_inside = i < r.end && (from[i] & 0xc0) == 0x80; /* of a character */
	while (is_inside && len && (text[len - 1] & 0xc0) == 0x80)
		len--;
	len -= is_inside && len;
	strcpy(text + len, i < r.end ? CUT : "");
	return text;
}

static struct about_values expressions(struct arena *a, const struct texpr *list)
{
	unsigned count = 0;
	for (const struct texpr *e = list; e; e = e->next)
		count++;
	const char **texts = arena_alloc(a, (count + 1) * sizeof(*texts));
	for (unsigned i = 0; list; list = list->next)
		texts[i++] = expression_text(a, list->range);
	return (struct about_values) { texts, count };
}

/* As the program has it: with its typedefs. */
static const char *about_type_text(struct arena *a, const struct texpr *e)
{
	auto_strbuf struct strbuf text = { 0 };
	type_print(e->declared ? e->declared : e->type, &text);
	return arena_strdup(a, strbuf_text(&text));
}

static struct about_values expression_types(struct arena *a, const struct texpr *list,
					    unsigned count)
{
	const char **texts = arena_alloc(a, (count + 1) * sizeof(*texts));
	for (unsigned i = 0; i < count; i++, list = list->next)
		texts[i] = about_type_text(a, list);
	return (struct about_values) { texts, count };
}

struct about_state {
	struct arena *arena;
	struct about_aggregation *aggregations;
	struct about_values *actions; /* of the current clause; NULL: they are only counted */
	unsigned count;
};

static void about_action(struct about_state *s, const struct tstmt *stmt)
{
	bool clears = stmt->action.kind == ACTION_CLEAR ||
		      (stmt->action.kind == ACTION_TRUNC && !stmt->action.count);
	for (unsigned i = 0; i < stmt->action.aggregation_count && clears; i++)
		s->aggregations[stmt->action.aggregations[i]->index].is_cleared = true;
	if (s->actions)
		s->actions[s->count] = expressions(s->arena, stmt->action.args);
	s->count++;
}

/* Of several statements the first that has a value is reported. */
static void about_aggregate(struct about_state *s, const struct tstmt *stmt)
{
	struct about_aggregation *a = &s->aggregations[stmt->aggregate.aggregation->index];
	if (!a->key.count) {
		a->key = expressions(s->arena, stmt->aggregate.keys);
		a->key_types = expression_types(s->arena, stmt->aggregate.keys, a->key.count);
	}
	if (!a->value && stmt->aggregate.value) {
		a->value = expression_text(s->arena, stmt->aggregate.value->range);
		a->value_type = about_type_text(s->arena, stmt->aggregate.value);
	}
}

/* In the order of the clause's layout (plan/record.c). */
static void about_statements(struct about_state *s, const struct tstmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		if (tstmt_has_branches(stmt)) {
			about_statements(s, stmt->if_.then);
			about_statements(s, stmt->if_.otherwise);
		} else if (stmt->kind == TSTMT_ACTION) {
			about_action(s, stmt);
		} else if (stmt->kind == TSTMT_AGGREGATE) {
			about_aggregate(s, stmt);
		}
	}
}

/* The length of the name in SETTING, "@NAME=..."; "@=..." is about the one without a name. */
static const char *named_aggregation(const char *setting, size_t *len)
{
	const char *name = setting + (*setting == '@');
	*len = strcspn(name, "=");
	if (*len)
		return name;
	*len = 1;
	return "_";
}

static bool names_aggregation(const char *setting, const char *name)
{
	size_t len;
	const char *chosen = named_aggregation(setting, &len);
	return strlen(name) == len && !memcmp(chosen, name, len);
}

/* -x units=@NAME=UNIT; the last one holds, and an empty one means that there is none. */
static const char *chosen_unit(const struct options *o, const char *name)
{
	size_t count;
	const char *const *settings = option_list(o, OPTION_units, &count);
	while (count--)
		if (names_aggregation(settings[count], name))
			return strchr(settings[count], '=') + 1;
	return NULL;
}

static void about_units(struct about_state *s, const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	const char *const *units = typed_units(s->arena, typed);
	for (unsigned i = 0; i < typed->aggregation_count; i++) {
		const char *chosen = chosen_unit(t->options, typed->aggregations[i]->name);
		s->aggregations[i].unit = !chosen ? units[i] : *chosen ? chosen : NULL;
	}
}

static struct error *setting_check(const struct tracer *t, enum option id, const char *setting)
{
	const struct typed_program *p = sema_result(t->sema);
	size_t len;
	const char *name = named_aggregation(setting, &len);
	auto_free char *wanted = mem_strndup(name, len);
	struct nearest near = nearest_to(wanted);
	for (unsigned i = 0; i < p->aggregation_count; i++) {
		if (string_equal(p->aggregations[i]->name, wanted))
			return NULL;
		nearest_try(&near, p->aggregations[i]->name);
	}
	return error_new("-x %s=%s: the program has no aggregation @%s%s%s%s", option_name(id),
			 setting, string_equal(wanted, "_") ? "" : wanted,
			 near.best ? "; did you mean @" : "", near.best ? near.best : "",
			 near.best ? "?" : "");
}

struct error *tracer_check_about(const struct tracer *t)
{
	size_t count;
	struct error *err = NULL;
	const char *shown = option_text(t->options, OPTION_show);
	const char *const *list = option_list(t->options, OPTION_units, &count);
	for (size_t i = 0; i < count && !err; i++)
		err = setting_check(t, OPTION_units, list[i]);
	list = option_list(t->options, OPTION_labels, &count);
	for (size_t i = 0; i < count && !err; i++)
		if (*list[i] == '@')
			err = setting_check(t, OPTION_labels, list[i]);
	if (!err && shown && !string_equal(shown, "records"))
		err = setting_check(t, OPTION_show, shown);
	return err;
}

static unsigned program_number_of(const struct tracer *t, unsigned clause)
{
	for (size_t i = 0; i < t->compiling.done.count; i++)
		if (clause - t->compiling.done.items[i].first_clause <
		    t->compiling.done.items[i].clause_count)
			return (unsigned)i + 1;
	return 0;
}

static struct about_clause about_clause(struct about_state *s, const struct tclause *clause,
					unsigned program)
{
	s->actions = NULL;
	s->count = 0;
	about_statements(s, clause->body);
	s->actions = arena_alloc(s->arena, (s->count + 1) * sizeof(*s->actions)); /* one: no body */
	s->count = 0;
	about_statements(s, clause->body);
	uint32_t probe = clause->probe_count == 1 ? clause->probes[0]->id : 0;
	return (struct about_clause) { program, clause->probe_count, probe, s->actions };
}

static const struct about_program *programs(const struct tracer *t)
{
	size_t count = t->compiling.done.count;
	struct about_program *ret = arena_alloc(t->arena, (count + 1) * sizeof(*ret));
	for (size_t i = 0; i < count; i++) {
		const struct tracer_program *p = t->compiling.done.items[i].program;
		ret[i] = (struct about_program) { p->kind == PROGRAM_SCRIPT ? p->name : NULL,
						  p->text };
	}
	return ret;
}

const struct output_about *tracer_about(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	size_t of_aggregations = typed->aggregation_count * sizeof(struct about_aggregation);
	struct about_state s = { .arena = t->arena };
	s.aggregations = arena_alloc(t->arena, of_aggregations + 1);
	struct about_clause *clauses =
		arena_alloc(t->arena, (typed->clause_count + 1) * sizeof(*clauses));
	for (unsigned i = 0; i < typed->clause_count; i++)
		clauses[i] = about_clause(&s, typed->clauses[i], program_number_of(t, i));
	about_units(&s, t);
	size_t given;
	const char *const *options = options_given(t->options, &given);
	struct output_about *ret = arena_alloc(t->arena, sizeof(*ret));
	*ret = (struct output_about) {
		.programs = programs(t),
		.program_count = (unsigned)t->compiling.done.count,
		.options = { options, (unsigned)given },
		.pairs = { typed->pairs, typed->pair_count },
		.pids = t->processes.pids.items,
		.pid_count = (unsigned)t->processes.pids.count,
		.clause_count = typed->clause_count,
		.clauses = clauses,
		.aggregations = s.aggregations,
	};
	return ret;
}

struct output_about tracer_about_compiled(struct tracer *t, const struct program *p)
{
	size_t most = 1;
	for (unsigned i = 0; i < p->clause_count; i++)
		most = MAX(most, (size_t)p->clauses[i].action_count);
	struct about_values *actions = arena_alloc(t->arena, most * sizeof(*actions));
	struct about_clause *clauses =
		arena_alloc(t->arena, (p->clause_count + 1) * sizeof(*clauses));
	for (unsigned i = 0; i < p->clause_count; i++)
		clauses[i] = (struct about_clause) { .actions = actions };
	return (struct output_about) {
		.clause_count = p->clause_count,
		.clauses = clauses,
		.aggregations = arena_alloc(t->arena, (p->aggregation_count + 1) *
							      sizeof(struct about_aggregation)),
	};
}
