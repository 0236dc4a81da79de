/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random expressions: compiled and interpreted against evaluated here
 *
 * A failure tells its seed; SEED=n COUNT=1 in the environment repeats it alone.
 */
#include "codegen/experiment.h"
#include "codegen/interpreter.h"

#define PROGRAMS 5000 /* of two expressions each */
#define FAILURES_SHOWN 5

static void check_faults(const struct experiment *x, const struct machine *m, struct strbuf *why)
{
	experiment_differs(why, "number of faults", (int64_t)m->faults.count, x->faults);
	for (size_t i = 0; i < m->faults.count; i++)
		experiment_differs(why, "a fault's code", m->faults.items[i].code, FAULT_DIVZERO);
}

static void run(struct experiment *x, struct strbuf *why)
{
	auto_compiled struct compiled c;
	if (!compile(&c, "random.d", strbuf_text(&x->text), &compile_defaults)) {
		compiled_mistakes(&c, why);
		return;
	}
	auto_machine struct machine m;
	machine_init(&m, &c.program);
	experiment_set_inputs(x, &c, m.globals);
	if (!machine_fire(&m, compiled_hook(&c, HOOK_BEGIN), 0)) {
		strbuf_printf(why, "the program %s\n", m.problem);
		return;
	}
	experiment_check(x, &c, m.globals, why);
	check_faults(x, &m, why);
}

TEST(random_expressions_have_the_values_of_the_language)
{
	uint64_t seed = experiment_setting("SEED", 1),
		 count = experiment_setting("COUNT", PROGRAMS);
	unsigned failures = 0, faults = 0, hits = 0;
	for (uint64_t i = 0; i < count; i++) {
		struct experiment x;
		auto_strbuf struct strbuf why = { 0 };
		experiment_init(&x, seed + i);
		run(&x, &why);
		if (why.len && failures++ < FAILURES_SHOWN)
			experiment_show(&x, seed + i, strbuf_text(&why));
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
