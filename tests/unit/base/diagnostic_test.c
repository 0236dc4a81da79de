/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/diagnostic.h"

#include "base/base.h"
#include "test.h"

/* The output for D; valid until the next call. */
static const char *printed(struct diagnostics *d, bool errtags)
{
	static char *text;
	size_t len;
	free(text);
	FILE *f = open_memstream(&text, &len);
	diagnostics_print(d, f, "dtrace", errtags, 20);
	fclose(f);
	return text;
}

static struct source source_of(const char *text, enum source_kind kind)
{
	return (struct source) { .name = "x.d", .text = text, .len = strlen(text), .kind = kind };
}

static struct range range_of(const struct source *src, uint32_t begin, uint32_t end)
{
	struct range r = { .source = src, .begin = begin, .end = end, .line = 1 };
	for (uint32_t i = 0; i < begin; i++)
		r.line += src->text[i] == '\n';
	return r;
}

TEST(script_mistakes_show_line_and_caret)
{
	struct source src = source_of("BEGIN\n{\n\t4 = x;\n}\n", SOURCE_FILE);
	struct diagnostics d = { 0 };
	diagnose(&d, range_of(&src, 9, 14), D_OP_LVAL, "not %s", "writable");
	CHECK_STR(printed(&d, false), "dtrace: failed to compile script x.d: line 3: not writable\n"
				      "       3 | \t4 = x;\n"
				      "         | \t^~~~~\n");
	CHECK_STR(printed(&d, true),
		  "dtrace: failed to compile script x.d: [D_OP_LVAL] line 3: not writable\n"
		  "       3 | \t4 = x;\n"
		  "         | \t^~~~~\n");
	diagnostics_deinit(&d);
}

static void remedy_is(const char *text, const char *wanted)
{
	auto_free char *remedy = diagnostic_remedy(&(struct diagnostic) { .text = (char *)text });
	CHECK_STR(remedy ? remedy : "", wanted);
}

TEST(what_to_do_is_the_end_of_the_text)
{
	remedy_is("timestmap is unknown: did you mean timestamp?", "did you mean timestamp?");
	remedy_is("no probe (did you mean syscall::read:entry?)",
		  "did you mean syscall::read:entry?");
	remedy_is("print() cannot show an aggregation: use printa()", "use printa()");
	remedy_is("D has no loops: use a probe that fires often near \"for\"",
		  "use a probe that fires often");
	remedy_is("x is unknown: it is a type: declare it (extern int x;), or cast that",
		  "declare it (extern int x;), or cast that");
	remedy_is("operands of + have incompatible types: int and string", "");
	remedy_is("index 4 is outside: useless", "");
	remedy_is("", "");
}

TEST(a_mistake_that_is_found_three_times_is_shown_once)
{
	struct source src = source_of("a = b", SOURCE_FILE);
	struct diagnostics d = { 0 };
	for (int i = 0; i < 3; i++)
		diagnose(&d, (struct range) { &src, 4, 5, 0, NULL }, D_SYNTAX, "the same");
	CHECK_STR(printed(&d, false), "dtrace: failed to compile script x.d: the same\n");
	diagnostics_deinit(&d);
}

TEST(mistakes_of_two_sources_are_in_order)
{
	struct source program = source_of("a = b", SOURCE_FILE), other = program;
	program.name = "p";
	other.name = "o";
	struct diagnostics d = { 0 };
	diagnose(&d, (struct range) { &program, 4, 5, 0, NULL }, D_SYNTAX, "later");
	diagnose(&d, (struct range) { &other, 1, 2, 0, NULL }, D_SYNTAX, "elsewhere");
	diagnose(&d, (struct range) { &program, 2, 3, 0, NULL }, D_SYNTAX, "earlier");
	CHECK_STR(printed(&d, false), "dtrace: failed to compile script p: earlier\n"
				      "dtrace: failed to compile script p: later\n"
				      "dtrace: failed to compile script o: elsewhere\n");
	diagnostics_deinit(&d);
}

TEST(specifiers_tell_the_part_and_other_files_their_name)
{
	struct source src = source_of("f /x/ {}", SOURCE_SPECIFIER);
	struct diagnostics d = { 0 };
	diagnose(&d, range_of(&src, 0, 1), D_PDESC_ZERO, "no probe");
	d.where = "in predicate";
	diagnose(&d, range_of(&src, 3, 4), D_IDENT_UNDEF, "no x");
	CHECK_STR(printed(&d, false), "dtrace: invalid probe specifier x.d: no probe\n"
				      "       1 | f /x/ {}\n"
				      "         | ^\n"
				      "dtrace: invalid probe specifier x.d: in predicate: no x\n"
				      "       1 | f /x/ {}\n"
				      "         |    ^\n");
	diagnostics_deinit(&d);

	struct source lib = source_of("int x", SOURCE_LIBRARY), script = lib;
	script.kind = SOURCE_FILE;
	struct range included = range_of(&script, 4, 5);
	included.file = "y.h";
	included.line = 70;
	d.where = NULL;
	diagnose(&d, range_of(&lib, 4, 5), D_SYNTAX, "one");
	diagnose(&d, included, D_SYNTAX, "two");
	CHECK_STR(printed(&d, false),
		  "dtrace: failed to compile script x.d: \"x.d\", line 1: one\n"
		  "       1 | int x\n"
		  "         |     ^\n"
		  "dtrace: failed to compile script x.d: \"y.h\", line 70: two\n"
		  "      70 | int x\n"
		  "         |     ^\n");
	diagnostics_deinit(&d);
}

TEST(a_specifier_of_several_lines_is_printed_once)
{
	struct source src = source_of("f\n{ a; b }", SOURCE_SPECIFIER);
	src.name = src.text;
	struct diagnostics d = { .where = "in action list" };
	diagnose(&d, range_of(&src, 4, 5), D_IDENT_UNDEF, "no a");
	diagnose(&d, range_of(&src, 7, 8), D_IDENT_UNDEF, "no b");
	CHECK_STR(
		printed(&d, true),
		"dtrace: invalid probe specifier f\n{ a; b }: [D_IDENT_UNDEF] in action list: no "
		"a\n"
		"       2 | { a; b }\n"
		"         |   ^\n"
		"dtrace: invalid probe specifier (the same): [D_IDENT_UNDEF] in action list: no b\n"
		"       2 | { a; b }\n"
		"         |      ^\n");
	diagnostics_deinit(&d);
}

TEST(a_long_specifier_is_printed_once)
{
	struct source src =
		source_of("f { a; b; this text is longer than the line of a terminal usually "
			  "is, so that it is read once, and not at each mistake }",
			  SOURCE_SPECIFIER);
	src.name = src.text;
	struct diagnostics d = { 0 };
	diagnose(&d, range_of(&src, 4, 5), D_IDENT_UNDEF, "no a");
	diagnose(&d, range_of(&src, 7, 8), D_IDENT_UNDEF, "no b");
	const char *text = printed(&d, false), *first = strstr(text, src.text);
	CHECK(first && !strstr(first + 1, src.text));
	CHECK(strstr(text, "\ndtrace: invalid probe specifier (the same): no b\n"));
	diagnostics_deinit(&d);
}

TEST(mistakes_come_in_order_and_once)
{
	struct source src = source_of("a b", SOURCE_FILE);
	struct diagnostics d = { 0 };
	diagnose(&d, range_of(&src, 2, 3), D_SYNTAX, "second");
	diagnose(&d, range_of(&src, 0, 1), D_SYNTAX, "first");
	diagnose(&d, range_of(&src, 2, 3), D_SYNTAX, "second");
	const char *text = printed(&d, false);
	CHECK(strstr(text, "first") < strstr(text, "second"));
	CHECK(!strstr(strstr(text, "second") + 1, "second"));
	diagnostics_deinit(&d);
}

TEST(only_twenty_are_shown)
{
	struct source src = source_of("a\nb", SOURCE_FILE);
	struct diagnostics d = { 0 };
	for (int i = 0; i < 23; i++)
		diagnose(&d, range_of(&src, 2, 3), D_SYNTAX, "number %d", i);
	const char *text = printed(&d, false);
	CHECK(strstr(text, "number 19\n"));
	CHECK(!strstr(text, "number 20\n"));
	CHECK(strstr(text, "dtrace: 3 more mistakes are not shown\n"));
	CHECK(!strstr(text, "was not read"));
	d.gave_up = true;
	CHECK(strstr(printed(&d, false), "dtrace: too many mistakes: the rest was not read\n"));
	diagnostics_deinit(&d);
}

TEST(a_file_that_is_wrong_from_its_first_line_on_is_called_no_D)
{
	struct source src = source_of("#!/bin/sh\n\n if x\nfi", SOURCE_FILE);
	struct diagnostics d = { 0 };
	for (int i = 0; i < 23; i++)
		diagnose(&d, range_of(&src, 12, 14), D_SYNTAX, "number %d", i);
	CHECK(strstr(printed(&d, false),
		     "3 more mistakes are not shown: the file looks like no D\n"));
	diagnostics_deinit(&d);
	d = (struct diagnostics) { 0 };
	for (int i = 0; i < 23; i++)
		diagnose(&d, range_of(&src, 17, 18), D_SYNTAX, "number %d", i);
	CHECK(strstr(printed(&d, false), "3 more mistakes are not shown\n"));
	diagnostics_deinit(&d);
}

TEST(excerpts_are_printable_and_short)
{
	char line[1000];
	memset(line, 'x', sizeof(line));
	line[500] = '\x01';
	line[501] = '\xff';
	struct source src = { .name = "x.d", .text = line, .len = sizeof(line) };
	struct diagnostics d = { 0 };
	diagnose(&d, range_of(&src, 500, 900), D_SYNTAX, "binary");
	const char *excerpt = strchr(printed(&d, false), '\n') + 1;
	CHECK(strstr(excerpt, "x..xx"));
	CHECK(strncmp(excerpt, "       1 | ...xx", 16) == 0);
	CHECK(strchr(excerpt, '\n') - excerpt < 130);
	const char *caret = strchr(excerpt, '\n') + 1;
	CHECK_INT(strchr(caret, '^') - caret, strchr(excerpt, 'x') - excerpt + 50);
	CHECK(strlen(caret) < 130);
	diagnostics_deinit(&d);
}

TEST(odd_places_are_fine)
{
	struct source empty = { .name = "x.d", .text = "", .len = 0 };
	struct source src = source_of("a\r\n\n", SOURCE_FILE);
	struct diagnostics d = { 0 };
	diagnose(&d, (struct range) { 0 }, D_UNKNOWN, "nowhere");
	CHECK_STR(printed(&d, false), "dtrace: nowhere\n");
	diagnose(&d, (struct range) { .source = &empty, .line = 1 }, D_EMPTY, "empty");
	diagnose(&d, (struct range) { .source = &src, .begin = 9, .end = 12 }, D_SYNTAX, "after");
	diagnose(&d, range_of(&src, 4, 4), D_SYNTAX, "at the end");
	diagnose(&d, range_of(&src, 0, 9), D_SYNTAX, "many lines");
	CHECK(strstr(printed(&d, false), "many lines\n       1 | a\n         | ^\n"));
	diagnostics_deinit(&d);
}

TEST(tags_have_names)
{
	CHECK_STR(diagnostic_tag_name(D_SYNTAX), "D_SYNTAX");
	CHECK_STR(diagnostic_tag_name((enum diagnostic_tag)9999), "D_UNKNOWN");
}

TEST_MAIN
