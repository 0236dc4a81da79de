/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of the two calling conventions: what each of these C types is passed in. */
#include "arch/call.h"

#include "base/base.h"
#include "test.h"

#define VALUE(bytes, alignment, ...)                                                               \
	((struct call_value) { .size = (bytes),                                                    \
			       .align = (alignment),                                               \
			       .parts = (const struct call_part[]) { __VA_ARGS__ },                \
			       .count = sizeof((const struct call_part[]) { __VA_ARGS__ }) /       \
					sizeof(struct call_part) })
#define INT_AT(offset, size)                                                                       \
	{                                                                                          \
		(offset), (size), CALL_INTEGER                                                     \
	}
#define FLOAT_AT(offset, size)                                                                     \
	{                                                                                          \
		(offset), (size), CALL_FLOAT                                                       \
	}

/* "r0 r1": numbers of argument registers; "float", "+16" on the stack, "*r0" an address there. */
static const char *text_of(const struct arch *a, const struct call_place *p)
{
	static char text[64];
	int at = snprintf(text, sizeof(text), p->is_address ? "*" : "");
	switch (p->kind) {
	case CALL_NOWHERE:
		return "nowhere";
	case CALL_IN_FLOATS:
		return "float";
	case CALL_UNKNOWN:
		return "unknown";
	case CALL_ON_STACK:
		snprintf(text + at, sizeof(text) - (size_t)at, "+%u", p->offset);
		return text;
	case CALL_IN_REGISTERS:
		break;
	}
	for (unsigned i = 0; i < p->count; i++)
		for (unsigned r = 0; r <= a->argument_count; r++) {
			bool is_result = r == a->argument_count;
			uint16_t place = is_result ? a->result : a->argument[r];
			if (place != p->registers[i])
				continue;
			at += snprintf(text + at, sizeof(text) - (size_t)at,
				       is_result ? "%sresult" : "%sr%u", i ? " " : "", r);
			break;
		}
	return text;
}

static const char *argument(const struct arch *a, struct call *c, struct call_value v)
{
	struct call_place p;
	a->call_argument(c, &v, &p);
	return text_of(a, &p);
}

static const char *result(const struct arch *a, struct call_value v, bool *takes)
{
	struct call_place p;
	a->call_result(&v, &p, takes);
	return text_of(a, &p);
}

/* An empty class of C++ has a byte; a struct of GNU C without members has none. */
TEST(empty_structs)
{
	const struct call_value integer = VALUE(4, 4, INT_AT(0, 4));
	const struct call_value empty = { .size = 1, .align = 1, .is_aggregate = true };
	const struct call_value none = { .align = 1, .is_aggregate = true };
	struct call c = { 0 };
	CHECK_STR(argument(&arch_aarch64, &c, empty), "nowhere");
	CHECK_STR(argument(&arch_aarch64, &c, integer), "r1");
	CHECK_STR(argument(&arch_aarch64, &c, none), "nowhere");
	CHECK_STR(argument(&arch_aarch64, &c, integer), "r2");
	c = (struct call) { 0 };
	CHECK_STR(argument(&arch_x86_64, &c, empty), "nowhere");
	CHECK_STR(argument(&arch_x86_64, &c, integer), "r0");
}

TEST(integers_and_floats_have_registers_of_their_own)
{
	const struct arch *const both[] = { &arch_x86_64, &arch_aarch64 };
	for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
		struct call c = { 0 };
		CHECK_STR(argument(both[i], &c, VALUE(4, 4, INT_AT(0, 4))), "r0");
		CHECK_STR(argument(both[i], &c, VALUE(8, 8, FLOAT_AT(0, 8))), "float");
		CHECK_STR(argument(both[i], &c, VALUE(1, 1, INT_AT(0, 1))), "r1");
		CHECK_STR(argument(both[i], &c, VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8))), "r2 r3");
	}
}

TEST(x86_64_classifies_eight_bytes_at_a_time)
{
	struct call c = { 0 };
	const struct arch *a = &arch_x86_64;
	CHECK_STR(argument(a, &c, VALUE(8, 4, INT_AT(0, 4), FLOAT_AT(4, 4))), "r0");
	CHECK_STR(argument(a, &c, VALUE(8, 4, FLOAT_AT(0, 4), FLOAT_AT(4, 4))), "float");
	CHECK_STR(argument(a, &c, VALUE(16, 8, INT_AT(0, 8), FLOAT_AT(8, 8))), "float");
	CHECK_INT(c.integers, 2);
	CHECK_INT(c.floats, 2);
	CHECK_STR(argument(a, &c, VALUE(12, 4, INT_AT(0, 4), INT_AT(4, 4), INT_AT(8, 4))), "r2 r3");
	CHECK_STR(argument(a, &c, VALUE(1, 1)), "nowhere");
	/* packed: a member that is not aligned */
	CHECK_STR(argument(a, &c, VALUE(9, 1, INT_AT(0, 1), INT_AT(1, 8))), "+0");
	CHECK_STR(argument(a, &c, VALUE(24, 8, INT_AT(0, 8))), "+16");
	CHECK_STR(argument(a, &c, VALUE(16, 16, { 0, 16, CALL_LONG_DOUBLE })), "+48");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "r4");
	/* Not half in a register; a later one may still have that. */
	CHECK_STR(argument(a, &c, VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8))), "+64");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "r5");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "+80");
}

TEST(x86_64_results)
{
	bool takes;
	const struct arch *a = &arch_x86_64;
	CHECK_STR(result(a, VALUE(4, 4, INT_AT(0, 4)), &takes), "result");
	CHECK(!takes);
	CHECK_STR(result(a, VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8)), &takes), "result r2");
	CHECK_STR(result(a, VALUE(8, 8, FLOAT_AT(0, 8)), &takes), "float");
	CHECK_STR(result(a, VALUE(16, 16, { 0, 16, CALL_LONG_DOUBLE }), &takes), "float");
	CHECK(!takes);
	CHECK_STR(result(a, VALUE(24, 8, INT_AT(0, 8)), &takes), "*result");
	CHECK(takes);
}

TEST(aarch64_passes_large_objects_by_address_and_pairs_at_even_registers)
{
	struct call c = { 0 };
	const struct arch *a = &arch_aarch64;
	CHECK_STR(argument(a, &c, VALUE(24, 8, INT_AT(0, 8))), "*r0");
	CHECK_STR(argument(a, &c, VALUE(16, 16, INT_AT(0, 16))), "r2 r3");
	CHECK_STR(argument(a, &c,
			   VALUE(32, 8, FLOAT_AT(0, 8), FLOAT_AT(8, 8), FLOAT_AT(16, 8),
				 FLOAT_AT(24, 8))),
		  "float");
	CHECK_INT(c.floats, 4);
	CHECK_STR(argument(a, &c, VALUE(8, 4, FLOAT_AT(0, 4), INT_AT(4, 4))), "r4");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "r5");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "r6");
	CHECK_STR(argument(a, &c, VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8))), "+0");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "+16"); /* no register after that */
}

TEST(aarch64_results)
{
	bool takes;
	const struct arch *a = &arch_aarch64;
	CHECK_STR(result(a, VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8)), &takes), "r0 r1");
	CHECK_STR(result(a, VALUE(24, 8, INT_AT(0, 8)), &takes), "unknown");
	CHECK_STR(result(a, VALUE(16, 8, FLOAT_AT(0, 8), FLOAT_AT(8, 8)), &takes), "float");
	CHECK(!takes);
}

TEST(objects_with_copy_constructors_are_passed_by_address)
{
	struct call c = { 0 };
	struct call_value v = VALUE(8, 8, INT_AT(0, 8));
	v.by_address = true;
	CHECK_STR(argument(&arch_x86_64, &c, v), "*r0");
	CHECK_STR(argument(&arch_aarch64, &c, v), "*r1");
	c.integers = 8;
	CHECK_STR(argument(&arch_x86_64, &c, v), "*+0");
	bool takes;
	CHECK_STR(result(&arch_x86_64, v, &takes), "*result");
	CHECK(takes);
}

TEST(i386_passes_words_on_the_stack)
{
	struct call c = { 0 };
	const struct arch *a = &arch_i386;
	CHECK_STR(argument(a, &c, VALUE(1, 1, INT_AT(0, 1))), "+0");
	CHECK_STR(argument(a, &c, VALUE(8, 8, INT_AT(0, 8))), "+4");
	CHECK_STR(argument(a, &c, VALUE(7, 1, INT_AT(0, 1))), "+12");
	CHECK_STR(argument(a, &c, VALUE(16, 16, FLOAT_AT(0, 16))), "float"); /* a vector */
	CHECK_STR(argument(a, &c, VALUE(12, 4, { 0, 12, CALL_LONG_DOUBLE })), "+20");
	CHECK_STR(argument(a, &c, VALUE(32, 16, FLOAT_AT(0, 16), INT_AT(16, 4))), "+32");
	struct call_value copied = VALUE(40, 4, INT_AT(0, 4));
	copied.by_address = true;
	CHECK_STR(argument(a, &c, copied), "*+64");
	CHECK_STR(argument(a, &c, VALUE(4, 4, INT_AT(0, 4))), "+68");
	struct call_place p;
	a->call_argument(&c, &call_pointer, &p); /* of a result */
	CHECK_INT(c.stack, 76);
}

TEST(i386_results)
{
	bool takes;
	const struct arch *a = &arch_i386;
	CHECK_STR(result(a, VALUE(4, 4, INT_AT(0, 4)), &takes), "result");
	struct call_value wide = VALUE(8, 8, INT_AT(0, 8));
	struct call_place p;
	a->call_result(&wide, &p, &takes);
	CHECK_INT(p.count, 2);
	CHECK_INT(p.registers[1], arch_x86_64.argument[2]);
	CHECK_STR(result(a, VALUE(8, 8, FLOAT_AT(0, 8)), &takes), "float");
	CHECK(!takes);
	struct call_value small = VALUE(4, 4, INT_AT(0, 4));
	small.is_aggregate = true;
	CHECK_STR(result(a, small, &takes), "*result");
	CHECK(takes);
}

TEST(go_passes_each_scalar_in_a_register_or_all_on_the_stack)
{
	const struct arch *a = &arch_x86_64;
	struct call c = { 0 };
	struct call_place p;
	struct call_value string = VALUE(16, 8, INT_AT(0, 8), INT_AT(8, 8));
	struct call_value slice = VALUE(24, 8, INT_AT(0, 8), INT_AT(8, 8), INT_AT(16, 8));
	struct call_value halves = VALUE(8, 4, INT_AT(0, 4), INT_AT(4, 4));
	struct call_value number = VALUE(1, 1, INT_AT(0, 1)), real = VALUE(8, 8, FLOAT_AT(0, 8));
	call_go(a, &c, &slice, &p);
	CHECK(p.kind == CALL_IN_REGISTERS && p.count == 3);
	CHECK_INT(p.registers[0], a->result);
	CHECK_INT(p.registers[2], a->argument[3]); /* rcx */
	call_go(a, &c, &real, &p);
	CHECK(p.kind == CALL_IN_FLOATS);
	call_go(a, &c, &halves, &p); /* known, but not to us: two registers of four bytes */
	CHECK(p.kind == CALL_UNKNOWN);
	CHECK_INT(c.integers, 5);
	number.has_array = true;
	call_go(a, &c, &number, &p);
	CHECK(p.kind == CALL_UNKNOWN && c.integers == 5);
	call_go(a, &c, &string, &p);
	CHECK(p.kind == CALL_IN_REGISTERS);
	CHECK_INT(p.registers[0], a->argument[4]); /* r8 */
	call_go(a, &c, &slice, &p);		   /* only two registers are left */
	CHECK(p.kind == CALL_UNKNOWN && c.integers == 7);
	number.has_array = false;
	call_go(a, &c, &number, &p);
	CHECK(p.kind == CALL_IN_REGISTERS && p.count == 1);
}

TEST_MAIN
