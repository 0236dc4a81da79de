/* SPDX-License-Identifier: BSD-2-Clause */
/* Typed programs to programs, of the start and of probes that are added while tracing */
#include <unistd.h>

#include "object/demangle.h"
#include "tracer/internal.h"

struct error *tracer_verify(const struct typed_program *typed, const struct program *p)
{
	if (!VERIFIES)
		return NULL;
	struct error *err = typed_verify(typed);
	if (err)
		return error_wrap(err, "a bug of %s: the checked program", message_program());
	err = program_verify(p);
	if (err)
		return error_wrap(err, "a bug of %s: the compiled program", message_program());
	return NULL;
}

enum name_form tracer_name_form(const struct tracer *t)
{
	if (option_is_set(t->options, OPTION_demangle))
		return (enum name_form)option_number(t->options, OPTION_demangle);
	bool for_people = isatty(t->request.output_fd) && !tracer_is_for_programs(t);
	return for_people ? NAMES_SHORT : NAMES_WRITTEN;
}

/* The functions of probes as their programmers wrote them: probefunc. */
static void write_names(const struct tracer *t, const struct typed_program *typed)
{
	/* A program computes the same on a terminal, where names are only shown shorter. */
	enum name_form names = (enum name_form)option_number(t->options, OPTION_demangle);
	if (names == NAMES_OF_FILES)
		return;
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		for (unsigned j = 0; j < c->probe_count; j++) {
			const struct probe *p = c->probes[j];
			auto_strbuf struct strbuf text = { 0 };
			if (!p->written && is_mangled(p->function) &&
			    demangle(p->function,
				     names == NAMES_SHORT ? DEMANGLE_SHORT : DEMANGLE_WHOLE, &text))
				probe_db_write(t->probes, p, strbuf_text(&text));
		}
	}
}

struct error *tracer_make_program(struct tracer *t, const struct executor_ops *executor,
				  struct arena *arena, const struct typed_program *typed,
				  struct program *ret, const struct plan **plan)
{
	struct diagnostics d = { 0 };
	write_names(t, typed);
	struct plan_options *options = ARENA_NEW(arena, struct plan_options); /* the plan's */
	*options = tracer_plan_options(t, executor);
	bool fine = codegen_program(arena, typed, options, &d, ret, plan);
	tracer_refuse(t, &d);
	diagnostics_deinit(&d);
	return fine ? NULL : error_new("the program cannot be compiled");
}
