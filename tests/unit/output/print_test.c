/* SPDX-License-Identifier: BSD-2-Clause */
/* print_test - print() of bytes that a test made, of types that it declared; whole and truncated */
#include "output/capture.h"
#include "output/print/value_walker.h"
#include "test.h"
#include "types/types.h"

/*
 * struct inner { short s; char c; };
 * struct outer {
 *     unsigned a : 3; int b : 5; char name[6]; struct inner in[2]; int grid[2][2];
 *     union { int whole; unsigned char parts[4]; }; void (*call)(void); unsigned long long wide :
 * 40;
 * };
 */
struct inner {
	short s;
	char c;
};
struct outer {
	unsigned a : 3;
	int b : 5;
	char name[6];
	struct inner in[2];
	int grid[2][2];
	union {
		int whole;
		unsigned char parts[4];
	};
	void (*call)(void);
	unsigned long long wide : 40;
};

static const struct type *declare_inner(struct types *t)
{
	const struct member members[] = {
		{ .name = "s", .type = types_parse(t, "short") },
		{ .name = "c", .type = types_parse(t, "char") },
	};
	struct type *inner = types_declare_tag(t, TYPE_STRUCT, "inner");
	types_complete_struct(t, inner, members, ARRAY_SIZE(members), 0);
	return inner;
}

static const struct type *declare_union(struct types *t)
{
	const struct member members[] = {
		{ .name = "whole", .type = types_parse(t, "int") },
		{ .name = "parts", .type = types_parse(t, "unsigned char [4]") },
	};
	struct type *both = types_declare_tag(t, TYPE_UNION, NULL);
	types_complete_struct(t, both, members, ARRAY_SIZE(members), 0);
	return both;
}

static const struct type *declare_outer(struct types *t)
{
	const struct member members[] = {
		{ .name = "a", .type = types_parse(t, "unsigned int"), .bit_size = 3 },
		{ .name = "b", .type = types_parse(t, "int"), .bit_size = 5 },
		{ .name = "name", .type = types_parse(t, "char [6]") },
		{ .name = "in", .type = types_array(t, declare_inner(t), 2) },
		{ .name = "grid", .type = types_parse(t, "int [2][2]") },
		{ .name = NULL, .type = declare_union(t) },
		{ .name = "call", .type = types_parse(t, "void (*)(void)") },
		{ .name = "wide", .type = types_parse(t, "unsigned long long"), .bit_size = 40 },
	};
	struct type *outer = types_declare_tag(t, TYPE_STRUCT, "outer");
	types_complete_struct(t, outer, members, ARRAY_SIZE(members), 0);
	CHECK_INT(type_size(outer), sizeof(struct outer));
	return outer;
}

static const struct outer sample = {
	.a = 5,
	.b = -3,
	.name = "ab",
	.in = { { 7, 'x' }, { 0, 1 } },
	.grid = { { 1, 2 }, { 3, -1 } },
	.whole = 0x01020304,
	.wide = 0x1122334455,
};

/* --- one value, printed --- */

enum form { BY_VALUE, AT_ADDRESS };

static const char *print_cut(const struct type *type, const void *bytes, uint32_t size,
			     enum form form, uint32_t limit)
{
	static char text[sizeof(((struct capture *)0)->text)];
	const struct value_field fields[] = {
		{ .kind = VALUE_INTEGER, .offset = 24, .size = 8 },
		{ .kind = VALUE_BYTES, .offset = 32, .size = size },
	};
	const struct action_layout action = {
		.kind = ACTION_PRINT,
		.flag = -1,
		.fields = form == AT_ADDRESS ? fields : fields + 1,
		.field_count = form == AT_ADDRESS ? 2 : 1,
		.type = type,
	};
	const struct clause_layout clause = { .epid = 1,
					      .records = true,
					      .fixed_size = 32 + ALIGN_UP(size, 8),
					      .actions = &action,
					      .action_count = 1 };
	const struct program program = {
		.clauses = &clause, .clause_count = 1, .area_count = 1, .cpu_count = 1
	};
	struct {
		struct record_header header;
		uint64_t address;
		char bytes[256];
	} record = { .header = { .probe = 1 }, .address = 0xabc };
	memcpy(record.bytes, bytes, size);

	fake_reset();
	struct capture c = capture_new(
		&program, NULL, (struct output_options) { .quiet = true, .printsize = limit });
	capture_record(&c, 0, &record, clause.fixed_size);
	snprintf(text, sizeof(text), "%s", capture_text(&c));
	capture_free(&c);
	return text;
}

static const char *print(const struct type *type, const void *bytes, uint32_t size)
{
	return print_cut(type, bytes, size, BY_VALUE, 0);
}

TEST(values_have_types_and_names)
{
	struct types *t = capture_types = types_new("/nonexistent");
	CHECK_STR(print(declare_outer(t), &sample, sizeof(sample)),
		  "struct outer {\n"
		  "    unsigned int a :3 = 0x5\n"
		  "    int b :5 = 0x1d\n"
		  "    char [6] name = [ \"ab\" ]\n"
		  "    struct inner [2] in = [\n"
		  "        struct inner {\n"
		  "            short s = 0x7\n"
		  "            char c = 'x'\n"
		  "        },\n"
		  "        struct inner {\n"
		  "            short s = 0\n"
		  "            char c = '\\001'\n"
		  "        }\n"
		  "    ]\n"
		  "    int [2][2] grid = [ [ 0x1, 0x2 ], [ 0x3, 0xffffffff ] ]\n"
		  "    union {\n"
		  "        int whole = 0x1020304\n"
		  "        unsigned char [4] parts = [ 0x4, 0x3, 0x2, 0x1 ]\n"
		  "    }\n"
		  "    void (*)(void) call = 0\n"
		  "    unsigned long long wide :40 = 0x1122334455\n"
		  "}\n");
	types_free(t);
}

TEST(pointers_show_what_is_not_zero)
{
	struct types *t = capture_types = types_new("/nonexistent");
#define M "                                            "
	CHECK_STR(print_cut(declare_outer(t), &sample, sizeof(sample), AT_ADDRESS, 0),
		  "0xabc = *\n"							    /* */
		  M "(struct outer) {\n"					    /* */
		  M " .a = (unsigned int)5,\n"					    /* */
		  M " .b = (int)-3,\n"						    /* */
		  M " .name = (char [6]) [\n"					    /* */
		  M "  (char)'a',\n"						    /* */
		  M "  (char)'b',\n"						    /* */
		  M " ],\n"							    /* */
		  M " .in = (struct inner [2]) [\n"				    /* */
		  M "  (struct inner) {\n"					    /* */
		  M "   .s = (short)7,\n"					    /* */
		  M "   .c = (char)'x',\n"					    /* */
		  M "  },\n"							    /* */
		  M "  (struct inner) {\n"					    /* */
		  M "   .c = (char)1,\n"					    /* */
		  M "  },\n"							    /* */
		  M " ],\n"							    /* */
		  M " .grid = (int [2][2]) [\n"					    /* */
		  M "  (int [2]) [\n"						    /* */
		  M "   (int)1,\n"						    /* */
		  M "   (int)2,\n"						    /* */
		  M "  ],\n"							    /* */
		  M "  (int [2]) [\n"						    /* */
		  M "   (int)3,\n"						    /* */
		  M "   (int)-1,\n"						    /* */
		  M "  ],\n"							    /* */
		  M " ],\n"							    /* */
		  M " (union) {\n"						    /* */
		  M "  .whole = (int)16909060,\n"				    /* */
		  M "  .parts = (unsigned char [4]) [\n" M "   (unsigned char)4,\n" /* */
		  M "   (unsigned char)3,\n"					    /* */
		  M "   (unsigned char)2,\n"					    /* */
		  M "   (unsigned char)1,\n"					    /* */
		  M "  ],\n"							    /* */
		  M " },\n"							    /* */
		  M " .wide = (unsigned long long)73588229205,\n"		    /* */
		  M "}\n");
	types_free(t);
}

static unsigned dots(const char *text)
{
	unsigned n = 0;
	while ((text = strstr(text, "..."))) {
		n++;
		text += 3;
	}
	return n;
}

/* Brackets that are opened are closed, in order. */
static bool is_balanced(const char *text)
{
	char open[32];
	unsigned depth = 0;
	for (; *text; text++) {
		if (*text == '{' || *text == '[')
			open[depth++] = *text == '{' ? '}' : ']';
		else if ((*text == '}' || *text == ']') && (!depth || open[--depth] != *text))
			return false;
	}
	return depth == 0;
}

TEST(what_is_cut_says_so_once)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct type *outer = declare_outer(t);
	for (uint32_t size = 1; size < sizeof(sample); size++)
		for (enum form form = BY_VALUE; form <= AT_ADDRESS; form++) {
			const char *cut = print_cut(outer, &sample, size, form, 0);
			bool whole = size >= offsetof(struct outer, call) + 8 + 5;
			CHECK_INT(dots(cut), whole ? 0 : 1);
			CHECK(is_balanced(cut));
			/* the same by the option while more was recorded */
			auto_free char *copy = mem_strdup(cut);
			CHECK_STR(print_cut(outer, &sample, sizeof(sample), form, size), copy);
		}
	types_free(t);
}

TEST(leaves_of_all_kinds)
{
	struct types *t = capture_types = types_new("/nonexistent");
	float f = -1.5f;
	double d = 1e10;
	long double ld = 2.25L;
	uint64_t wide[2] = { 1, 0x10 };
	bool yes = true;
	CHECK_STR(print(types_parse(t, "float"), &f, 4), "float -1.5000000e+00\n");
	CHECK_STR(print(types_parse(t, "double"), &d, 8), "double +1.0000000e+10\n");
	CHECK_STR(print(types_parse(t, "long double"), &ld, 16),
		  "long double +2.2500000000000000E+00\n");
	CHECK_STR(print(types_parse(t, "char *"), wide, 8), "char *0x1\n");
	CHECK_STR(print(types_parse(t, "_Bool"), &yes, 1), "_Bool 0x1\n");
	CHECK_STR(print(types_parse(t, "char [4]"), "abc", 4), "char [4] \"abc\"\n");
	CHECK_STR(print(types_parse(t, "char [3]"), "abc", 3), "char [3] [ 'a', 'b', 'c' ]\n");
	CHECK_STR(print(types_parse(t, "char [3]"), "a\1", 3),
		  "char [3] [ 'a', '\\001', '\\0' ]\n");
	CHECK_STR(print_cut(types_parse(t, "double"), &d, 8, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(double)1e+10,\n");
	types_free(t);
}

TEST(what_has_no_name_or_no_body)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct enumerator names[] = { { "ONE", 1 }, { "MINUS", -1 } };
	struct type *colour = types_declare_tag(t, TYPE_ENUM, "colour");
	types_complete_enum(t, colour, names, 2);
	const struct member members[] = {
		{ .name = "one", .type = colour },
		{ .name = "c", .type = types_parse(t, "char"), .bit_size = 4 },
		{ .name = "u", .type = types_parse(t, "unsigned char") },
	};
	struct type *both = types_declare_tag(t, TYPE_STRUCT, "both");
	types_complete_struct(t, both, members, ARRAY_SIZE(members), 0);
	const struct {
		int one;
		unsigned char c, u;
	} value = { -1, 9, 65 };
	CHECK_STR(print(both, &value, 6), "struct both {\n"
					  "    enum colour one = MINUS\n"
					  "    char c :4 = 0x9\n"
					  "    unsigned char u = 0x41\n"
					  "}\n");
	const int number = -5, one = 1;
	CHECK_STR(print(members[0].type, &number, 4), "enum colour -5\n");
	CHECK_STR(print_cut(members[0].type, &number, 4, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(enum colour)-5,\n");
	CHECK_STR(print_cut(members[0].type, &one, 4, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(enum colour)ONE,\n");
	types_free(t);
}

static const char *enum_text(const struct enumerator *names, uint32_t count, uint64_t value)
{
	static struct strbuf text;
	struct types *t = types_new("/nonexistent");
	struct type *type = types_declare_tag(t, TYPE_ENUM, "e");
	types_complete_enum(t, type, names, count);
	type->is_signed = false; /* as of a 64-bit enum in DWARF */
	strbuf_clear(&text);
	if (!enumerator_name(t, type, (int64_t)value, &text))
		strbuf_puts(&text, "(number)");
	types_free(t);
	return strbuf_text(&text);
}

TEST(flags_and_their_sums)
{
	const struct enumerator flags[] = { { "A", 1 }, { "B", 2 },	    { "AB", 3 },
					    { "C", 4 }, { "D", INT64_MIN }, { "NONE", 0 } };
	uint32_t count = ARRAY_SIZE(flags);
	CHECK_STR(enum_text(flags, count, 3), "AB");
	CHECK_STR(enum_text(flags, count, 7), "AB|C");
	CHECK_STR(enum_text(flags, count, 5), "A|C");
	CHECK_STR(enum_text(flags, count, 1ull << 63 | 0x42), "B|D|0x40");
	CHECK_STR(enum_text(flags, count, 0), "NONE");
	CHECK_STR(enum_text(flags, count, 0x40), "(number)");
	const struct enumerator small[] = { { "A", 1 }, { "B", 2 }, { "C", 4 } };
	CHECK_STR(enum_text(small, 3, UINT64_MAX << 31 | 1), "A|0x80000000");
	const struct enumerator counted[] = {
		{ "ONE", 1 }, { "TWO", 2 }, { "THREE", 3 }, { "FOUR", 4 }
	};
	CHECK_STR(enum_text(counted, ARRAY_SIZE(counted), 5), "(number)");
}

TEST(numbers_of_128_bits)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct type *type = types_intrinsic(t, INTRINSIC_UINT128);
	uint64_t halves[2] = { 0x1f, 0xab };
	CHECK_STR(print(type, halves, 16), "unsigned __int128 0xab000000000000001f\n");
	CHECK_STR(print_cut(type, halves, 16, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(unsigned __int128)0xab000000000000001f,\n");
	halves[1] = 0;
	CHECK_STR(print(type, halves, 16), "unsigned __int128 0x1f\n");
	types_free(t);
}

TEST(unsigned_characters_are_numbers)
{
	struct types *t = capture_types = types_new("/nonexistent");
	CHECK_STR(print_cut(types_parse(t, "unsigned char"), "A", 1, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(unsigned char)65,\n");
	CHECK_STR(print_cut(types_parse(t, "char"), "A", 1, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(char)'A',\n");
	CHECK_STR(print_cut(types_parse(t, "char"), "\n", 1, AT_ADDRESS, 0),
		  "0xabc = *\n" M "(char)10,\n");
	types_free(t);
}

/* printsize is about values in memory; strings have strsize. */
TEST(strings_are_not_cut_at_printsize)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct value_field field = { .kind = VALUE_STRING_CONST, .text = "twelve bytes" };
	const struct action_layout action = { .kind = ACTION_PRINT,
					      .flag = -1,
					      .fields = &field,
					      .field_count = 1,
					      .type = types_parse(t, "string") };
	const struct clause_layout clause = {
		.records = true, .fixed_size = 24, .actions = &action, .action_count = 1
	};
	const struct program program = {
		.clauses = &clause, .clause_count = 1, .area_count = 1, .cpu_count = 1
	};
	fake_reset();
	struct capture c = capture_new(&program, NULL,
				       (struct output_options) { .quiet = true, .printsize = 8 });
	const struct record_header header = { .probe = 1 };
	capture_record(&c, 0, &header, sizeof(header));
	CHECK_STR(capture_text(&c), "string \"twelve bytes\"\n");
	capture_free(&c);
	types_free(t);
}

/* Members that are zero are left out, except values so large that this would take long to check. */
TEST(zeros_are_left_out_up_to_a_size)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct member members[] = {
		{ .name = "small", .type = types_parse(t, "int [4]") },
		{ .name = "nothing", .type = declare_inner(t) },
		{ .name = "large", .type = types_parse(t, "int [2000]") },
	};
	struct type *whole = types_declare_tag(t, TYPE_STRUCT, "whole");
	types_complete_struct(t, whole, members, ARRAY_SIZE(members), 0);
	static const char zeros[64];
	CHECK_STR(print_cut(whole, zeros, 28, AT_ADDRESS, 0), "0xabc = *\n" /* */
		  M "(struct whole) {\n"				    /* */
		  M " .large = (int [2000]) [\n"			    /* */
		  M "  (int)0,\n"					    /* */
		  M "  (int)0,\n"					    /* */
		  M "  ...\n"						    /* */
		  M " ],\n"						    /* */
		  M "}\n");
	CHECK_STR(print_cut(members[0].type, zeros, 8, AT_ADDRESS, 4),
		  "0xabc = *\n" M "(int [4]) [\n" M " (int)0,\n" M " ...\n" M "],\n");
	types_free(t);
}

/* A chain of structs, each in the next: ten levels of a pointer's target are printed. */
TEST(what_is_too_deep_says_so)
{
	struct types *t = capture_types = types_new("/nonexistent");
	const struct type *type = types_parse(t, "int");
	for (int i = 0; i < 14; i++) {
		const struct member m = { .name = "m", .type = type };
		struct type *next = types_declare_tag(t, TYPE_STRUCT, NULL);
		types_complete_struct(t, next, &m, 1, 0);
		type = next;
	}
	int one = 1;
	const char *text = print_cut(type, &one, 4, AT_ADDRESS, 0);
	CHECK_INT(dots(text), 1);
	unsigned levels = 0;
	for (const char *p = text; (p = strchr(p, '{')); p++)
		levels++;
	CHECK_INT(levels, 11); /* the whole, and ten in it */
	CHECK(is_balanced(text));
	CHECK(!strstr(text, "(int)1"));
	CHECK(strstr(print(type, &one, 4), "int m = 0x1"));
	types_free(t);
}

TEST_MAIN
