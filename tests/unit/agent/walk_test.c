/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks by tables, in a process whose code is numbers and whose stack is ours */
#include <sys/user.h>

#include "placed.h"

#define CODE 0x10000ull /* of the file, from its byte 0x2000 on */
#define INDEX_AT 256
#define ROWS_AT 512

/*
 * Rows from CODE on:
 *   +0x00  CFA = stack + 8   +0x10  the end   +0x20  CFA = stack + 16, frame pointer at CFA - 16
 */
static void table_write(char *pool)
{
	static const uint32_t index[] = { 0, 3 };
	const uint32_t rows[] = {
		unwind_rule_word(UNWIND_STACK, 1, 0),
		unwind_rule_word(UNWIND_END, 0, 0) | 0x10,
		unwind_rule_word(UNWIND_STACK, 2, 2) | 0x20,
	};
	memcpy(pool + INDEX_AT, index, sizeof(index));
	memcpy(pool + ROWS_AT, rows, sizeof(rows));
	((struct unwind_pool *)(void *)pool)->disabled = 0;
}

static const struct walk_mapping code = {
	.begin = CODE,
	.end = CODE + 0x1000,
	.offset = 0x2000,
	.executable = 1,
	.file = { .index = INDEX_AT,
		  .rows = ROWS_AT,
		  .first_page = 0x20,
		  .page_count = 1,
		  .state = UNWIND_TABLE },
};

struct walking {
	struct memory memory;
	struct placed placed;
	char *pool;
	struct process_mappings *list;
};

static void walking_begin(struct walking *w)
{
	memory_make(&w->memory, 4);
	image_place(&w->placed, &w->memory);
	uint64_t at = w->memory.layout.head.mappings;
	w->pool = w->memory.view.memory + w->memory.layout.head.pool;
	w->list = (struct process_mappings *)(void *)(w->memory.view.memory + at);
	w->placed.own->mappings = at;
	struct walk_mapping *list = w->list->lists[0];
	w->list->counts[0] = 3;
	list[0] = (struct walk_mapping) { .begin = 0x1000, .end = 0x2000 };
	list[1] = code;
	list[2] = (struct walk_mapping) { .begin = CODE + 0x3000, .end = CODE + 0x4000 };
}

static void walking_end(struct walking *w)
{
	image_remove(&w->placed);
	memory_end(&w->memory);
}

/* The walk's frames with how each was found, as one text. */
static const char *walk_text(struct walking *w, uint64_t bytes)
{
	static char text[256];
	uint64_t stack[8] = { 0x5555, CODE + 0x05, CODE + 0x15 };
	struct user_regs_struct registers = {
		.rip = CODE + 0x25, .rsp = (uintptr_t)stack, .rbp = 0, .cs = 0x33
	};
	long (*ustack)(void *, uint64_t, uint64_t) =
		(void *)(w->placed.code + agent_row(RT_ustack));
	long at = w->placed.slot_claim();
	const uint64_t *frames =
		(void *)(w->placed.memory + w->memory.layout.head.scratch + at + 64);
	long got = ustack(&registers, (uint64_t)at + 64, bytes);
	size_t len = 0;
	text[0] = 0;
	for (long i = 0; i < got / 8; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d:%lx", i ? " " : "",
					(int)frame_how(frames[i]), frame_address(frames[i]));
	w->placed.slot_release((uint64_t)at);
	return text;
}

TEST(a_stack_by_its_table)
{
	struct walking w;
	walking_begin(&w);
	CHECK_STR(walk_text(&w, 80), "0:10025"); /* by frame pointers: there is none */
	table_write(w.pool);
	char wanted[64];
	snprintf(wanted, sizeof(wanted), "1:10025 2:10005 2:10015 7:%x", STACK_END_WHOLE);
	CHECK_STR(walk_text(&w, 80), wanted);
	CHECK_STR(walk_text(&w, 16), "1:10025 2:10005");
	walking_end(&w);
}

static void list_change(struct walking *w, uint64_t current)
{
	w->list->current = current;
	((struct unwind_pool *)(void *)w->pool)->generation++;
}

TEST(a_list_that_changes)
{
	struct walking w;
	char wanted[64];
	walking_begin(&w);
	table_write(w.pool);
	walk_text(&w, 80);
	memcpy(w.list->lists[1], w.list->lists[0], 3 * sizeof(code));
	w.list->lists[1][1].file = (struct unwind_file) { .state = UNWIND_NO_TABLE };
	w.list->counts[1] = 3;
	list_change(&w, 1);
	snprintf(wanted, sizeof(wanted), "1:10025 7:%x", STACK_END_NO_ROW);
	CHECK_STR(walk_text(&w, 80), wanted);
	w.list->counts[0] = 1;
	list_change(&w, 0);
	snprintf(wanted, sizeof(wanted), "1:10025 7:%x", STACK_END_NO_CODE);
	CHECK_STR(walk_text(&w, 80), wanted);
	w.placed.own->mappings = 0;
	list_change(&w, 1);
	CHECK_STR(walk_text(&w, 80), wanted);
	walking_end(&w);
}

TEST_MAIN
