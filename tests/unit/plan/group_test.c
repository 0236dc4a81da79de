/* SPDX-License-Identifier: BSD-2-Clause */
/* Which events share a program */
#include "compile.h"
#include "plan/group.h"

/* The groups of SCRIPT as text: "kind: event event; kind: ..." */
static void groups_with(const char *script, const struct plan_options *options, const char *wanted)
{
	auto_compiled struct compiled c;
	auto_strbuf struct strbuf text = { 0 };
	CHECK(compile(&c, "group.d", script, options));
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

static void groups_are(const char *script, bool cookies, const char *wanted)
{
	struct plan_options options = compile_defaults;
	options.tracepoint_cookies = cookies ? compile_has_cookies : NULL;
	groups_with(script, &options, wanted);
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

/* One that fires in an interrupt of another's program is not missed. */
TEST(a_few_tracepoints_have_a_program_each)
{
	struct plan_options options = compile_defaults;
	const char *script = "fun:kernel:: { @ = count(); }";
	options.tracepoints_alone = 3;
	groups_with(script, &options, "tracepoint: switch; tracepoint: wakeup; tracepoint: waking");
	options.tracepoints_alone = 2;
	groups_with(script, &options, "tracepoint: switch wakeup waking");
}

TEST(an_event_of_two_probes_is_one_event)
{
	groups_are("fun:::tick-one { @ = count(); } tick-1 { @ = count(); }", true,
		   "timer: tick-1+tick-one");
}

TEST(a_record_that_nobody_reads_is_the_event_of_its_tracepoint)
{
	groups_are("fun:tracefs::record { @a = count(); } fun:raw::record { @b = sum(arg1); }",
		   true, "tracepoint: record+record");
	groups_are("fun:raw::record { @b = count(); } fun:tracefs::record { @a = count(); }", true,
		   "tracepoint: record+record");
	groups_are("fun:tracefs::record { @a[args.path] = count(); } fun:raw::record { @b = "
		   "count(); }",
		   true, "tracepoint: record; record: record");
}

static const struct event *trampoline_of_open(void *arg, const struct event *e)
{
	static const struct event_args places = {
		.arg = { { ARG_CONSTANT, .value = -1 },
			 { ARG_FUNCTION_RESULT, .size = 4, .is_signed = true, .value = 3 } },
	};
	static struct event fexit, fentry;
	if (e->kind == EVENT_KERNEL_ENTRY && !string_equal(e->function.name, "open"))
		return NULL;
	struct event *ret = e->kind == EVENT_KERNEL_ENTRY ? &fentry : &fexit;
	*ret = *e;
	ret->kind = ret == &fentry ? EVENT_KERNEL_FENTRY : EVENT_KERNEL_FEXIT;
	if (ret == &fexit)
		ret->args = &places;
	return ret;
}

TEST(functions_have_trampolines_where_the_kernel_takes_them)
{
	struct plan_options options = compile_defaults;
	const char *script =
		"fun:core::returned { @s = sum(arg1); } fun:core::entered { @n = count(); }";
	groups_with(script, &options, "kernel-entry: entered entered; kernel-return: returned");
	options.trampoline = trampoline_of_open;
	groups_with(script, &options,
		    "kernel-entry: entered; kernel-fentry: entered; kernel-fexit: returned");
}

static const struct event *exits_of_all(void *arg, const struct event *e)
{
	static const uint32_t offset;
	static const struct event_args places = { .arg = { { ARG_SITE_OFFSET } } };
	static struct event exits;
	exits = *e;
	exits.kind = EVENT_KERNEL_INSIDE;
	exits.function.offsets = &offset;
	exits.args = &places;
	return &exits;
}

static unsigned dropped;

static void exits_dropped(void *arg, unsigned returns)
{
	dropped = returns;
}

static struct plan_options options_with_exits(unsigned most)
{
	struct plan_options options = compile_defaults;
	options.trampoline = trampoline_of_open;
	options.exits = exits_of_all;
	options.exits_most = most;
	options.exits_dropped = exits_dropped;
	return options;
}

TEST(a_return_whose_offset_is_read_is_not_of_fexit)
{
	struct plan_options options = options_with_exits(1);
	groups_with("fun:core:open:returned { @[arg0] = count(); }", &options,
		    "kernel-inside: returned");
	CHECK_INT(dropped, 0);
}

TEST(returns_have_no_offset_where_the_instructions_would_be_too_many)
{
	struct plan_options options = options_with_exits(0);
	groups_with("fun:core:open:returned { @[arg0] = count(); }", &options,
		    "kernel-fexit: returned");
	CHECK_INT(dropped, 1);
}

/* A pointer would be one to the verifier, too: it is negated twice. */
static unsigned loads_of_word(const char *script, int16_t word)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_defaults;
	unsigned loads = 0;
	options.trampoline = trampoline_of_open;
	CHECK(compile(&c, "group.d", script, &options));
	const struct group_code *g = &c.program.groups[0];
	for (uint32_t i = 0; i + 2 < g->count; i++)
		loads += g->code[i].code == (BPF_LDX | BPF_MEM | BPF_DW) &&
			 g->code[i].src_reg == BPF_REG_6 && g->code[i].off == word * 8 &&
			 BPF_OP(g->code[i + 1].code) == BPF_NEG &&
			 BPF_OP(g->code[i + 2].code) == BPF_NEG;
	return loads;
}

TEST(the_context_of_a_trampoline_has_the_arguments_then_the_result)
{
	CHECK_INT(loads_of_word("fun:core:open:returned { @ = sum(arg1); }", 3), 1);
	CHECK_INT(loads_of_word("fun:core:open:entered { @ = sum(arg1); }", 1), 1);
	CHECK_INT(loads_of_word("fun:core:open:entered { @ = sum(arg1); }", 0), 0);
}

static unsigned calls_of(const struct program *p, enum event_kind kind, unsigned function)
{
	unsigned calls = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; p->groups[i].kind == kind && k < p->groups[i].relocation_count;
		     k++)
			calls += p->groups[i].relocations[k].kind == RELOCATE_CALL &&
				 p->groups[i].relocations[k].index == function;
	return calls;
}

/* A function that programs call is left out while one runs that the kernel does not keep apart. */
TEST(functions_that_programs_call)
{
	auto_compiled struct compiled c;
	const char *script = "fun:path:lock:held { @[arg0] = count(); } "
			     "fun:core:open:entered { @[arg0] = count(); } "
			     "tick-1 { @[1] = count(); } "
			     "syscall::read:entry { @[arg0] = count(); }";
	CHECK(compile(&c, "group.d", script, &compile_defaults));
	CHECK_INT(calls_of(&c.program, EVENT_KERNEL_ENTRY, RT_nested), 1);
	CHECK_INT(calls_of(&c.program, EVENT_KERNEL_ENTRY, RT_enter), 0);
	CHECK_INT(calls_of(&c.program, EVENT_TIMER, RT_enter), 0);
	CHECK_INT(calls_of(&c.program, EVENT_SYSCALL_ENTRY, RT_enter), 1);
	CHECK_INT(calls_of(&c.program, EVENT_SYSCALL_ENTRY, RT_leave), 1);
}

TEST(programs_do_not_count_themselves_without_need)
{
	auto_compiled struct compiled c;
	const char *script = "fun:core:open:entered { @[arg0] = count(); } "
			     "syscall::read:entry { @[arg0] = count(); }";
	CHECK(compile(&c, "group.d", script, &compile_defaults));
	CHECK_INT(calls_of(&c.program, EVENT_KERNEL_ENTRY, RT_nested), 0);
	CHECK_INT(calls_of(&c.program, EVENT_SYSCALL_ENTRY, RT_enter), 0);
}

TEST_MAIN
