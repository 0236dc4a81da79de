/* SPDX-License-Identifier: BSD-2-Clause */
/* Which events share a program */
#include "compile.h"
#include "plan/group.h"

/* The groups of SCRIPT as text: "kind: event event; kind: ..." */
static void groups_are(const char *script, bool cookies, const char *wanted)
{
	auto_compiled struct compiled c;
	auto_strbuf struct strbuf text = { 0 };
	struct plan_options options = compile_defaults;
	options.tracepoint_cookies = cookies;
	CHECK(compile(&c, "group.d", script, &options));
	struct event_groups groups = c.plan->groups;
	for (unsigned i = 0; i < groups.count; i++) {
		const struct event_group *g = &groups.items[i];
		strbuf_printf(&text, "%s%s:", i ? "; " : "", event_name(g->kind));
		for (uint32_t k = 0; k < g->event_count; k++)
			for (unsigned p = 0; p < g->events[k].probe_count; p++)
				strbuf_printf(&text, "%s%s", p ? "+" : " ",
					      g->events[k].probes[p]->name);
	}
	CHECK_STR(strbuf_text(&text), wanted);
	CHECK_INT(c.program.group_count, groups.count);
}

TEST(tracepoints_whose_arguments_nobody_asks_for_share_a_program)
{
	groups_are("fun:kernel:: { @[probename] = count(); }", true,
		   "tracepoint: switch wakeup waking");
}

TEST(tracepoints_differ_by_the_arguments_asked_for)
{
	groups_are("fun:kernel:: { @ = sum(arg1); }", true, "tracepoint: switch wakeup waking");
	groups_are("fun:kernel:: { @ = sum(arg0); }", true,
		   "tracepoint: switch; tracepoint: wakeup waking");
	groups_are("fun:kernel:: /arg2/ { @ = count(); }", true,
		   "tracepoint: switch; tracepoint: wakeup waking");
}

/* Code that reads an argument must not be attached where there are fewer. */
TEST(an_event_is_not_in_a_group_that_reads_more)
{
	groups_are("fun:::wakeup { @a = sum(arg1); } fun:::waking { @b = count(); }", true,
		   "tracepoint: wakeup; tracepoint: waking");
}

TEST(without_cookies_each_tracepoint_has_a_program)
{
	groups_are("fun:kernel:: { @ = count(); } fun:::entry { @ = count(); }", false,
		   "tracepoint: switch; tracepoint: wakeup; tracepoint: waking; "
		   "function-entry: entry entry");
}

TEST(an_event_of_two_probes_is_one_event)
{
	groups_are("fun:::tick-one { @ = count(); } tick-1 { @ = count(); }", true,
		   "timer: tick-1+tick-one");
}

TEST_MAIN
