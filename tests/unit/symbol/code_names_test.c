/* SPDX-License-Identifier: BSD-2-Clause */
#include "symbol/code_names.h"

#include "test.h"

/*
 * Of CPython 3.11.2, with the lines that its co_lines() gives:
 *
 *   1 def f(a,                5     if a: x = (a,
 *   2       b):               6
 *   3     x = [i for i in     7                b)
 *   4          range(b)]      8     return g(...over 3 lines)
 */
static const uint8_t table[] = { 128, 0,   240, 4,   1,	  9,   19,  240, 0,   1,   9,	19,  221,
				 9,   14,  136, 113, 137, 24,  140, 24,	 240, 3,   1,	9,   19,
				 241, 0,   1,	9,   19,  244, 0,   1,	 9,   19,  128, 65,  224,
				 7,   8,   240, 0,   2,	  5,   18,  136, 113, 224, 15,	16,  240,
				 5,   2,   15,	18,  136, 33,  245, 6,	 0,   12,  13,	216, 6,
				 7,   216, 8,	9,   240, 5,   2,   12,	 11,  241, 0,	2,   12,
				 11,  244, 0,	2,   12,  11,  240, 0,	 2,   5,   11 };
static const uint8_t lines_of_table[] = { 1, 3, 3, 4, 4, 4,  4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
					  3, 3, 3, 3, 3, 3,  3, 3, 3, 5, 5, 5, 7, 5, 5, 8, 8,
					  8, 8, 8, 8, 9, 10, 8, 8, 8, 8, 8, 8, 8, 8, 8 };

TEST(lines_of_instructions)
{
	struct bytes lines = bytes_of(table, sizeof(table));
	for (int i = 0; i < (int)ARRAY_SIZE(lines_of_table); i++)
		CHECK_INT(code_line(lines, 1, i), lines_of_table[i]);
	CHECK_INT(code_line(lines, 1, -1), 1); /* before the first instruction */
	CHECK_INT(code_line(lines, 1, ARRAY_SIZE(lines_of_table)), 0);
	CHECK_INT(code_line(lines, 1001, 5), 1000 + lines_of_table[5]);
}

TEST(entries_of_all_forms)
{
	static const uint8_t bytes[] = {
		0x80 | 14 << 3 | 0, 0x41, 0x03, 0, 1, 1, /* long: the line changes by -96 */
		0x80 | 13 << 3 | 1, 0x04,		 /* no columns: by 2; 2 instructions */
		0x80 | 15 << 3 | 0,			 /* none */
		0x80 | 12 << 3 | 0, 1,	  2,		 /* by 2 */
		0x80 | 3 << 3 | 7,  0x11,		 /* by 0; 8 instructions */
		0x80 | 13 << 3 | 0,			 /* truncated: by nothing */
	};
	struct bytes lines = bytes_of(bytes, sizeof(bytes));
	static const uint32_t wanted[] = { 4, 6, 6, 0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8 };
	for (int i = 0; i < (int)ARRAY_SIZE(wanted); i++)
		CHECK_INT(code_line(lines, 100, i), wanted[i]);
	CHECK_INT(code_line(lines, 100, ARRAY_SIZE(wanted)), 0);
	CHECK_INT(code_line(bytes_of(bytes, 0), 100, 0), 0);
}

/* --- names ------------------------------------------------------------------------------------ */

static uint64_t memory[512];

static struct code_text *put_text(uint64_t place, const void *file, uint16_t file_size,
				  uint8_t file_width, const void *name, uint16_t name_size)
{
	struct code_text *t = (struct code_text *)((char *)memory + place);
	char *at = (char *)(t + 1);
	*t = (struct code_text) { .first_line = 1,
				  .lines_size = sizeof(table),
				  .file_size = file_size,
				  .name_size = name_size,
				  .file_width = file_width,
				  .name_width = 1 };
	memcpy(at, file, file_size);
	memcpy(at + ALIGN_UP(file_size, 8), name, name_size);
	memcpy(at + ALIGN_UP(file_size, 8) + ALIGN_UP(name_size, 8), table, sizeof(table));
	return t;
}

static struct code_names *names_new(void)
{
	return code_names_new((struct code_texts *)memory, sizeof(memory));
}

static const char *shown(struct code_names *n, uint64_t word)
{
	static char text[200];
	struct code_place p;
	if (!code_names_find(n, word, &p))
		return "(unknown)";
	snprintf(text, sizeof(text), "%s:%u %s%s", p.file ? p.file : "", p.line, p.function,
		 p.is_cut ? " cut" : "");
	return text;
}

TEST(names_of_frames)
{
	static const uint16_t wide[] = { 'a', 0xdf, 0x5b57 };
	static const uint32_t wider[] = { 0x1f40d, 'b' };
	put_text(16, "x.py", 4, 1, "f", 1);
	put_text(512, wide, sizeof(wide), 2, "\xdf", 1)->is_cut = 1;
	put_text(1024, wider, sizeof(wider), 4, "", 0);
	struct code_names *n = names_new();
	CHECK_STR(shown(n, interpreted_word(16, 0)), "x.py:1 f");
	CHECK_STR(shown(n, interpreted_word(16, (uint32_t)-1)), "x.py:1 f");
	CHECK_STR(shown(n, interpreted_word(16, 4)), "x.py:4 f");
	CHECK_STR(shown(n, interpreted_word(512, 0)), "aß字:1 ß cut");
	CHECK_STR(shown(n, interpreted_word(1024, 0)), "🐍b:1 ");
	CHECK_STR(shown(n, interpreted_word(0, 0)), "(unknown)");
	code_names_free(n);
	n = code_names_new(NULL, 0);
	CHECK_STR(shown(n, interpreted_word(16, 0)), "(unknown)");
	code_names_free(n);
}

TEST(names_of_methods)
{
	put_text(16, "", 0, 0, "java/lang/Some.run", 18)->kind = CODE_METHOD;
	put_text(512, "", 0, 0, "java/lang/Some.run", 18)->kind = CODE_METHOD;
	struct code_names *n = names_new();
	CHECK_STR(shown(n, interpreted_method(16, 4000)), "(unknown)"); /* of no width */
	struct code_text *t = (struct code_text *)((char *)memory + 16);
	t->file_width = 1;
	((struct code_text *)((char *)memory + 512))->file_width = 1;
	code_names_free(n);
	n = names_new();
	CHECK_STR(shown(n, interpreted_method(16, 4000)), ":0 java.lang.Some.run");
	CHECK_INT(code_names_same(n, interpreted_method(16, 4)), interpreted_method(16, 4));
	CHECK_INT(code_names_same(n, interpreted_method(512, 6)), interpreted_method(16, 6));
	code_names_free(n);
}

/* The process may have put anything there. */
TEST(damaged_texts_have_no_names)
{
	struct code_names *n = names_new();
	struct code_text *t = put_text(16, "x.py", 4, 1, "f", 1);
	t->file_width = 3;
	CHECK_STR(shown(n, interpreted_word(16, 0)), "(unknown)");
	t->file_width = 1;
	t->lines_size = UINT32_MAX;
	CHECK_STR(shown(n, interpreted_word(16, 0)), "(unknown)");
	t->lines_size = sizeof(memory) - 16 - sizeof(*t) - 16 + 1;
	CHECK_STR(shown(n, interpreted_word(16, 0)), "(unknown)");
	t->lines_size--;
	CHECK_STR(shown(n, interpreted_word(16, 0)), "x.py:1 f");
	CHECK_STR(shown(n, interpreted_word(sizeof(memory) - 8, 0)), "(unknown)");
	CHECK_STR(shown(n, interpreted_word(sizeof(memory) + 64, 0)), "(unknown)");
	CHECK_STR(shown(n, interpreted_word(0x7ffffff8, 0)), "(unknown)");
	code_names_free(n);
}

TEST(frames_that_print_alike)
{
	put_text(16, "x.py", 4, 1, "f", 1);
	put_text(512, "x.py", 4, 1, "f", 1);
	put_text(1024, "x.py", 4, 1, "g", 1);
	struct code_names *n = names_new();
	uint64_t first = interpreted_word(16, 3), last = 1ull << INTERPRETED_LAST_AT;
	CHECK_INT(code_names_same(n, first), first);
	CHECK_INT(code_names_same(n, interpreted_word(512, 4) | last), first | last);
	CHECK_INT(code_names_same(n, interpreted_word(1024, 3)), interpreted_word(1024, 3));
	CHECK_INT(code_names_same(n, interpreted_word(16, 0)), interpreted_word(16, 0));
	CHECK_INT(code_names_same(n, interpreted_word(0, 0)), interpreted_word(0, 0));
	code_names_free(n);
}

/* As in a damaged core: a word looks like a frame of an interpreter, and none was read. */
TEST(without_texts_there_are_no_names)
{
	struct code_place p;
	const uint64_t words[] = { 0, UINT64_MAX, interpreted_word(16, 3) };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		CHECK(!code_names_find(NULL, words[i], &p));
		CHECK(code_names_same(NULL, words[i]) == words[i]);
	}
}

TEST_MAIN
