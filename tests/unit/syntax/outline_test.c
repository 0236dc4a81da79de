/* SPDX-License-Identifier: BSD-2-Clause */
/* Which names a library defines, and where. */
#include "syntax/outline.h"

#include "test.h"

static const char *const kinds[] = { "value",  "type",	 "other", "depend",
				     "option", "pragma", "clause" };

/* "kind name line 'first character ... last character'", a line for each row. */
static void outlined(const char *text, struct strbuf *out)
{
	struct outline o = { 0 };
	outline_read(text, strlen(text), &o);
	for (size_t i = 0; i < o.items.count; i++) {
		const struct outline_item *item = &o.items.items[i];
		strbuf_printf(out, "%s %s %u %c%c\n", kinds[item->kind],
			      strbuf_text(&o.names) + item->name, item->line, text[item->begin],
			      text[item->end - 1]);
	}
	if (o.problem)
		strbuf_printf(out, "line %u: %s\n", o.problem_line, o.problem);
	outline_deinit(&o);
}

static void check_outline(const char *text, const char *wanted)
{
	auto_strbuf struct strbuf out = { 0 };
	outlined(text, &out);
	CHECK_STR(strbuf_text(&out), wanted);
}

TEST(inlines_have_the_name_before_their_value)
{
	check_outline("inline int A = 1;\n\ninline string f[int a, int b] = a ? \"];\" : \";\";"
		      "inline struct x *p = xlate <struct x *>((struct y *)0);",
		      "value A 1 i;\nvalue f 3 i;\nvalue p 3 i;\n");
}

TEST(types_have_all_their_names)
{
	check_outline("typedef struct a { int x; struct b { int y; } z; } a_t, *a_p;\n"
		      "enum colour { RED, GREEN = (1, 2), BLUE };\n"
		      "typedef int (*fn_t)(int, char);\n"
		      "typedef int five_t[5];\nstruct forward;\ntypedef enum { ONE } one_t;",
		      "type struct a 1 t;\ntype struct b 1 t;\ntype a_t 1 t;\ntype a_p 1 t;\n"
		      "type enum colour 2 e;\nvalue RED 2 e;\nvalue GREEN 2 e;\nvalue BLUE 2 e;\n"
		      "type fn_t 3 t;\ntype five_t 4 t;\nvalue ONE 6 t;\ntype one_t 6 t;\n");
}

TEST(translators_and_providers)
{
	check_outline("translator struct  a < int *x > { m = x[0]; };\n"
		      "provider p { probe a(int); };\n"
		      "#pragma D binding \"1.5\" translator\n"
		      "translator b_t < int x > { m = ';'; };",
		      "other xlate struct a 1 t;\nother provider p 2 p;\nother xlate b_t 3 #;\n");
}

TEST(control_lines)
{
	check_outline("#!/usr/sbin/dtrace -s\n#pragma D depends_on library io.d\n"
		      "# pragma D option quiet\n#pragma D attributes Stable/Stable/Common x\n"
		      "#pragma D binding \"1.0\" x\ninline int x = 1;\n"
		      "#pragma D attributes Stable/Stable/Common provider p name\n",
		      "depend library io.d 2 #d\noption quiet 3 #t\npragma x 4 #x\npragma x 5 #x\n"
		      "value x 6 i;\npragma provider p 7 #e\n");
}

TEST(wrong_control_lines_are_kept_to_be_checked)
{
	check_outline("#error x\n#define y 1\n#pragma D nothing\n#pragma D depends_on thing x\n"
		      "#\n#ident x\n#line 4\n# 5 \"f\"\n#pragma other\n#!x\n",
		      "clause  1 #x\nclause  2 #1\nclause  3 #g\nclause  4 #x\n");
}

TEST(clauses_have_no_name_and_comments_define_nothing)
{
	check_outline("/* inline int a = 1; */ // inline int b = 1;\n"
		      "syscall::read:entry /x == \"{\"/ { trace(1); if (y) { z = 1; } }\n"
		      "BEGIN { inline int c; }\ninline int d = 1;",
		      "clause  2 s}\nclause  3 B}\nvalue d 4 i;\n");
}

TEST(variables)
{
	check_outline("int a, b; self string c; foo_t d; struct x *e; string f[int, string];\n"
		      "foo_t g[int];",
		      "value a 1 i;\nvalue b 1 i;\nvalue self->c 1 s;\nvalue d 1 f;\nvalue e 1 s;\n"
		      "value f 1 s;\nvalue g 2 f;\n");
}

TEST(broken_texts_keep_what_stands_before)
{
	check_outline(
		"inline int a = 1;\ninline int b = (1;\n",
		"value a 1 i;\nvalue b 2 i\n\nline 2: this has no end: a } or ; is missing\n");
	check_outline("inline int a = 1;\n/* never",
		      "value a 1 i;\nline 2: this comment has no end\n");
	check_outline("inline string a = \"x;\n",
		      "value a 1 i\n\nline 1: this string has no closing quote\n");
	check_outline("", "");
}

TEST_MAIN
