/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * experiment - a program of random expressions, and its expected results
 *
 * They are in pairs, of a predicate and of a value that is stored.  Variables of all homes and
 * types get random values first and are copied out afterwards.
 */
#ifndef TESTS_UNIT_CODEGEN_EXPERIMENT_H
#define TESTS_UNIT_CODEGEN_EXPERIMENT_H

#include "codegen/random_expression.h"
#include "compile.h"

#define EXPERIMENT_DEPTH 6

struct experiment_pair {
	struct expr *predicate, *value;
	const struct number_type *result_type;
	/* what must come out */
	int64_t result;
	bool hit;
};

struct experiment {
	struct expr_world world;
	struct experiment_pair *pairs;
	unsigned count;
	struct strbuf text;
	int64_t inputs[NUMBER_VARIABLES];
	unsigned faults, hits; /* that must come */
};

/* --- making -------------------------------------------------------------------------------- */

static inline void experiment_random_variables(struct experiment *x)
{
	struct expr_world *w = &x->world;
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		struct number_variable *v = &w->variables[i];
		v->home = &number_homes[i % ARRAY_SIZE(number_homes)];
		bool has_bits = v->home == &number_homes[HOME_BITS];
		v->type = &number_types[random_below(w, has_bits ? TYPE_NUMBER_ENUM
								 : ARRAY_SIZE(number_types))];
		x->inputs[i] = (int64_t)random_value(w);
		v->bits = has_bits ? 1 + random_below(w, v->type->bits) : v->type->bits;
		v->value = number_stored((uint64_t)x->inputs[i], v);
	}
}

static inline void experiment_declare(const struct experiment *x, struct strbuf *out)
{
	const struct number_variable *v = x->world.variables;
	strbuf_puts(out, "enum hue { RED };\nstruct bits {\n");
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		if (v[i].home == &number_homes[HOME_BITS])
			strbuf_printf(out, "\t%s v%u:%u;\n", v[i].type->name, i, v[i].bits);
	strbuf_puts(out, "};\nstruct bits bits;\n");
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		if (v[i].home != &number_homes[HOME_BITS])
			strbuf_printf(out, "%s%s v%u%s;\n", v[i].home->scope, v[i].type->name, i,
				      v[i].home->key_types);
		strbuf_printf(out, "long in%u, out%u;\n", i, i);
	}
	for (unsigned i = 0; i < x->count; i++)
		strbuf_printf(out, "%s result%u;\nint hit%u;\n", x->pairs[i].result_type->name, i,
			      i);
}

static inline void experiment_print_program(struct experiment *x)
{
	struct strbuf *out = &x->text;
	struct number_variable *v = x->world.variables;
	experiment_declare(x, out);
	strbuf_puts(out, "BEGIN {\n");
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		strbuf_putc(out, '\t');
		number_variable_print(&v[i], i, out);
		strbuf_printf(out, " = in%u;\n", i);
	}
	strbuf_puts(out, "}\n");
	for (unsigned i = 0; i < x->count; i++) {
		strbuf_puts(out, "BEGIN /");
		expr_print(&x->world, x->pairs[i].predicate, out);
		strbuf_printf(out, "/ { hit%u = 1; }\nBEGIN { result%u = ", i, i);
		expr_print(&x->world, x->pairs[i].value, out);
		strbuf_puts(out, "; }\n");
	}
	strbuf_puts(out, "BEGIN {\n");
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		strbuf_printf(out, "\tout%u = ", i);
		number_variable_print(&v[i], i, out);
		strbuf_puts(out, ";\n");
	}
	strbuf_puts(out, "}\n");
}

/* The expected effects of a pair's clauses. */
static inline void experiment_foresee(struct experiment *x, struct experiment_pair *p)
{
	struct expr_world *w = &x->world;
	int64_t value = expr_value(w, p->predicate);
	p->hit = !w->divided_by_zero && number_whole(value, p->predicate->type);
	x->hits += p->hit;
	x->faults += w->divided_by_zero;
	w->divided_by_zero = false;
	value = expr_value(w, p->value);
	if (!w->divided_by_zero) {
		value = number_widened(value, p->value->type, p->result_type);
		p->result = number_narrow((uint64_t)value, p->result_type);
	}
	x->faults += w->divided_by_zero;
	w->divided_by_zero = false;
}

static inline void experiment_pair_make(struct experiment *x, struct experiment_pair *p)
{
	struct expr_world *w = &x->world;
	memset(w->changed, 0, sizeof(w->changed));
	p->predicate = expr_make(w, 1 + random_below(w, EXPERIMENT_DEPTH));
	memset(w->changed, 0, sizeof(w->changed));
	p->value = expr_make(w, 1 + random_below(w, EXPERIMENT_DEPTH));
	p->result_type = &number_types[random_below(w, ARRAY_SIZE(number_types))];
}

static inline void experiment_init(struct experiment *x, uint64_t seed, unsigned pairs)
{
	*x = (struct experiment) { .world = { .random = seed, .arena = arena_new() },
				   .count = pairs };
	x->pairs = mem_zalloc(pairs * sizeof(*x->pairs));
	experiment_random_variables(x);
	for (unsigned i = 0; i < pairs; i++)
		experiment_pair_make(x, &x->pairs[i]);
	experiment_print_program(x);
	for (unsigned i = 0; i < pairs; i++)
		experiment_foresee(x, &x->pairs[i]);
}

static inline void experiment_deinit(struct experiment *x)
{
	arena_free(x->world.arena);
	free(x->pairs);
	strbuf_deinit(&x->text);
}

/* --- running --------------------------------------------------------------------------------- */

static inline char *experiment_global(const struct compiled *c, char *globals, const char *name)
{
	return globals + plan_variable(c->plan, compiled_variable(c, SCOPE_GLOBAL, name))->offset;
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

static inline void experiment_check_pair(const struct experiment *x, const struct compiled *c,
					 char *globals, unsigned i, struct strbuf *why)
{
	const struct experiment_pair *p = &x->pairs[i];
	auto_free char *result = mem_printf("result%u", i), *hit = mem_printf("hit%u", i);
	uint64_t value = 0;
	memcpy(&value, experiment_global(c, globals, result), p->result_type->bits / 8);
	experiment_differs(why, result, number_narrow(value, p->result_type), p->result);
	experiment_differs(why, hit, *experiment_global(c, globals, hit), p->hit);
}

/* WHY grows by all that is not as foreseen. */
static inline void experiment_check(const struct experiment *x, const struct compiled *c,
				    char *globals, struct strbuf *why)
{
	for (unsigned i = 0; i < x->count; i++)
		experiment_check_pair(x, c, globals, i, why);
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
