/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs of single clauses; plans that are broken on purpose */
#include "compile.h"

static const struct expected {
	const char *clause;
	enum moment slot, time;
	bool suspends, user_memory, kernel_memory;
	enum rt_function calls, not ; /* it calls this one, and not that; RT_COUNT: any */
} expected[] = {
	{ "{ @ = count(); }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_area, .not = RT_room },
	{ "{ trace(1); }", MOMENT_NEVER, MOMENT_BODY, .calls = RT_room, .not = RT_slot_claim },
	{ "{ trace(probefunc); }", MOMENT_NEVER, MOMENT_BODY, .calls = RT_output,
	  .not = RT_output_slot },
	{ "/timestamp > 5/ { @ = count(); }", MOMENT_NEVER, MOMENT_START, .calls = RT_time,
	  .not = RT_room },
	{ "/execname == \"a\"/ { @ = count(); }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_comm,
	  .not = RT_string_compare },
	{ "/strlen(execname) > 3/ { @ = count(); }", MOMENT_START, MOMENT_NEVER, .calls = RT_strlen,
	  .not = RT_comm },
	{ "{ @[copyinstr(arg1)] = count(); }", MOMENT_BODY, MOMENT_NEVER, true, true,
	  .calls = RT_text_user, .not = RT_text_kernel },
	{ "{ @[stringof(arg1)] = count(); }", MOMENT_BODY, MOMENT_NEVER, false, false, true,
	  RT_text_kernel, RT_text_user },
	{ "{ n++; trace(copyinstr(n)); }", MOMENT_BODY, MOMENT_BODY, false, true,
	  .calls = RT_text_user, .not = RT_suspend },
	{ "{ n++; trace(copyinstr(arg1)); }", MOMENT_BODY, MOMENT_BODY, true, true,
	  .calls = RT_text_byte, .not = RT_text_kernel },
	{ "{ n = arg0 / (n + 1); }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_fault,
	  .not = RT_slot_claim },
	{ "{ n = arg0 * 2; }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_COUNT, .not = RT_fault },
	{ "{ self->x = 1; }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_self_make,
	  .not = RT_self_find },
	{ "{ n = self->x; }", MOMENT_NEVER, MOMENT_NEVER, .calls = RT_self_find,
	  .not = RT_self_make },
};

TEST(needs_of_a_clause_are_known_before_its_code)
{
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct expected *x = &expected[i];
		auto_free char *script =
			mem_printf("long n; self long x; syscall::read:entry %s", x->clause);
		auto_compiled struct compiled c;
		struct needs n;
		CHECK(compile(&c, "x.d", script, &compile_defaults));
		plan_needs(c.plan, c.plan->typed->clauses[0], EVENT_SYSCALL_ENTRY, false, &n);
		bool right = n.slot == x->slot && n.time == x->time && n.suspends == x->suspends &&
			     n.user_memory == x->user_memory &&
			     n.kernel_memory == x->kernel_memory &&
			     (x->calls == RT_COUNT || clause_calls(&n, x->calls)) &&
			     !clause_calls(&n, x->not );
		if (right)
			continue;
		auto_strbuf struct strbuf text = { 0 };
		plan_print(c.plan, &text);
		printf("%s\n%s", x->clause, strbuf_text(&text));
		test_failed_now = true;
	}
}

/* At the return no firing is suspended, and values known from the entry are not computed again. */
TEST(needs_differ_by_the_kind_of_event)
{
	auto_compiled struct compiled c;
	struct needs entry, resumed;
	CHECK(compile(&c, "x.d", "syscall::read:entry { trace(copyinstr(arg1)); }",
		      &compile_defaults));
	plan_needs(c.plan, c.plan->typed->clauses[0], EVENT_SYSCALL_ENTRY, false, &entry);
	plan_needs(c.plan, c.plan->typed->clauses[0], EVENT_SYSCALL_RESUME, false, &resumed);
	CHECK(entry.suspends && clause_calls(&entry, RT_suspend));
	CHECK(!resumed.suspends && !clause_calls(&resumed, RT_suspend));
}

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
	const struct plan *plan =
		plan_make(c.arena, c.plan->typed, &compile_defaults, c.plan->limits, &c.mistakes);
	return plan->maps[0].is_preallocated;
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
