/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random expressions: compiled and interpreted, compared with their evaluation here
 *
 * A failure prints its seed; SEED=n COUNT=1 in the environment repeats it alone.
 */
#include "codegen/experiment.h"
#include "codegen/interpreter.h"

#define PROGRAMS 5000 /* of two expressions each */
#define FAILURES_SHOWN 5

static void check_faults(const struct experiment *x, const struct bench *m, struct strbuf *why)
{
	experiment_differs(why, "number of faults", (int64_t)m->faults.count, x->faults);
	for (size_t i = 0; i < m->faults.count; i++)
		experiment_differs(why, "a fault's code", m->faults.items[i].code, FAULT_DIVZERO);
}

static unsigned slots_claimed; /* programs that keep something in a slot */

static bool claims_slot(const struct group_code *group)
{
	for (uint32_t i = 0; i < group->relocation_count; i++)
		if (group->relocations[i].kind == RELOCATE_CALL &&
		    group->relocations[i].index == RT_slot_claim)
			return true;
	return false;
}

static void run(struct experiment *x, const struct plan_options *options, struct strbuf *why)
{
	auto_compiled struct compiled c;
	if (!compile(&c, "random.d", strbuf_text(&x->text), options)) {
		compiled_mistakes(&c, why);
		return;
	}
	slots_claimed += claims_slot(compiled_group(&c, EVENT_BEGIN));
	auto_bench struct bench m;
	bench_init(&m, &c.program);
	experiment_set_inputs(x, &c, m.globals);
	if (!bench_fire(&m, compiled_group(&c, EVENT_BEGIN), 0)) {
		strbuf_printf(why, "the program %s\n", m.problem);
		return;
	}
	experiment_check(x, &c, m.globals, why);
	check_faults(x, &m, why);
}

static void run_all(const struct plan_options *options)
{
	uint64_t seed = experiment_setting("SEED", 1),
		 count = experiment_setting("COUNT", PROGRAMS);
	unsigned failures = 0, faults = 0, hits = 0;
	for (uint64_t i = 0; i < count; i++) {
		struct experiment x;
		auto_strbuf struct strbuf why = { 0 };
		experiment_init(&x, seed + i, 1);
		run(&x, options, &why);
		if (why.len && failures++ < FAILURES_SHOWN)
			experiment_show(&x, seed + i, strbuf_text(&why));
		faults += x.faults;
		hits += x.hits;
		experiment_deinit(&x);
	}
	CHECK_INT(failures, 0);
	/* Both ways of predicates and of divisions were taken. */
	CHECK(count < 100 || (faults > count / 100 && faults < count));
	CHECK(count < 100 || (hits > count / 10 && hits < count * 9 / 10));
}

TEST(random_expressions_have_the_values_of_the_language)
{
	run_all(&compile_defaults);
}

/* The same when run-time functions leave so little stack that temporaries go to the slot. */
TEST(so_they_have_without_a_frame)
{
	struct plan_options options = compile_defaults;
	options.runtime_stack = compile_stacks(400);
	slots_claimed = 0;
	run_all(&options);
	CHECK(slots_claimed > 100); /* 978 of 5000 do not fit */
}

TEST_MAIN
