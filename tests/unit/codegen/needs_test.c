/* SPDX-License-Identifier: BSD-2-Clause */
/* What clauses need, and the rounds that find it */
#include "compile.h"

static const struct expected {
	const char *clause;
	enum moment slot, time;
	bool suspends, user_memory;
	enum kernel_memory kernel_memory;
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
	{ "{ @[stringof(arg1)] = count(); }", MOMENT_BODY, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_PERHAPS, RT_text_kernel, RT_text_user },
	{ "{ n = *(int *)&`max_pfn; }", MOMENT_NEVER, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_SURELY, RT_read_kernel, RT_read_user },
	{ "{ n = curthread->pid; }", MOMENT_NEVER, MOMENT_NEVER, false, false, KERNEL_MEMORY_SURELY,
	  RT_task_number, RT_read_user },
	{ "{ n = curthread->parent[1].parent->pid; }", MOMENT_NEVER, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_SURELY, RT_read_kernel, RT_read_user },
	{ "{ @ = max((uint64_t)curthread); }", MOMENT_NEVER, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_NONE, RT_task_number, RT_read_kernel },
	{ "{ this->p = (int *)alloca(8); n = *this->p; }", MOMENT_BODY, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_PERHAPS, RT_read_kernel, RT_read_user },
	{ "{ n = mutex_owned((struct mutex *)arg1); }", MOMENT_BODY, MOMENT_NEVER, false, false,
	  KERNEL_MEMORY_SURELY, RT_mutex_owned, RT_read_user },
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

static struct needs needs_of(const struct compiled *c, enum event_kind event)
{
	return plan_needs(c->plan, c->plan->typed->clauses[0], event, false);
}

TEST(needs_of_a_clause_are_found)
{
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct expected *x = &expected[i];
		auto_free char *script =
			mem_printf("struct mutex { long owner; };"
				   "struct task_struct { int pid; struct task_struct *parent; };"
				   "long n; self long x; syscall::read:entry %s",
				   x->clause);
		auto_compiled struct compiled c;
		if (!compile(&c, "x.d", script, &compile_defaults)) {
			CHECK_STR(x->clause, "a clause that compiles");
			continue;
		}
		struct needs n = needs_of(&c, EVENT_SYSCALL_ENTRY);
		bool right = n.slot == x->slot && n.time == x->time && n.suspends == x->suspends &&
			     needs_user_memory(&n) == x->user_memory &&
			     needs_kernel_memory(&n) == x->kernel_memory &&
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
	CHECK(compile(&c, "x.d", "syscall::read:entry { trace(copyinstr(arg1)); }",
		      &compile_defaults));
	struct needs entry = needs_of(&c, EVENT_SYSCALL_ENTRY);
	struct needs resumed = needs_of(&c, EVENT_SYSCALL_RESUME);
	CHECK(entry.suspends && clause_calls(&entry, RT_suspend));
	CHECK(!resumed.suspends && !clause_calls(&resumed, RT_suspend));
}

/* Of 65 areas two have one element of a small value; without keys each has its own. */
TEST(stddev_of_words_that_areas_share_has_a_form_of_its_own)
{
	static const struct {
		const char *script;
		uint32_t areas;
		bool is_shared;
	} cases[] = {
		{ "syscall::read:entry { @[pid] = stddev(arg0); }", 2, false },
		{ "syscall::read:entry { @[pid] = stddev(arg0); }", 64, false },
		{ "syscall::read:entry { @[pid] = stddev(arg0); }", 65, true },
		{ "syscall::read:entry { @ = stddev(arg0); }", 65, false },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		auto_compiled struct compiled c;
		struct plan_options options = compile_defaults;
		options.area_count = cases[i].areas;
		CHECK(compile(&c, "x.d", cases[i].script, &options));
		struct needs n = needs_of(&c, EVENT_SYSCALL_ENTRY);
		CHECK_INT(clause_calls(&n, RT_aggregate_stddev_shared), cases[i].is_shared);
		CHECK_INT(clause_calls(&n, RT_aggregate_stddev), !cases[i].is_shared);
	}
}

/* The first round ends with all of them. */
TEST(mistakes_are_reported_once)
{
	auto_compiled struct compiled c;
	CHECK(!compile(&c, "x.d",
		       "struct big { int a[10000]; }; BEGIN { *(struct big *)alloca(8) = 0; }"
		       "END { trace(pid); *(struct big *)alloca(8) = 0; }",
		       &compile_defaults));
	CHECK_INT(c.mistakes.list.count, 2);
}

TEST_MAIN
