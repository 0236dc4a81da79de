/* SPDX-License-Identifier: BSD-2-Clause */
/* The rest of copied stacks, by a table of our own: code is numbers */
#include "rewalk/rewalk.h"

#include <string.h>

#include "test.h"

#define POOL 65536
#define CODE 0x10000ull	 /* of the file, from its byte 0x2000 on */
#define OTHER 0x40000ull /* code that is in no file */
#define STACK 0x7000000ull
#define TRAP 0x70000ull

static char pool[POOL + UNWIND_POOL_SLACK] __attribute__((aligned(8)));
static struct unwind_file file;
static const struct arch *arch = &arch_x86_64;
static unsigned removals; /* of tables, by the next look-ups */
static unsigned look_ups;

static struct {
	struct stack_copy copy;
	uint64_t words[2 * COPY_PAGE / 8];
} copied;
static uint64_t frames[100];
static uint32_t count;

static bool find_mapping(void *arg, uint64_t address, struct walk_mapping *ret)
{
	struct unwind_pool *head = (struct unwind_pool *)(void *)pool;
	CHECK(arg == pool);
	look_ups++;
	if (removals) {
		removals--;
		head->evictions++;
	}
	bool is_code = address >= CODE && address < CODE + 0x1000;
	if (!is_code && (address < OTHER || address >= OTHER + 0x1000))
		return false;
	*ret = (struct walk_mapping) { .begin = is_code ? CODE : OTHER,
				       .end = (is_code ? CODE : OTHER) + 0x1000,
				       .offset = 0x2000,
				       .executable = 1,
				       .file = { .state = UNWIND_NO_FILE } };
	if (is_code)
		ret->file = file;
	return true;
}

/*
 * Rows from CODE on:
 *   +0x00  CFA = stack + 8   +0x10  the end   +0x20  CFA = stack + 16, frame pointer at CFA - 16
 *   +0x30  CFA is the word at stack + 8; return address at CFA - 8
 */
static void begin(uint64_t pc)
{
	static const uint32_t rows[] = {
		1 << UNWIND_KIND_AT | 1 << UNWIND_CFA_AT,
		UNWIND_END << UNWIND_KIND_AT | 0x10,
		1 << UNWIND_KIND_AT | 2 << UNWIND_CFA_AT | 2u << UNWIND_FRAME_AT | 0x20,
		UNWIND_RULE << UNWIND_KIND_AT | 0x30,
	};
	static const uint32_t index[] = { 0, 4 };
	static const struct unwind_rule rule = {
		.cfa = { UNWIND_BASE_REGISTER + 3, 0, 0, 8 },
		.return_address = { UNWIND_BASE_CFA, 1, 0, -8 },
	};
	memset(pool, 0, sizeof(pool));
	memset(&copied, 0, sizeof(copied));
	memcpy(pool + 256, index, sizeof(index));
	memcpy(pool + 512, rows, sizeof(rows));
	memcpy(pool + 1024, &rule, sizeof(rule));
	file = (struct unwind_file) { .index = 256,
				      .rows = 512,
				      .rules = 1024,
				      .first_page = 0x20,
				      .page_count = 1,
				      .state = UNWIND_TABLE };
	copied.copy = (struct stack_copy) {
		.number = 1,
		.begin = STACK,
		.page_count = 2,
		.pc = pc,
		.stack = STACK + 64,
		.how = FRAME_FIRST,
		.word = 8,
		.count = 1,
		.most = 20,
	};
	removals = look_ups = 0;
	arch = &arch_x86_64;
}

static enum stack_end walked(void)
{
	const struct rewalk_setup setup = {
		.arch = arch,
		.pool = (struct unwind_pool *)(void *)pool,
		.pool_size = POOL,
		.mapping = find_mapping,
		.arg = pool,
	};
	CHECK(stack_copy_is_valid(&copied.copy, sizeof(copied)));
	memset(frames, 0xa5, sizeof(frames));
	enum stack_end end = rewalk(&setup, &copied.copy, frames, &count);
	CHECK(count <= copied.copy.most - copied.copy.count);
	CHECK_INT(frames[count], 0xa5a5a5a5a5a5a5a5);
	return end;
}

#define CHECK_FRAME(i, how, pc)                                                                    \
	do {                                                                                       \
		CHECK_INT(frame_address(frames[i]), pc);                                           \
		CHECK_INT(frame_how(frames[i]), how);                                              \
	} while (0)

TEST(the_frames_after_the_last_one_are_found)
{
	begin(CODE + 5);
	copied.words[8] = CODE + 0x21;
	copied.words[9] = 77;
	copied.words[10] = CODE + 0x11;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 2);
	CHECK_FRAME(0, FRAME_TABLE, CODE + 0x21);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x11);
	copied.copy.how = FRAME_TABLE; /* a return address: the row of the byte before */
	copied.copy.count = 7;
	copied.copy.pc = CODE + 0x20;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 0);
}

TEST(no_more_frames_than_asked_for)
{
	begin(CODE + 5);
	for (unsigned i = 8; i < 1024; i++)
		copied.words[i] = CODE + 5;
	CHECK_INT(walked(), STACK_END_FULL);
	CHECK_INT(count, 19);
	copied.copy.count = 19;
	CHECK_INT(walked(), STACK_END_FULL);
	CHECK_INT(count, 1);
}

TEST(the_copy_has_an_end)
{
	begin(CODE + 5);
	copied.copy.stack = STACK + 2 * COPY_PAGE - 16;
	copied.words[1022] = copied.words[1023] = CODE + 5;
	CHECK_INT(walked(), STACK_END_UNREADABLE);
	CHECK_INT(count, 2);
	copied.copy.page_count = 0;
	CHECK_INT(walked(), STACK_END_UNREADABLE);
	CHECK_INT(count, 0);
	copied.copy.stack = UINT64_MAX - 7;
	CHECK_INT(walked(), STACK_END_UNREADABLE);
}

TEST(a_page_that_was_not_there)
{
	begin(CODE + 5);
	copied.copy.stack = STACK + COPY_PAGE - 16;
	copied.words[510] = CODE + 5;
	copied.words[511] = CODE + 0x21;
	copied.words[512] = 77;
	copied.words[513] = CODE + 0x11;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 3);
	copied.copy.absent = 2;
	CHECK_INT(walked(), STACK_END_UNREADABLE);
	CHECK_INT(count, 2);
	copied.copy.absent = 1;
	CHECK_INT(walked(), STACK_END_UNREADABLE);
	CHECK_INT(count, 0);
}

TEST(registers_are_known_in_the_first_frame)
{
	begin(CODE + 0x35);
	copied.copy.registers[3] = STACK + 160;
	copied.words[20] = CODE + 0x11;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_FRAME(0, FRAME_TABLE, CODE + 0x11);
	copied.copy.count = 2;
	copied.copy.how = FRAME_TABLE;
	CHECK_INT(walked(), STACK_END_RULE);
}

TEST(frame_pointers_are_followed_without_a_row)
{
	begin(OTHER + 5);
	copied.copy.frame = STACK + 80;
	copied.words[11] = CODE + 0x11;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_FRAME(0, FRAME_POINTER, CODE + 0x11);
	begin(CODE + 5); /* its table could not be made */
	file = (struct unwind_file) { .state = UNWIND_ASKED };
	CHECK_INT(walked(), STACK_END_NO_TABLE);
	copied.words[8] = 0x999;
	CHECK_INT(walked(), STACK_END_NO_TABLE);
}

TEST(pending_return_probes_are_seen_through)
{
	begin(CODE + 5);
	copied.copy.trampoline = TRAP;
	copied.words[8] = TRAP;
	CHECK_INT(walked(), STACK_END_RETURN);
	copied.copy.returns[0] = (struct copied_return) { 5, 6 };
	copied.copy.returns[1] = (struct copied_return) { STACK + 64, CODE + 0x11 };
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_FRAME(0, FRAME_RETURNED, CODE + 0x11);
	for (unsigned i = 0; i < COPY_RETURNS; i++) /* the list may be full */
		copied.copy.returns[i] = (struct copied_return) { i + 1, 6 };
	CHECK_INT(walked(), STACK_END_RETURN);
}

/* A table that is made for the walk may take the place of one that it has used. */
TEST(a_walk_begins_again_when_tables_are_removed)
{
	begin(CODE + 5);
	copied.words[8] = CODE + 0x11;
	removals = 1;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 1);
	CHECK_INT(look_ups, 2);
	removals = 1000;
	CHECK_INT(walked(), STACK_END_NO_TABLE);
}

/* --- aarch64 ---------------------------------------------------------------------------------- */

/*
 * Rows from CODE on:
 *   +0x00  CFA = stack, nothing saved   +0x10  the end   +0x20  CFA = stack + 32, x29 and x30 at
 * its lower end   +0x30  a signal's frame: sp, pc, x29, x30 at stack + 8 ... 32 +0x40  CFA = x29 +
 * 16, both there
 */
static void begin_aarch64(uint64_t pc)
{
	static const uint32_t rows[] = {
		UNWIND_STACK << UNWIND_KIND_AT,
		UNWIND_END << UNWIND_KIND_AT | 0x10,
		UNWIND_STACK << UNWIND_KIND_AT | 4 << UNWIND_CFA_AT | 4u << UNWIND_FRAME_AT | 0x20,
		UNWIND_RULE << UNWIND_KIND_AT | 0x30,
		UNWIND_FRAME << UNWIND_KIND_AT | 2 << UNWIND_CFA_AT | 2u << UNWIND_FRAME_AT | 0x40,
	};
	static const uint32_t index[] = { 0, 5 };
	static const struct unwind_rule rule = {
		.cfa = { UNWIND_BASE_STACK, 1, 0, 8 },
		.return_address = { UNWIND_BASE_STACK, 1, 0, 16 },
		.frame_pointer = { UNWIND_BASE_STACK, 1, 0, 24 },
		.is_signal = 1,
		.saved_at = 32,
	};
	begin(pc);
	arch = &arch_aarch64;
	memcpy(pool + 256, index, sizeof(index));
	memcpy(pool + 512, rows, sizeof(rows));
	memcpy(pool + 1024, &rule, sizeof(rule));
	copied.copy.has_saved = 1;
}

#define SIGNED(address) ((address) | 0x5aull << 48)

/* SIGNED: as a function that has signed it stores it. */
TEST(a_link_register_is_known_until_a_call_writes_it)
{
	begin_aarch64(CODE + 5);
	copied.copy.saved = SIGNED(CODE + 0x24);
	copied.words[8] = STACK + 300; /* x29 */
	copied.words[9] = SIGNED(CODE + 0x14);
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 2);
	CHECK_FRAME(0, FRAME_TABLE, CODE + 0x24);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x14);
	copied.words[9] = CODE + 8; /* it has called, and nothing is saved */
	CHECK_INT(walked(), STACK_END_RULE);
	CHECK_INT(count, 2);
	copied.copy.has_saved = 0;
	CHECK_INT(walked(), STACK_END_RULE);
	CHECK_INT(count, 0);
}

TEST(a_signal_has_saved_the_link_register)
{
	begin_aarch64(CODE + 5);
	copied.copy.saved = CODE + 0x34;
	copied.words[9] = STACK + 400;	/* sp, */
	copied.words[10] = CODE + 4;	/* pc: in a function that has saved nothing */
	copied.words[11] = STACK + 504; /* x29 */
	copied.words[12] = SIGNED(CODE + 0x44);
	copied.words[504 / 8 + 1] = CODE + 0x14;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 4);
	CHECK_FRAME(0, FRAME_TABLE, CODE + 0x34);
	CHECK_FRAME(1, FRAME_SIGNAL, CODE + 4);
	CHECK_FRAME(2, FRAME_TABLE, CODE + 0x44);
	CHECK_FRAME(3, FRAME_TABLE, CODE + 0x14);
}

/* After that the stack pointer is not known: the next frame's own x29 says where its CFA is. */
TEST(a_frame_pointer_may_be_anywhere_in_its_frame)
{
	begin_aarch64(OTHER + 5);
	copied.copy.frame = STACK + 80;
	copied.words[10] = STACK + 160;
	copied.words[11] = CODE + 0x24;
	copied.words[20] = STACK + 800;
	copied.words[21] = CODE + 0x24;
	copied.words[24] = 0; /* the stack pointer is known again: STACK + 160 + 32 */
	copied.words[25] = CODE + 0x14;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_INT(count, 3);
	CHECK_FRAME(0, FRAME_POINTER, CODE + 0x24);
	CHECK_FRAME(1, FRAME_TABLE, CODE + 0x24);
	CHECK_FRAME(2, FRAME_TABLE, CODE + 0x14);
	copied.words[11] = CODE + 8; /* nothing is saved: nothing is known */
	CHECK_INT(walked(), STACK_END_RULE);
	copied.words[11] = CODE + 0x34; /* nor where a signal's frame is */
	CHECK_INT(walked(), STACK_END_RULE);
}

/* A return probe notes the stack pointer at entry, which is the CFA. */
TEST(a_signed_trampoline_is_seen_through)
{
	begin_aarch64(CODE + 0x24);
	copied.copy.trampoline = TRAP;
	copied.words[9] = SIGNED(TRAP);
	copied.copy.returns[0] = (struct copied_return) { STACK + 64 + 24, 6 };
	CHECK_INT(walked(), STACK_END_RETURN);
	copied.copy.returns[0].place = STACK + 64 + 32;
	copied.copy.returns[0].address = CODE + 0x14;
	CHECK_INT(walked(), STACK_END_WHOLE);
	CHECK_FRAME(0, FRAME_RETURNED, CODE + 0x14);
}

TEST(damaged_copies_are_refused)
{
	begin(CODE);
	struct stack_copy *c = &copied.copy;
	CHECK(stack_copy_is_valid(c, sizeof(copied)));
	CHECK(!stack_copy_is_valid(c, sizeof(copied) - 1));
	CHECK(!stack_copy_is_valid(c, 8));
	c->count = 20;
	CHECK(!stack_copy_is_valid(c, sizeof(copied)));
	c->count = 0;
	CHECK(!stack_copy_is_valid(c, sizeof(copied)));
	c->count = 1;
	c->page_count = COPY_PAGES_MOST + 1;
	CHECK(!stack_copy_is_valid(c, UINT32_MAX));
	c->page_count = 2;
	c->begin++;
	CHECK(!stack_copy_is_valid(c, sizeof(copied)));
}

TEST_MAIN
