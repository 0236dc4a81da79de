/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * experiment - a program of two random expressions, and what it must leave
 *
 * One expression is a predicate, the other a value that is stored; variables of
 * all homes and types get random values first and are copied out afterwards.
 */
#ifndef TESTS_UNIT_CODEGEN_EXPERIMENT_H
#define TESTS_UNIT_CODEGEN_EXPERIMENT_H

#include "codegen/random_expression.h"
#include "compile.h"

#define EXPERIMENT_DEPTH 6

struct experiment {
	struct expr_world world;
	struct expr *predicate, *value;
	const struct number_type *result_type;
	struct strbuf text;
	int64_t inputs[NUMBER_VARIABLES];
	/* what must come out */
	int64_t result;
	bool hit;
	unsigned faults;
};

/* --- making -------------------------------------------------------------------------------- */

static inline void experiment_random_variables(struct experiment *x)
{
	struct expr_world *w = &x->world;
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		struct number_variable *v = &w->variables[i];
		v->home = &number_homes[i % ARRAY_SIZE(number_homes)];
		v->type = &number_types[random_below(w, ARRAY_SIZE(number_types))];
		x->inputs[i] = (int64_t)random_value(w);
		v->value = number_narrow((uint64_t)x->inputs[i], v->type);
	}
}

static inline void experiment_declare(const struct number_variable *v, unsigned i,
				      struct strbuf *out)
{
	strbuf_printf(out, "%s%s v%u%s;\nlong in%u, out%u;\n", v->home->scope, v->type->name, i,
		      v->home->key_types, i, i);
}

static inline void experiment_print_program(struct experiment *x)
{
	struct strbuf *out = &x->text;
	struct number_variable *v = x->world.variables;
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		experiment_declare(&v[i], i, out);
	strbuf_printf(out, "%s result;\nint hit;\nBEGIN {\n", x->result_type->name);
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		strbuf_putc(out, '\t');
		number_variable_print(&v[i], i, out);
		strbuf_printf(out, " = in%u;\n", i);
	}
	strbuf_puts(out, "}\nBEGIN /");
	expr_print(&x->world, x->predicate, out);
	strbuf_puts(out, "/ { hit = 1; }\nBEGIN { result = ");
	expr_print(&x->world, x->value, out);
	strbuf_puts(out, "; }\nBEGIN {\n");
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		strbuf_printf(out, "\tout%u = ", i);
		number_variable_print(&v[i], i, out);
		strbuf_puts(out, ";\n");
	}
	strbuf_puts(out, "}\n");
}

/* What the program must do, in the order of its clauses. */
static inline void experiment_foresee(struct experiment *x)
{
	struct expr_world *w = &x->world;
	int64_t value = expr_value(w, x->predicate);
	x->hit = !w->divided_by_zero && value;
	x->faults += w->divided_by_zero;
	w->divided_by_zero = false;
	value = expr_value(w, x->value);
	if (!w->divided_by_zero)
		x->result = number_narrow((uint64_t)value, x->result_type);
	x->faults += w->divided_by_zero;
}

static inline void experiment_init(struct experiment *x, uint64_t seed)
{
	struct expr_world *w = &x->world;
	*x = (struct experiment) { .world = { .random = seed, .arena = arena_new() } };
	experiment_random_variables(x);
	x->predicate = expr_make(w, 1 + random_below(w, EXPERIMENT_DEPTH));
	memset(w->changed, 0, sizeof(w->changed));
	x->value = expr_make(w, 1 + random_below(w, EXPERIMENT_DEPTH));
	x->result_type = &number_types[random_below(w, ARRAY_SIZE(number_types))];
	experiment_print_program(x);
	experiment_foresee(x);
}

static inline void experiment_deinit(struct experiment *x)
{
	arena_free(x->world.arena);
	strbuf_deinit(&x->text);
}

/* --- running --------------------------------------------------------------------------------- */

static inline char *experiment_global(const struct compiled *c, char *globals, const char *name)
{
	return globals + compiled_variable(c, SCOPE_GLOBAL, name)->offset;
}

static inline void experiment_set_inputs(const struct experiment *x, const struct compiled *c,
					 char *globals)
{
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		auto_free char *name = mem_printf("in%u", i);
		memcpy(experiment_global(c, globals, name), &x->inputs[i], sizeof(x->inputs[i]));
	}
}

static inline void experiment_differs(struct strbuf *why, const char *what, int64_t got,
				      int64_t wanted)
{
	if (got != wanted)
		strbuf_printf(why, "%s is %lld, wanted %lld\n", what, (long long)got,
			      (long long)wanted);
}

static inline void experiment_check_variable(const struct experiment *x, const struct compiled *c,
					     char *globals, unsigned i, struct strbuf *why)
{
	auto_strbuf struct strbuf name = { 0 };
	auto_free char *out = mem_printf("out%u", i);
	int64_t value;
	memcpy(&value, experiment_global(c, globals, out), sizeof(value));
	number_variable_print(&x->world.variables[i], i, &name);
	experiment_differs(why, strbuf_text(&name), value, x->world.variables[i].value);
}

/* WHY grows by all that is not as foreseen. */
static inline void experiment_check(const struct experiment *x, const struct compiled *c,
				    char *globals, struct strbuf *why)
{
	uint64_t result = 0;
	memcpy(&result, experiment_global(c, globals, "result"), x->result_type->bits / 8);
	experiment_differs(why, "result", number_narrow(result, x->result_type), x->result);
	experiment_differs(why, "hit", *experiment_global(c, globals, "hit"), x->hit);
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		experiment_check_variable(x, c, globals, i, why);
}

static inline void experiment_show(const struct experiment *x, uint64_t seed, const char *why)
{
	printf("SEED=%llu COUNT=1: %s", (unsigned long long)seed, why);
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		printf("in%u = %lld; ", i, (long long)x->inputs[i]);
	printf("\n%s", strbuf_text(&x->text));
}

/* SEED and COUNT of the environment. */
static inline uint64_t experiment_setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : usual;
}

#endif
