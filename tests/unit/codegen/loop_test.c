/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops: bodies as functions of their own, in one piece, wherever they are and however long */
#include "codegen/run.h"

static uint64_t flags_of(const struct run *r, size_t record)
{
	uint64_t word;
	memcpy(&word, header(r, record) + 1, sizeof(word));
	return word;
}

static unsigned count_functions(const struct group_code *group)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < group->relocation_count; i++)
		count += group->relocations[i].kind == RELOCATE_FUNCTION;
	return count;
}

TEST(bodies_run_in_order_in_and_after_each_other)
{
	RUN(r, "long n, m; BEGIN { for (this->i = 0; this->i < 3; this->i++) { m = m * 10 + 1;"
	       "for (this->j = 0; this->j < 2; this->j++) m = m * 10 + 2; m = m * 10 + 3; }"
	       "while (n < 5) { n++; if (n == 3) break; } }");
	CHECK_INT(count_functions(compiled_group(&r.compiled, EVENT_BEGIN)), 3);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=3 m=122312231223");
}

TEST(a_loop_of_no_passes_is_no_code)
{
	RUN(r, "long n; BEGIN { for (this->i = 0; this->i < 0; this->i++) trace(1); trace(2); n = "
	       "1; }");
	CHECK_INT(count_functions(compiled_group(&r.compiled, EVENT_BEGIN)), 0);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=1");
	CHECK_INT(r.machine.records.count, 1);
	CHECK_INT(flags_of(&r, 0), 2);
}

TEST(a_fault_in_a_body_is_that_of_its_clause)
{
	RUN(r, "long n, x; BEGIN { for (this->i = 0; this->i < 3; this->i++) for (this->j = 2; "
	       "this->j >= 0; this->j--) { n++; x = 6 / this->j; } n = 100; } ERROR { n += 10; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=13 x=6");
	CHECK_INT(r.machine.faults.count, 1);
}

TEST(one_pass_more_than_maxloop_is_a_fault)
{
	RUN(r, "long n, m; BEGIN { this->most = 1024; while (n < this->most) n++; }"
	       "BEGIN { this->most++; while (m < this->most) m++; n = 0; }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=1024 m=1024");
	CHECK_INT(r.machine.faults.count, 1);
}

/* Bits 0 to 2: the three actions; 3: no heading. */
TEST(each_pass_leaves_a_record_without_heading)
{
	RUN(r, "BEGIN { trace(7); for (this->i = 0; this->i < 3; this->i++) if (this->i != 1) "
	       "trace(this->i); trace(8); }");
	static const uint64_t wanted[] = { 1, 2 | 8, 2 | 8, 4 | 8 };
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.records.count, 4);
	for (size_t i = 0; i < r.machine.records.count && i < 4; i++)
		CHECK_INT(flags_of(&r, i), wanted[i]);
	CHECK_INT(field(&r, 2, 1, 0), 2);
}

TEST(the_first_record_after_a_loop_without_records_has_a_heading)
{
	RUN(r, "BEGIN { for (this->i = 0; this->i < 3; this->i++) if (this->i > 5) trace(1); "
	       "trace(8); }");
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.records.count, 1);
	CHECK_INT(flags_of(&r, 0), 2);
}

TEST(the_first_record_of_passes_has_the_heading)
{
	RUN(r, "BEGIN { for (this->i = 0; this->i < 3; this->i++) if (this->i) trace(this->i); "
	       "trace(8); }");
	static const uint64_t wanted[] = { 1, 1 | 4, 2 | 4 };
	fire(&r, EVENT_BEGIN, 0);
	CHECK_INT(r.machine.records.count, 3);
	for (size_t i = 0; i < r.machine.records.count && i < 3; i++)
		CHECK_INT(flags_of(&r, i), wanted[i]);
}

/* Of a body beyond the range of jumps, with stubs in its middle. */
TEST(a_body_may_be_longer_than_a_jump)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_run struct run r;
	strbuf_puts(&text, "long n; BEGIN { for (this->i = 0; this->i < 2; this->i++) {");
	for (int i = 0; i < 3000; i++)
		strbuf_printf(&text, "@[%d, this->i] = count(); if (this->i) n += %d;\n", i, i % 7);
	strbuf_puts(&text, "} n += 100000; }");
	run_init(&r, strbuf_text(&text));
	CHECK(compiled_group(&r.compiled, EVENT_BEGIN)->count > 40000);
	fire(&r, EVENT_BEGIN, 0);
	CHECK_GLOBALS(&r, "n=108994");
}

TEST_MAIN
