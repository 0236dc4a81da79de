/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random expressions: compiled and interpreted against evaluated here
 *
 * Each program holds two expressions, one as a predicate and one as a value that
 * is stored, and variables of all homes and types, which are compared afterwards.
 * A failure tells its seed; SEED=n COUNT=1 in the environment repeats it alone.
 */
#include "codegen/interpreter.h"
#include "codegen/random_expression.h"
#include "compile.h"

#define PROGRAMS 5000 /* of two expressions each */
#define DEPTH 6
#define FAILURES_SHOWN 5

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

static void random_variables(struct experiment *x)
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

static void declare(const struct number_variable *v, unsigned i, struct strbuf *out)
{
	strbuf_printf(out, "%s%s v%u%s;\nlong in%u, out%u;\n", v->home->scope, v->type->name, i,
		      v->home->key_types, i, i);
}

static void print_program(struct experiment *x)
{
	struct strbuf *out = &x->text;
	struct number_variable *v = x->world.variables;
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		declare(&v[i], i, out);
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
static void foresee(struct experiment *x)
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

static void experiment_init(struct experiment *x, uint64_t seed)
{
	struct expr_world *w = &x->world;
	*x = (struct experiment) { .world = { .random = seed, .arena = arena_new() } };
	random_variables(x);
	x->predicate = expr_make(w, 1 + random_below(w, DEPTH));
	memset(w->changed, 0, sizeof(w->changed));
	x->value = expr_make(w, 1 + random_below(w, DEPTH));
	x->result_type = &number_types[random_below(w, ARRAY_SIZE(number_types))];
	print_program(x);
	foresee(x);
}

static void experiment_deinit(struct experiment *x)
{
	arena_free(x->world.arena);
	strbuf_deinit(&x->text);
}

/* --- running --------------------------------------------------------------------------------- */

static char *global(const struct compiled *c, const struct machine *m, const char *name)
{
	return m->globals + compiled_variable(c, SCOPE_GLOBAL, name)->offset;
}

static int64_t global_long(const struct compiled *c, const struct machine *m, const char *name,
			   unsigned i)
{
	auto_free char *full = mem_printf("%s%u", name, i);
	int64_t value;
	memcpy(&value, global(c, m, full), sizeof(value));
	return value;
}

static void set_inputs(const struct experiment *x, const struct compiled *c,
		       const struct machine *m)
{
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		auto_free char *name = mem_printf("in%u", i);
		memcpy(global(c, m, name), &x->inputs[i], sizeof(x->inputs[i]));
	}
}

static void differs(struct strbuf *why, const char *what, int64_t got, int64_t wanted)
{
	if (got != wanted)
		strbuf_printf(why, "%s is %lld, wanted %lld\n", what, (long long)got,
			      (long long)wanted);
}

static void check_faults(const struct machine *m, struct strbuf *why)
{
	for (size_t i = 0; i < m->faults.count; i++)
		differs(why, "a fault's code", m->faults.items[i].code, FAULT_DIVZERO);
}

static void check_outputs(const struct experiment *x, const struct compiled *c,
			  const struct machine *m, struct strbuf *why)
{
	uint64_t result = 0;
	memcpy(&result, global(c, m, "result"), x->result_type->bits / 8);
	differs(why, "result", number_narrow(result, x->result_type), x->result);
	differs(why, "hit", *global(c, m, "hit"), x->hit);
	differs(why, "number of faults", (int64_t)m->faults.count, x->faults);
	check_faults(m, why);
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++) {
		auto_strbuf struct strbuf name = { 0 };
		number_variable_print(&x->world.variables[i], i, &name);
		differs(why, strbuf_text(&name), global_long(c, m, "out", i),
			x->world.variables[i].value);
	}
}

static void experiment_run(struct experiment *x, struct strbuf *why)
{
	auto_compiled struct compiled c;
	if (!compile(&c, "random.d", strbuf_text(&x->text), &compile_defaults)) {
		compiled_mistakes(&c, why);
		return;
	}
	auto_machine struct machine m;
	machine_init(&m, &c.program);
	set_inputs(x, &c, &m);
	if (!machine_fire(&m, compiled_hook(&c, HOOK_BEGIN), 0))
		strbuf_printf(why, "the program %s\n", m.problem);
	else
		check_outputs(x, &c, &m, why);
}

static void show_failure(const struct experiment *x, uint64_t seed, const char *why)
{
	printf("SEED=%llu COUNT=1: %s", (unsigned long long)seed, why);
	for (unsigned i = 0; i < NUMBER_VARIABLES; i++)
		printf("in%u = %lld; ", i, (long long)x->inputs[i]);
	printf("\n%s", strbuf_text(&x->text));
}

static uint64_t setting(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : usual;
}

TEST(random_expressions_have_the_values_of_the_language)
{
	uint64_t seed = setting("SEED", 1), count = setting("COUNT", PROGRAMS);
	unsigned failures = 0, faults = 0, hits = 0;
	for (uint64_t i = 0; i < count; i++) {
		struct experiment x;
		auto_strbuf struct strbuf why = { 0 };
		experiment_init(&x, seed + i);
		experiment_run(&x, &why);
		if (why.len && failures++ < FAILURES_SHOWN)
			show_failure(&x, seed + i, strbuf_text(&why));
		faults += x.faults;
		hits += x.hit;
		experiment_deinit(&x);
	}
	CHECK_INT(failures, 0);
	/* Both ways of predicates and of divisions were taken. */
	CHECK(count < 100 || (faults > count / 100 && faults < count));
	CHECK(count < 100 || (hits > count / 10 && hits < count * 9 / 10));
}

TEST_MAIN
