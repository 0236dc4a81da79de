/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups in parts do what one program does */
#include "codegen/run.h"

/* SCRIPT, each clause of it a program. */
static void run_in_parts(struct run *r, const char *script)
{
	struct plan_options options = compile_defaults;
	options.part_size = compile_part_sizes(1);
	run_init_with(r, script, &options);
}

static uint32_t parts_of(const struct run *r, enum event_kind kind)
{
	return compiled_group(&r->compiled, kind)->parts;
}

TEST(parts_run_in_the_order_of_the_text)
{
	auto_run struct run r;
	run_in_parts(&r, "long x; profile-97 { x = x * 10 + 1; } profile-97 { x = x * 10 + 2; } "
			 "profile-97 { x = x * 10 + 3; }");
	CHECK_INT(parts_of(&r, EVENT_TIMER), 3);
	fire(&r, EVENT_TIMER, 0);
	CHECK_INT(global(&r, "x"), 123);
}

TEST(without_a_limit_there_is_one_part)
{
	RUN(r, "BEGIN { a = 1; } BEGIN { b = 2; }");
	CHECK_INT(parts_of(&r, EVENT_BEGIN), 1);
}

TEST(this_variables_go_from_part_to_part)
{
	auto_run struct run r;
	run_in_parts(&r, "this int n; this int list[5]; BEGIN { this->n = 4; } "
			 "BEGIN { this->n++; this->list[3] = this->n; } "
			 "BEGIN { a = this->n; b = this->list[3]; this->n = -1; } "
			 "BEGIN { c = this->n + this->list[3]; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "a=5 b=5 c=4");
}

/* They do not come out of an earlier firing. */
TEST(this_begins_with_zeros_in_each_firing)
{
	auto_run struct run r;
	run_in_parts(&r, "BEGIN { this->n++; } BEGIN { this->n++; } BEGIN { a = this->n; }");
	fire(&r, EVENT_BEGIN, 0);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "a"), 2);
}

TEST(no_clause_begins_after_exit_in_an_earlier_part)
{
	auto_run struct run r;
	run_in_parts(&r, "profile-97 { a++; } profile-97 /a == 2/ { exit(0); } profile-97 { b++; } "
			 "profile-97 { c++; }");
	for (unsigned i = 0; i < 3; i++)
		fire(&r, EVENT_TIMER, 0);
	CHECK_GLOBALS(&r, "a=2 b=1 c=1");
}

/* Tracing ends elsewhere while a firing is between two parts: the firing continues to its end. */
TEST(the_activity_is_asked_for_once)
{
	auto_run struct run r;
	run_in_parts(&r, "profile-97 { a++; } profile-97 { b++; }");
	const struct group_code *last = compiled_group(&r.compiled, EVENT_TIMER) + 1;
	r.machine.control->activity = ACTIVITY_DRAINING;
	fire(&r, EVENT_TIMER, 0);
	CHECK_INT(global(&r, "a"), 0);
	CHECK(bench_fire(&r.machine, last, 0));
	CHECK_INT(global(&r, "b"), 1);
}

TEST(parts_without_a_clause_for_the_probe_are_left_out)
{
	auto_run struct run r;
	run_in_parts(&r, "syscall::read:entry { a++; } syscall::write:entry { b++; } "
			 "syscall::openat:entry { c++; } syscall::read:entry { d++; }");
	CHECK_INT(parts_of(&r, EVENT_SYSCALL_ENTRY), 4);
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	CHECK_GLOBALS(&r, "a=1 d=1");
	uint64_t steps = r.machine.steps;
	fire(&r, EVENT_SYSCALL_ENTRY, 1);
	CHECK_INT(global(&r, "b"), 1);
	CHECK(!steps || r.machine.steps - steps < steps); /* translated code counts none */
	fire(&r, EVENT_SYSCALL_ENTRY, 257);
	CHECK_INT(global(&r, "c"), 1);
	CHECK_INT(global(&r, "a") + global(&r, "b") + global(&r, "d"), 3);
}

TEST(probes_of_one_event_fire_in_their_order)
{
	auto_run struct run r;
	run_in_parts(&r, "long x; fun:::tick-one { x = x * 10 + 1; this->n = x; } "
			 "profile:::tick-1 { x = x * 10 + 2; this->n = 7; } "
			 "fun:::tick-one { x = x * 10 + 3; a = this->n; } "
			 "profile:::tick-1 { x = x * 10 + 4; b = this->n; } "
			 "tick-1, tick-one { x = x * 10 + 5; }");
	CHECK(parts_of(&r, EVENT_TIMER) >= 5);
	fire(&r, EVENT_TIMER, 0);
	CHECK_GLOBALS(&r, "x=245135 a=2451 b=7");
}

TEST(errors_are_reported_in_each_part)
{
	auto_run struct run r;
	run_in_parts(&r,
		     "int zero; BEGIN { this->x = 2; a = 1 / zero; } BEGIN { b = this->x / zero; } "
		     "BEGIN { c = this->x; } ERROR { errors += arg1; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "errors"), 1 + 2);
	CHECK_INT(global(&r, "c"), 2);
}

/* Memory is absent where a clause of the second part reads it: the return continues there. */
TEST(a_firing_is_suspended_in_a_part_and_resumed_there)
{
	auto_run struct run r;
	long *number = mem_zalloc(sizeof(*number));
	run_in_parts(&r, "this int list[5]; syscall::read:entry { this->n = 3; a++; } "
			 "syscall::read:entry { b = this->n + *(long *)copyin(arg1, 8); } "
			 "syscall::read:entry { this->list[1] = 5; } "
			 "syscall::read:entry { c = this->n + this->list[1]; }");
	CHECK_INT(parts_of(&r, EVENT_SYSCALL_RESUME), 4);
	r.machine.user_registers[arch_x86_64.syscall_argument[1] / 8] = (uintptr_t)number;
	fire(&r, EVENT_SYSCALL_ENTRY, 0);
	CHECK_GLOBALS(&r, "a=1 c=0");
	CHECK_INT(r.machine.control->suspended, 1);
	*number = 40;
	bench_own(&r.machine, number, sizeof(*number), true);
	r.machine.user_registers[arch_x86_64.syscall_number / 8] = 0;
	fire(&r, EVENT_SYSCALL_RESUME, 0);
	CHECK_GLOBALS(&r, "a=1 b=43 c=8");
	CHECK_INT(r.machine.faults.count, 0);
}

TEST(there_are_never_more_parts_than_the_kernel_follows)
{
	auto_run struct run r;
	auto_strbuf struct strbuf script = { 0 };
	for (unsigned i = 0; i < 500; i++)
		strbuf_puts(&script, "BEGIN { this->n++; }\n");
	strbuf_puts(&script, "BEGIN { a = this->n; }");
	run_in_parts(&r, strbuf_text(&script));
	CHECK(parts_of(&r, EVENT_BEGIN) > PARTS_AT_MOST - 4); /* or they load slowly */
	CHECK(parts_of(&r, EVENT_BEGIN) <= PARTS_AT_MOST);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(global(&r, "a"), 500);
}

TEST_MAIN
