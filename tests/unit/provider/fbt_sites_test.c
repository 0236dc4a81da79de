/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/kernel/fbt_text.h"

#include "made_text.h"
#include "test.h"

#define COUNTER 0x20000u /* the variable; its element 2 is at 0x20010 */

/* One instruction on each line. */
/* clang-format off */
static const unsigned char made[] = {
	/* 0: f */		CALL_ON(0, 64),
	/* 5 */			0x74, 6, /* je 13 */
	/* 7 */			CALL_ON(7, 64),
	/* 12 */		NOP,
	/* 13 */		JUMP_ON(13, 64),
	/* 18 */		NOP, NOP,
	/* 20: h.isra.0 */	CALL_ON(20, 64),
	/* 25 */		0x74, 0xfe, /* je 25 */
	/* 27 */		RETURN,
	/* 28: counts */	0x65, 0x48, 0xff, 0x04, 0x25, 0x10, 0, 2, 0, /* incq %gs:0x20010 */
	/* 37 */		0x65, 0x48, 0x83, 0x05, 0xe2, 0xef, 1, 0, 5, /* addq $5 */
	/* 46 */		0x65, 0x4c, 0x01, 0x04, 0x25, 0x10, 0, 2, 0, /* addq %r8 */
	/* 55 */		RETURN, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
	/* 64: g */		0x65, 0x48, 0xff, 0x0c, 0x25, 0x10, 0, 2, 0, /* decq */
	/* 73 */		0xb8, 0x65, 0x48, 0xff, 0x04, /* mov $..., %eax: like incq from 74 on */
	/* 78 */		0x25, 0x10, 0, 2, 0, /* and $..., %eax */
	/* 83 */		0x65, 0x48, 0x83, 0x04, 0x25, 0x10, 0, 2, 0, 0xff, /* addq $-1 */
	/* 93 */		0x65, 0x48, 0xff, 0x04, 0x25, 0x18, 0, 2, 0, /* the next element */
	/* 102 */		RETURN,
	/* 103: g.cold */	CALL(103, 84), /* into g */
	/* 108 */		RETURN,
};
/* clang-format on */

static struct bytes code;
static struct arena *arena;
static kernel_site_vector found;

static const char *find(const struct site_query *q)
{
	struct kernel_text text;
	code = bytes_of(made, sizeof(made));
	arena = arena_new();
	text_init(&text, &arch_x86_64, read_made, &code);
	text_add(&text, BASE + 0, "f");
	text_add(&text, BASE + 20, "h.isra.0");
	text_add(&text, BASE + 28, "counts");
	text_add(&text, BASE + 64, "g");
	text_add(&text, BASE + 64, "alias");
	text_add(&text, BASE + 103, "g.cold");
	text_add(&text, BASE + sizeof(made), "end");
	text_sort(&text);
	found.count = 0;
	const char *problem = fbt_sites(&text, arena, q, COUNTER, &found);
	text_deinit(&text); /* what was found does not need it */
	return problem;
}

static void end(void)
{
	arena_free(arena);
	vector_free(&found);
}

#define CHECK_SITE(i, in, at)                                                                      \
	do {                                                                                       \
		CHECK_STR(found.items[i].function, in);                                            \
		CHECK_INT(found.items[i].offset, at);                                              \
	} while (0)

TEST(calls_are_counted_in_the_order_of_the_code)
{
	struct site_query q = { .kind = SITE_CALL, .function = "g", .caller = "f" };
	CHECK(!find(&q));
	CHECK_INT(found.count, 3); /* the jump is the last */
	CHECK_SITE(0, "f", 0);
	CHECK_SITE(1, "f", 7);
	CHECK_SITE(2, "f", 13);
	CHECK_INT(found.items[1].address, BASE + 7);
	end();
	q.number = 2;
	CHECK(!find(&q));
	CHECK_INT(found.count, 1);
	CHECK_SITE(0, "f", 7);
	end();
	q.number = 4;
	CHECK_STR(find(&q), "f does not call g 4 times");
	end();
	q = (struct site_query) { .kind = SITE_CALL, .function = "alias", .caller = "h" };
	CHECK(!find(&q));
	CHECK_SITE(0, "h.isra.0", 0);
	end();
	q = (struct site_query) { .kind = SITE_CALL, .function = "f", .caller = "h" };
	CHECK_STR(find(&q), "h does not call f");
	end();
	q.caller = "no_such";
	CHECK_STR(find(&q), "there is no function no_such");
	end();
}

TEST(after_a_call_is_the_next_instruction_unless_it_is_reached_otherwise)
{
	struct site_query q = {
		.kind = SITE_CALL, .function = "g", .caller = "f", .number = 2, .is_after = true
	};
	CHECK(!find(&q));
	CHECK_INT(found.count, 1);
	CHECK_SITE(0, "f", 12);
	end();
	q.number = 3; /* a jump does not come back */
	CHECK_STR(find(&q), "f does not call g 3 times");
	end();
	q = (struct site_query) {
		.kind = SITE_CALL, .function = "g", .caller = "h", .is_after = true
	};
	CHECK_STR(find(&q), "the instruction after the call is reached without it, too");
	end();
}

TEST(increments_are_additions_to_the_element)
{
	struct site_query q = { .kind = SITE_INCREMENT, .function = "counter", .element = 16 };
	CHECK(!find(&q));
	CHECK_INT(found.count, 3);
	CHECK_SITE(0, "counts", 0);
	CHECK_SITE(1, "counts", 9);
	CHECK_SITE(2, "counts", 18);
	CHECK_INT(found.items[0].amount.kind, ARG_CONSTANT);
	CHECK_INT(found.items[0].amount.value, 1);
	CHECK_INT(found.items[1].amount.value, 5);
	CHECK_INT(found.items[2].amount.kind, ARG_CONTEXT);
	CHECK_INT(found.items[2].amount.value, 9 * 8); /* r8 in struct pt_regs */
	end();
	q.element = 24;
	CHECK(!find(&q));
	CHECK_INT(found.count, 1);
	CHECK_SITE(0, "alias", 29); /* the first of the function's names */
	end();
	q.element = 8;
	CHECK_STR(find(&q), "no instruction increments it");
	end();
}

TEST(instructions_at_an_offset)
{
	struct site_query q = { .kind = SITE_OFFSET, .function = "f", .number = 7 };
	CHECK(!find(&q));
	CHECK_INT(found.count, 1);
	CHECK_SITE(0, "f", 7);
	end();
	q.number = 8;
	CHECK_STR(find(&q), "offset 8 of f: no instruction begins there");
	end();
	q.number = 1000;
	CHECK_STR(find(&q), "offset 3e8 of f: it is outside of the function");
	end();
	q.function = "h";
	CHECK_STR(find(&q), "there is no function h");
	end();
}

TEST_MAIN
