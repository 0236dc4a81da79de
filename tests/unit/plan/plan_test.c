/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans that are broken on purpose; which tables have all elements from the start */
#include "compile.h"

static const char script[] =
	"long a, b; this long c, d; self long e, f; string t[int, string];"
	"BEGIN { a = b; this->c = this->d; self->e = self->f;"
	"  t[1, \"x\"] = \"y\"; @[a] = count(); @k = sum(b); printf(\"%d %d\", a, b); }";

TEST(a_plan_with_two_things_at_one_place_is_found_out)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "x.d", script, &compile_defaults));
	struct plan *p = (struct plan *)c.plan;
	CHECK(!plan_verify(p));
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++) {
		struct variable_place *v = p->variables[scope], saved = v[1];
		v[1].offset = v[0].offset;
		CHECK(plan_verify(p));
		v[1] = saved;
	}
	struct variable_place *array = NULL;
	for (unsigned i = 0; i < p->typed->variable_count[SCOPE_GLOBAL]; i++)
		if (p->variables[SCOPE_GLOBAL][i].home == HOME_MAP)
			array = &p->variables[SCOPE_GLOBAL][i];
	CHECK(array);
	array->key.size -= 8;
	CHECK(plan_verify(p));
	array->key.size += 8;
	p->clauses[0].layout.fixed_size -= 8;
	CHECK(plan_verify(p));
	p->clauses[0].layout.fixed_size += 8;
	p->alloca_end = p->alloca_begin - 8;
	CHECK(plan_verify(p));
	p->alloca_end = p->alloca_begin;
	CHECK(!plan_verify(p));
}

/* Is the table of the program's only map made with all its elements? */
static bool is_preallocated(const char *text)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "plan.d", text, &compile_defaults));
	CHECK_INT(c.plan->map_count, 1);
	return c.plan->maps[0].is_preallocated;
}

TEST(tables_that_one_firing_of_a_timer_fills_have_all_elements_from_the_start)
{
	CHECK(!is_preallocated("tick-1 { @[1] = count(); @[2] = count(); @[3] = count(); }"));
	CHECK(is_preallocated("tick-1 { @[1] = count(); @[2] = count(); @[3] = count(); } "
			      "tick-1 { @[4] = count(); @[5] = count(); }"));
	CHECK(is_preallocated("tick-1 { a[1] = 1; a[2] = 1; a[3] = 1; a[4] = 1; a[5] = 1; }"));
	CHECK(is_preallocated("tick-1 { @[1] = quantize(1); @[2] = quantize(2); }"));
	/* memory can be got there */
	CHECK(!is_preallocated("BEGIN { a[1] = 1; a[2] = 1; a[3] = 1; a[4] = 1; a[5] = 1; }"));
}

/* The same, if the program's clause had COUNT probes like its only one. */
static bool many_preallocate(const char *text, unsigned count)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "plan.d", text, &compile_defaults));
	struct tclause *clause = c.plan->typed->clauses[0];
	const struct probe **probes = arena_alloc(c.arena, count * sizeof(*probes));
	for (unsigned i = 0; i < count; i++)
		probes[i] = clause->probes[0];
	clause->probes = probes;
	clause->probe_count = count;
	CHECK(codegen_program(c.arena, c.plan->typed, &compile_defaults, &c.mistakes, &c.program,
			      &c.plan));
	return c.plan->maps[0].is_preallocated;
}

TEST(tables_that_many_functions_of_the_kernel_fill_have_all_elements_from_the_start)
{
	CHECK(!many_preallocate("fun:core:open:entered { @[probefunc] = count(); }", 319));
	CHECK(many_preallocate("fun:core:open:entered { @[probefunc] = count(); }", 320));
	CHECK(!many_preallocate("fun:core:open:entered { @[1] = quantize(1); }", 127));
	CHECK(many_preallocate("fun:core:open:entered { @[1] = quantize(1); }", 128));
	CHECK(many_preallocate("fun:kernel::switch { a[probename] = 1; }", 320));
	/* interrupts come in there */
	CHECK(!many_preallocate("fun:program:first:entry { @[probefunc] = count(); }", 1000));
}

TEST_MAIN
