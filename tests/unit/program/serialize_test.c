/* SPDX-License-Identifier: BSD-2-Clause */
/* A program written and read back; compile() does so with each program of the tests, too */
#include "compile.h"
#include "golden.h"

static void compiles(const char *file, const struct strbuf *text, struct strbuf *out)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_options_of(text);
	CHECK(compile(&c, file, strbuf_text(text), &options));
}

TEST(all_scripts_are_equal_after_reading)
{
	CHECK(golden_scripts("tests/golden/codegen", compiles, false) > 20);
	CHECK(golden_scripts("tests/unit/codegen/scripts", compiles, false) > 50);
}

static const char shown[] =
	"struct far { int a; }; enum color { RED = -1, GREEN = 7 };"
	"typedef struct near { long n; char name[8]; } near_t;"
	"struct all { near_t one; struct near two[3]; struct far *pointer; enum color color;"
	"  unsigned int low : 3, high : 5; union { int i; short s; } u; struct all *next; };"
	"BEGIN { print((struct all *)arg0); }";

static void member_is(struct types *t, const struct type *type, unsigned index, const char *name,
		      const char *declared, uint32_t bit_offset, uint32_t bit_size)
{
	const struct member *m = type_member_at(t, type, index);
	auto_strbuf struct strbuf text = { 0 };
	type_print(m->type, &text);
	CHECK_STR(m->name, name);
	CHECK_STR(strbuf_text(&text), declared);
	CHECK_INT(m->bit_offset, bit_offset);
	CHECK_INT(m->bit_size, bit_size);
}

static void check_all(struct types *t, const struct type *all)
{
	CHECK_INT(type_size(all), 96);
	CHECK_INT(type_member_count(t, all), 8);
	member_is(t, all, 0, "one", "near_t", 0, 0);
	member_is(t, all, 1, "two", "struct near [3]", 128, 0);
	member_is(t, all, 2, "pointer", "struct far *", 512, 0);
	member_is(t, all, 3, "color", "enum color", 576, 0);
	member_is(t, all, 4, "low", "unsigned int", 608, 3);
	member_is(t, all, 5, "high", "unsigned int", 611, 5);
	member_is(t, all, 6, "u", "union <anonymous>", 640, 0);
	member_is(t, all, 7, "next", "struct all *", 704, 0);
	const struct type *near = type_member_at(t, all, 0)->type;
	CHECK_INT(type_member_count(t, near), 2);
	member_is(t, near, 1, "name", "char [8]", 64, 0);
	const struct type *color = type_member_at(t, all, 3)->type;
	CHECK_INT(type_enumerator_count(t, color), 2);
	CHECK_STR(type_enumerator_at(t, color, 0)->name, "RED");
	CHECK_INT(type_enumerator_at(t, color, 0)->value, -1);
	/* parts kept elsewhere are not printed, so they are absent */
	CHECK_INT(type_member_count(t, type_member_at(t, all, 2)->type->target), 0);
	CHECK_INT(type_member_count(t, type_member_at(t, all, 7)->type->target), 0);
}

TEST(the_types_that_print_shows_are_written_with_it)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "print.d", shown, &compile_defaults));
	auto_strbuf struct strbuf bytes = { 0 };
	program_write(&c.program, c.types, &bytes);

	struct types *elsewhere = types_new("/nonexistent");
	struct arena *arena = arena_new();
	struct program p;
	auto_error struct error *err = program_read(bytes.text, bytes.len, elsewhere, arena, &p);
	CHECK(!err);
	if (!err)
		check_all(elsewhere, p.clauses[0].actions[0].type);
	CHECK(!types_find(elsewhere, "struct all"));
	arena_free(arena);
	types_free(elsewhere);
}

/* What comes of these bytes; true: they are a program. */
static bool reads(const char *bytes, size_t size, struct strbuf *message)
{
	struct types *types = types_new("/nonexistent");
	struct arena *arena = arena_new();
	struct program p;
	auto_error struct error *err = program_read(bytes, size, types, arena, &p);
	strbuf_clear(message);
	strbuf_puts(message, err ? error_text(err) : "");
	arena_free(arena);
	types_free(types);
	return !err;
}

TEST(damaged_bytes_are_refused)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "damaged.d", shown, &compile_defaults));
	auto_strbuf struct strbuf bytes = { 0 }, message = { 0 };
	program_write(&c.program, c.types, &bytes);
	CHECK(reads(bytes.text, bytes.len, &message));
	for (size_t len = 0; len < bytes.len; len++)
		CHECK(!reads(bytes.text, len, &message));
	strbuf_putc(&bytes, 0);
	CHECK(!reads(bytes.text, bytes.len, &message));
	CHECK(strstr(strbuf_text(&message), "the written program is damaged, after "));
	bytes.text[8] = 99;
	CHECK(!reads(bytes.text, bytes.len - 1, &message));
	CHECK_STR(strbuf_text(&message),
		  "the program is written in form 99, and only form 16 can be read");
	bytes.text[0] = 'x';
	CHECK(!reads(bytes.text, bytes.len - 1, &message));
	CHECK_STR(strbuf_text(&message), "this is not a written program");
}

/* Of any changed byte comes another program or an error, never a fall. */
TEST(any_byte_may_be_another)
{
	auto_compiled struct compiled c;
	CHECK(compile(&c, "changed.d", shown, &compile_defaults));
	auto_strbuf struct strbuf bytes = { 0 }, message = { 0 };
	program_write(&c.program, c.types, &bytes);
	unsigned refused = 0;
	for (size_t i = 0; i < bytes.len; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			bytes.text[i] = (char)(bytes.text[i] ^ 1 << bit);
			refused += !reads(bytes.text, bytes.len, &message);
			bytes.text[i] = (char)(bytes.text[i] ^ 1 << bit);
		}
	CHECK(refused > bytes.len); /* most are in numbers of layouts */
}

TEST_MAIN
