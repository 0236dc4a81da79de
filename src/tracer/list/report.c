/* SPDX-License-Identifier: BSD-2-Clause */
/* -v: the stability of what a program uses, and who runs it */
#include <string.h>

#include "tracer/list/list.h"

static const struct compiled *compiled_of(const struct tracer *t,
					  const struct tracer_program *program)
{
	for (size_t i = 0; i < t->compiling.done.count; i++)
		if (t->compiling.done.items[i].program == program)
			return &t->compiling.done.items[i];
	return NULL;
}

/* The length of the field at TEXT, if it is a path or in quotes (syntax/lexer.c); else 0. */
static size_t field_length(const char *text)
{
	const char *quote = *text == '"' ? strchr(text + 1, '"') : NULL;
	if (quote)
		return (size_t)(quote + 1 - text);
	size_t len = strcspn(text, ":{; \t?=<>!&|(");
	return *text == '/' && text[len] == ':' ? len : 0;
}

size_t tracer_program_title(const struct tracer_program *program)
{
	const char *name = program->name;
	if (program->kind == PROGRAM_SCRIPT)
		return strlen(name);
	size_t len = 0;
	while (name[len] && !strchr("{/;", name[len]))
		len += 1 + (name[len] == ':' ? field_length(name + len + 1) : 0);
	return len;
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

static void program_report(struct tracer *t, FILE *f, const struct compiled *c, bool only_compiled)
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
		program_report(t, f, c, only_compiled);
}

void tracer_report_all(struct tracer *t, FILE *f)
{
	for (size_t i = 0; i < t->compiling.done.count; i++)
		program_report(t, f, &t->compiling.done.items[i], false);
}

/* --- who runs what
 * --------------------------------------------------------------------------------------- */

static void print_executor(FILE *f, const struct tracer *t, const struct tclause *c)
{
	const struct clause_place *place =
		tracer_is_beside(t, c) ? &t->beside.places[c->index] : NULL;
	const char *needs = place ? t->beside.needs[c->index] : NULL;
	auto_free char *name = mem_printf("%s:%s:%s:%s", c->desc.provider, c->desc.module,
					  c->desc.function, c->desc.name);
	fputc('\t', f);
	print_name(f, name, strlen(name));
	fprintf(f, " (line %u): ", c->range.line);
	if (is_error_clause(c) && tracer_halves(t) > 1 && !place)
		fputs("both, where the error is\n", f);
	else if (!place)
		fprintf(f, "%s\n", t->executor->name);
	else if (needs)
		fprintf(f, "the kernel: %s\n", needs);
	else
		fprintf(f, "the kernel: shares %s with line %u\n", place->shares,
			sema_result(t->sema)->clauses[place->because]->range.line);
}

void tracer_report_executors(struct tracer *t, FILE *f)
{
	const struct typed_program *typed = sema_result(t->sema);
	if (!t->executor->enter)
		return;
	fprintf(f, "Who runs the clauses:\n");
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (!typed->clauses[i]->is_made && typed->clauses[i]->probe_count)
			print_executor(f, t, typed->clauses[i]);
	fputc('\n', f);
}
