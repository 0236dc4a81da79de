/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/stack/interpreted.c, with an interpreter in our own memory */
#include <stddef.h>

#include "abi/interpreted.h"
#include "host.h"

/* --- maps ------------------------------------------------------------------------------------- */

static char rt_interpreters[1], rt_codes[1];
static char rt_code_texts[CODE_TEXTS_SIZE + CODE_TEXTS_SLACK] __attribute__((aligned(8)));
static struct interpreted_process host_interpreter;
static bool host_has_interpreter, host_is_full, host_has_parent;
static struct {
	struct code_key key;
	uint64_t place;
} host_codes[64];
static unsigned host_code_count;

static void *port_map_lookup(void *map, const void *key)
{
	if (map == rt_interpreters && host_has_parent && *(const uint32_t *)key == 66)
		return &host_interpreter;
	if (map == rt_interpreters)
		return host_has_interpreter && *(const uint32_t *)key == 77 ? &host_interpreter
									    : NULL;
	for (unsigned i = 0; i < host_code_count; i++)
		if (memcmp(&host_codes[i].key, key, sizeof(struct code_key)) == 0)
			return &host_codes[i].place;
	return NULL;
}

static long port_map_update(void *map, const void *key, const void *value, uint64_t flags)
{
	if (host_is_full)
		return -1;
	if (map == rt_interpreters) {
		host_has_interpreter = *(const uint32_t *)key == 77;
		return 0;
	}
	memcpy(&host_codes[host_code_count].key, key, sizeof(struct code_key));
	memcpy(&host_codes[host_code_count++].place, value, sizeof(uint64_t));
	return 0;
}

static uint64_t port_pid_tgid(void)
{
	return 77ull << 32 | 78;
}

long rt_namespace_pid_tgid(void)
{
	return (long)port_pid_tgid();
}

static uint64_t host_rt_namespace;

long rt_ppid(void)
{
	return 66;
}

long rt_namespace_ppid(void)
{
	return 66;
}

#include "runtime/stack/interpreted.c"
#include "runtime/stack/methods.c"

/* --- an interpreter whose structs are our own ------------------------------------------------- */

struct string {
	uint64_t head[2], length, hash, state;
	char text[64];
};

struct lines {
	uint64_t head[2], size, hash;
	char bytes[64];
};

struct code {
	uint64_t first_line;
	struct string *file, *name;
	struct string *qualified_name;
	struct lines *lines;
	uint16_t instructions[8];
};

struct frame {
	uint64_t unused;
	struct code *code;
	struct frame *previous;
	uint16_t *instruction;
	uint64_t flags;
};

struct thread {
	struct thread *next;
	uint64_t pointer, number;
	struct frame *frame;
};

struct state {
	struct state *next;
	struct thread *threads;
};

#define ASCII (1u << 6 | 1u << 2)
static struct string file_name = { .length = 4, .state = ASCII, .text = "x.py" },
		     outer_name = { .length = 5, .state = ASCII, .text = "outer" },
		     inner_name = { .length = 2, .state = 2u << 2, .text = "12345678a\0b\0" };
static struct lines lines = { .size = 3, .bytes = "abc" };
static struct code outer = { 1, &file_name, NULL, &outer_name, &lines, { 0 } },
		   inner = { 8, &file_name, NULL, &inner_name, &lines, { 0 } };
static struct frame frames[4];
static struct thread threads[3];
static struct state states[2];
static struct {
	uint64_t unused;
	struct state *first;
} runtime_state;
static struct {
	uint64_t unused, thread_pointer, parent;
	uint32_t exec_id, parent_exec_id;
} task, parent;

#define OWNED(n) ((uint64_t)(n) << 8)

static void set_up(void)
{
	slot_reset();
	memset(host_codes, 0, sizeof(host_codes));
	memset(rt_code_texts, 0, sizeof(rt_code_texts));
	host_code_count = 0;
	host_is_full = false;
	host_has_interpreter = true;
	((struct code_texts *)(void *)rt_code_texts)->used = sizeof(struct code_texts);
	frames[0] = (struct frame) { 0, &inner, &frames[1], inner.instructions + 3, 0 };
	frames[1] = (struct frame) { 0, &outer, &frames[2], outer.instructions + 1, 1 };
	frames[2] = (struct frame) { 0, &outer, NULL, outer.instructions - 1, 1 };
	threads[0] = (struct thread) { NULL, 1, 2, NULL };
	threads[1] = (struct thread) { &threads[2], 3, 4, NULL };
	threads[2] = (struct thread) { NULL, 0x7000, 78, &frames[0] };
	states[0] = (struct state) { &states[1], &threads[0] };
	states[1] = (struct state) { NULL, &threads[1] };
	runtime_state.first = &states[0];
	task.thread_pointer = 0x7000;
	host_task = (uint64_t)&task;
	host_rt_offset_task_fs_base = 8;
	host_interpreter = (struct interpreted_process) {
		.runtime = (uint64_t)&runtime_state,
		.layout = {
			.interpreters = 8,
			.next_interpreter = offsetof(struct state, next),
			.threads = offsetof(struct state, threads),
			.next_thread = offsetof(struct thread, next),
			.thread_pointer = offsetof(struct thread, pointer),
			.thread_number = offsetof(struct thread, number),
			.current_frame = offsetof(struct thread, frame),
			.code = offsetof(struct frame, code),
			.previous = offsetof(struct frame, previous),
			.position = offsetof(struct frame, instruction),
			.owner_bit = 8,
			.names = offsetof(struct code, file),
			.first_line = offsetof(struct code, first_line),
			.instructions = offsetof(struct code, instructions),
			.ascii = offsetof(struct string, text),
			.compact = offsetof(struct string, text) + 8,
		},
	};
}

static struct area_counters *host_counters(void)
{
	return (struct area_counters *)(void *)rt_counters;
}

#define AT (SLOT_AT + 1024)
#define FROM (AT + 80) /* where a walk would have kept words */

static uint64_t word(unsigned i)
{
	return *(uint64_t *)(void *)(rt_scratch + AT + 8 * i);
}

static const struct code_text *text_of(unsigned i)
{
	return (const void *)(rt_code_texts + interpreted_place(word(i)));
}

/* --- tests ------------------------------------------------------------------------------------ */

TEST(frames_and_the_texts_of_their_code)
{
	set_up();
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	CHECK_INT(frame_how(word(0)), FRAME_INTERPRETED);
	CHECK_INT(interpreted_instruction(word(0)), 3);
	CHECK_INT(interpreted_instruction(word(1)), 1);
	CHECK_INT(interpreted_instruction(word(2)), -1);
	CHECK_INT(interpreted_place(word(1)), interpreted_place(word(2)));
	CHECK_INT(host_code_count, 2);
	const struct code_text *t = text_of(0);
	const char *bytes = (const char *)(t + 1);
	CHECK_INT(t->first_line, 8);
	CHECK_INT(t->file_size, 4);
	CHECK_INT(t->file_width, 1);
	CHECK_INT(t->name_size, 4);
	CHECK_INT(t->name_width, 2);
	CHECK_INT(t->lines_size, 3);
	CHECK_INT(t->is_cut, 0);
	CHECK(memcmp(bytes, "x.py", 4) == 0);
	CHECK(memcmp(bytes + 8, "a\0b\0", 4) == 0);
	CHECK(memcmp(bytes + 16, "abc", 3) == 0);
	CHECK(memcmp((const char *)(text_of(1) + 1) + 8, "outer", 5) == 0);
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	CHECK_INT(host_code_count, 2);
	CHECK_INT(rt_interpreted(AT, 8, FROM), 8);
	CHECK_INT(host_counters()->unnamed_frames, 0);
}

TEST(ends_of_native_frames_by_their_own_frames)
{
	set_up();
	frames[1].flags = OWNED(CPYTHON_OWNED_BY_NATIVE);
	CHECK_INT(rt_interpreted(AT, 80, FROM), 16);
	CHECK(interpreted_is_last(word(0)));
	CHECK(!interpreted_is_last(word(1)));
	/* two after each other: the second native frame has none */
	frames[0].flags = OWNED(CPYTHON_OWNED_BY_NATIVE);
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	CHECK(interpreted_is_last(word(0)) && !interpreted_is_frame(word(0)));
	CHECK(interpreted_is_last(word(1)) && !interpreted_is_frame(word(1)));
	CHECK(interpreted_is_frame(word(2)));
}

TEST(ends_of_native_frames_by_a_flag)
{
	set_up();
	host_interpreter.layout.entry_bit = 16;
	frames[1].flags = 1 << 16 | OWNED(CPYTHON_OWNED_BY_NATIVE);
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	CHECK(!interpreted_is_last(word(0)));
	CHECK(interpreted_is_last(word(1)));
	CHECK(!interpreted_is_last(word(2)));
}

TEST(threads_by_their_number_where_there_is_no_thread_pointer)
{
	set_up();
	task.thread_pointer = 0x8000;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0); /* no thread of Python */
	host_rt_offset_task_fs_base = 0;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
}

TEST(a_forked_process_has_its_parents)
{
	set_up();
	task.parent = (uint64_t)&parent;
	host_rt_offset_task_parent = offsetof(__typeof__(task), parent);
	host_rt_offset_task_exec_id = offsetof(__typeof__(task), exec_id);
	host_rt_offset_task_parent_exec_id = offsetof(__typeof__(task), parent_exec_id);
	task.exec_id = task.parent_exec_id = parent.exec_id = 5;
	host_has_interpreter = false;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0);
	host_has_parent = true;
	task.exec_id = 6; /* it has executed a program */
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0);
	task.exec_id = 5;
	parent.exec_id = 6; /* its parent has */
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0);
	parent.exec_id = 5;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	CHECK(host_has_interpreter);
	host_has_parent = false;
}

TEST(a_thread_without_frames_and_another_process)
{
	set_up();
	threads[2].frame = NULL;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0);
	threads[2].frame = &frames[0];
	host_has_interpreter = false;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 0);
	CHECK_INT(host_counters()->unnamed_frames, 0);
}

/* An address that was freed and used again is other code. */
TEST(code_of_the_same_address_and_other_names)
{
	set_up();
	rt_interpreted(AT, 8, FROM);
	uint64_t before = word(0);
	inner.qualified_name = &outer_name;
	rt_interpreted(AT, 8, FROM);
	inner.qualified_name = &inner_name;
	CHECK(interpreted_place(word(0)) != interpreted_place(before));
	CHECK_INT(text_of(0)->name_size, 5);
}

TEST(what_cannot_be_read_is_counted)
{
	set_up();
	inner.qualified_name = (struct string *)8;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 24);
	inner.qualified_name = &inner_name;
	CHECK(interpreted_is_frame(word(0)) && !interpreted_place(word(0)));
	CHECK_INT(host_counters()->unnamed_frames, 1);
	frames[0].code = (struct code *)16;
	frames[1].previous = (struct frame *)16;
	CHECK_INT(rt_interpreted(AT, 80, FROM), 16);
	CHECK(interpreted_is_frame(word(0)) && !interpreted_place(word(0)));
	CHECK_INT(host_counters()->unnamed_frames, 3);
}

TEST(no_room_is_counted)
{
	set_up();
	struct code_texts *texts = (struct code_texts *)(void *)rt_code_texts;
	texts->used = CODE_TEXTS_SIZE - 8;
	CHECK_INT(rt_interpreted(AT, 8, FROM), 8);
	CHECK_INT(interpreted_place(word(0)), 0);
	CHECK_INT(host_counters()->unnamed_frames, 1);
	texts->used = sizeof(*texts);
	host_is_full = true;
	CHECK_INT(rt_interpreted(AT, 8, FROM), 8);
	CHECK_INT(host_counters()->unnamed_frames, 2);
}

TEST(long_names_and_tables_are_truncated)
{
	static struct lines many = { .size = CODE_LINES_MOST };
	static char room[sizeof(struct lines) + 2 * CODE_LINES_MOST];
	set_up();
	struct lines *large = (struct lines *)(void *)room;
	*large = many;
	inner.lines = large;
	rt_interpreted(AT, 8, FROM);
	CHECK_INT(text_of(0)->is_cut, 0);
	large->size++;
	host_code_count = 0;
	rt_interpreted(AT, 8, FROM);
	inner.lines = &lines;
	CHECK_INT(text_of(0)->is_cut, 1);
	CHECK_INT(text_of(0)->lines_size, CODE_LINES_MOST);
	struct string *name = (struct string *)(void *)room;
	*name = (struct string) { .length = CODE_NAME_MOST, .state = 4u << 2 };
	inner.qualified_name = name;
	rt_interpreted(AT, 8, FROM);
	inner.qualified_name = &inner_name;
	CHECK_INT(text_of(0)->is_cut, 1);
	CHECK_INT(text_of(0)->name_size, CODE_NAME_MOST);
	CHECK_INT(text_of(0)->name_width, 4);
}

/* --- methods of HotSpot ----------------------------------------------------------------------- */

struct symbol {
	uint32_t hash;
	uint16_t length;
	char text[58];
};

struct class
{
	uint64_t functions;
	struct symbol *name;
};

struct constants {
	uint64_t functions;
	struct class *class;
	struct symbol *constants[4];
};

struct method_code {
	uint64_t unused;
	struct constants *constants;
	uint16_t unused_too, name;
};

struct method {
	uint64_t functions;
	struct method_code *code;
};

static char interpreter[64]; /* its code */
static struct {
	uint64_t unused;
	char *begin;
	uint32_t size;
} codes_queue;
static struct symbol class_name = { .length = 9, .text = "java/Some" },
		     method_name = { .length = 3, .text = "run" };
static struct class some_class = { 1, &class_name };
static struct constants constants = { 1, &some_class, { NULL, NULL, &method_name, NULL } };
static struct method_code method_code = { 0, &constants, 0, 2 };
static struct method method = { 1, &method_code };
/* The library's data: the tables' offsets, and the interpreter's address. */
static struct {
	uint64_t offsets[HOTSPOT_MEMBERS];
	void *codes;
} library;

#define NATIVE (AT - 80) /* words are kept after as much room as there is for frames */

static void frame_of(unsigned number, uint64_t pc, const void *what)
{
	uint64_t *native = (uint64_t *)(void *)(rt_scratch + NATIVE),
		 *kept = (uint64_t *)(void *)(rt_scratch + AT);
	unsigned n = 0;
	while (kept[n])
		n++;
	native[number] = pc | (uint64_t)FRAME_POINTER << FRAME_HOW_AT;
	kept[n] = frame_method(number, (uint64_t)what);
	kept[n + 1] = 0;
}

static void set_up_hotspot(void)
{
	set_up();
	memset(rt_scratch + NATIVE, 0, 400);
	host_interpreter = (struct interpreted_process) {
		.hotspot = {
			.base = (uint64_t)&library,
			.codes = offsetof(__typeof__(library), codes),
			.constants_size = offsetof(struct constants, constants),
		},
	};
	for (uint32_t i = 0; i < HOTSPOT_MEMBERS; i++)
		host_interpreter.hotspot.offset_at[i] = 8 * i;
	library = (__typeof__(library)) {
		.offsets = {
			[HOTSPOT_METHOD_CODE] = offsetof(struct method, code),
			[HOTSPOT_CODE_CONSTANTS] = offsetof(struct method_code, constants),
			[HOTSPOT_CODE_NAME] = offsetof(struct method_code, name),
			[HOTSPOT_CONSTANTS_CLASS] = offsetof(struct constants, class),
			[HOTSPOT_CLASS_NAME] = offsetof(struct class, name),
			[HOTSPOT_SYMBOL_LENGTH] = offsetof(struct symbol, length),
			[HOTSPOT_SYMBOL_TEXT] = offsetof(struct symbol, text),
			[HOTSPOT_CODES_BEGIN] = offsetof(__typeof__(codes_queue), begin),
			[HOTSPOT_CODES_SIZE] = offsetof(__typeof__(codes_queue), size),
		},
		.codes = &codes_queue,
	};
	codes_queue.begin = interpreter;
	codes_queue.size = sizeof(interpreter);
	class_name.length = 9;
	method_name.length = 3;
	method_code.constants = &constants;
}

#define CODE(offset) ((uint64_t)(interpreter + (offset)))

TEST(methods_that_are_interpreted_and_their_names)
{
	set_up_hotspot();
	frame_of(1, CODE(5), &method);
	frame_of(2, CODE(sizeof(interpreter)), &method); /* compiled */
	frame_of(4, CODE(0), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 16);
	CHECK_INT(frame_how(word(0)), FRAME_METHOD);
	CHECK_INT((uint32_t)word(0), 1);
	CHECK_INT((uint32_t)word(1), 4);
	CHECK_INT(word(2), 0); /* what the walk had kept of the compiled frame is gone */
	CHECK_INT(interpreted_place(word(0)), interpreted_place(word(1)));
	const struct code_text *t = text_of(0);
	CHECK_INT(t->kind, CODE_METHOD);
	CHECK_INT(t->name_size, 13);
	CHECK_INT(t->file_size + t->lines_size, 0);
	CHECK(memcmp(t + 1, "java/Some.run", 13) == 0);
	CHECK_INT(host_code_count, 1);
	CHECK_INT(host_counters()->unnamed_frames, 0);
	CHECK(host_interpreter.hotspot.is_read);
}

/* As in a record: the room for words may begin before it does in the walk. */
TEST(words_of_methods_move_down)
{
	set_up_hotspot();
	frame_of(0, CODE(5), &method);
	frame_of(1, CODE(6), &method);
	CHECK_INT(rt_interpreted(AT - 40, 80, AT), 16);
	CHECK_INT((uint32_t) * (uint64_t *)(void *)(rt_scratch + AT - 32), 1);
}

TEST(a_library_that_has_not_begun)
{
	set_up_hotspot();
	frame_of(1, CODE(5), &method);
	void *codes = library.codes;
	library.codes = NULL;
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	CHECK_INT(word(0), 0); /* nothing is left in a key */
	library.codes = codes;
	library.offsets[HOTSPOT_METHOD_CODE] = 0;
	frame_of(1, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	library.offsets[HOTSPOT_METHOD_CODE] = 1 << 20;
	frame_of(1, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	CHECK(!host_interpreter.hotspot.is_read);
	library.offsets[HOTSPOT_METHOD_CODE] = offsetof(struct method, code);
	host_has_interpreter = false;
	frame_of(1, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	CHECK_INT(word(0), 0);
	host_has_interpreter = true;
	frame_of(1, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 8);
	CHECK_INT(host_counters()->unnamed_frames, 0);
}

/* What is no method has no word, and is counted. */
TEST(wrong_words_of_frames_are_counted)
{
	static struct method wrong = { 1, (struct method_code *)16 };
	set_up_hotspot();
	frame_of(0, CODE(5), (const void *)24);
	frame_of(1, CODE(5), &wrong);
	frame_of(2, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 8);
	CHECK_INT((uint32_t)word(0), 2);
	CHECK_INT(host_counters()->unnamed_frames, 2);
	set_up_hotspot();
	method_name.length = 0;
	frame_of(2, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	CHECK_INT(host_counters()->unnamed_frames, 1);
	set_up_hotspot();
	host_is_full = true;
	frame_of(2, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 0);
	CHECK_INT(host_counters()->unnamed_frames, 1);
}

TEST(long_names_of_methods_are_truncated)
{
	static char room[sizeof(struct symbol) + UINT16_MAX];
	struct symbol *large = (struct symbol *)(void *)room;
	set_up_hotspot();
	large->length = UINT16_MAX;
	some_class.name = large;
	frame_of(0, CODE(5), &method);
	CHECK_INT(rt_interpreted(AT, 80, AT), 8);
	some_class.name = &class_name;
	CHECK_INT(text_of(0)->is_cut, 1);
	CHECK_INT(text_of(0)->name_size, CODE_NAME_MOST / 2 + 4);
}

TEST_MAIN
