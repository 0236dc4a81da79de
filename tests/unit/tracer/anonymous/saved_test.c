/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/anonymous/saved.h"

#include "test.h"

static struct saved *parsed(const char *text)
{
	struct saved *s = NULL;
	struct error *err = saved_parse(text, strlen(text), &s);
	if (err)
		printf("%s\n", error_text(err));
	CHECK(!err);
	error_free(err);
	return s;
}

static void check_refused(const char *text, const char *why)
{
	struct saved *s = NULL;
	auto_error struct error *err = saved_parse(text, strlen(text), &s);
	CHECK(err);
	if (err)
		CHECK_STR(error_text(err), why);
	saved_free(s);
}

/* Everything written is read back unchanged. */
TEST(texts_survive)
{
	static const struct {
		const char *text;
		size_t len;
	} texts[] = {
		{ "", 0 },	     { "one", 3 },	    { "two\nlines", 9 },
		{ "\n", 1 },	     { "\tend\nend\n", 9 }, { "# no comment\n\n\tx\n", 17 },
		{ " blanks ", 8 },   { "a\0b\nc\0", 6 },    { "text option\nname x", 18 },
		{ "\r\n\t\t\r", 5 }, { "=\n=", 3 },
	};
	auto_strbuf struct strbuf out = { 0 };
	saved_begin(&out);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		saved_add(&out, "option", texts[i].text, texts[i].len);
		saved_add(&out, "script", "file\nname", 9);
		saved_add(&out, "text", texts[i].text, texts[i].len);
		saved_add(&out, "function", texts[i].text, texts[i].len);
	}
	saved_end(&out);

	struct saved *s = NULL;
	auto_error struct error *err = saved_parse(strbuf_text(&out), out.len, &s);
	CHECK(!err);
	if (err)
		return;
	CHECK_INT(s->options.count, ARRAY_SIZE(texts));
	CHECK_INT(s->programs.count, 2 * ARRAY_SIZE(texts));
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const struct saved_program *script = &s->programs.items[2 * i];
		const struct saved_program *function = &s->programs.items[2 * i + 1];
		CHECK_INT(s->options.items[i].len, texts[i].len);
		CHECK(memcmp(s->options.items[i].text, texts[i].text, texts[i].len + 1) == 0);
		CHECK_INT(script->kind, PROGRAM_SCRIPT);
		CHECK_STR(script->name.text, "file\nname");
		CHECK_INT(script->text.len, texts[i].len);
		CHECK(memcmp(script->text.text, texts[i].text, texts[i].len + 1) == 0);
		CHECK_INT(function->kind, PROGRAM_FUNCTION);
		CHECK(memcmp(function->text.text, texts[i].text, texts[i].len + 1) == 0);
	}
	saved_free(s);
}

TEST(comments_and_unended_lines)
{
	struct saved *s = parsed("# mine\n\ndtrace-anonymous 1\n# between\noption quiet\n\n"
				 "macro pid=7\nargument a\nend");
	CHECK_INT(s->options.count, 1);
	CHECK_STR(s->options.items[0].text, "quiet");
	CHECK_STR(s->macros.items[0].text, "pid=7");
	CHECK_STR(s->arguments.items[0].text, "a");
	saved_free(s);
}

TEST(refusals_name_the_line)
{
	check_refused("", "there are no programs in it");
	check_refused("# a comment\n\n", "there are no programs in it");
	check_refused("root:x:0:0\n", "line 1: not what dtrace -A writes");
	check_refused("\n# x\nname BEGIN\nend\n", "line 3: not what dtrace -A writes");
	check_refused("dtrace-anonymous 2\nend\n",
		      "line 1: another version of dtrace has written it");
	check_refused("dtrace-anonymous 1\nname a\n\tb\nwhat now\nend\n",
		      "line 4: not what dtrace -A writes");
	check_refused("dtrace-anonymous 1\nscript x.d\nend\n", "line 3: a script has no text");
	check_refused("dtrace-anonymous 1\nscript x.d\n", "line 2: a script has no text");
	check_refused("dtrace-anonymous 1\ntext x\nend\n", "line 2: not what dtrace -A writes");
	check_refused("dtrace-anonymous 1\noption quiet\n", "its end is missing");
	check_refused("dtrace-anonymous 1\nname a\nend\n# x\n\nname b\nend\n",
		      "line 6: nothing may come after the end");
	check_refused("dtrace-anonymous 1\nname a\nend\n\tb\n",
		      "line 3: nothing may come after the end");
}

static const char *pruned(const char *text, bool *found, struct strbuf *rest)
{
	auto_strbuf struct strbuf whole = { 0 };
	strbuf_puts(&whole, text);
	strbuf_clear(rest);
	auto_error struct error *err = tracer_prune_saved(&whole, rest, found);
	return err ? "refused" : strbuf_text(rest);
}

TEST(pruning_keeps_what_is_not_ours)
{
	auto_strbuf struct strbuf rest = { 0 };
	bool found;
	CHECK_STR(pruned("# a\ndtrace-anonymous 1\nname x\n\t# inside\n\t\nend\n\n# b", &found,
			 &rest),
		  "# a\n\n# b\n");
	CHECK(found);
	CHECK_STR(pruned("# a\n", &found, &rest), "# a\n");
	CHECK(!found);
	CHECK_STR(pruned("", &found, &rest), "");
	CHECK(!found);
	CHECK_STR(pruned("dtrace-anonymous 1\nend\nroot:x\n", &found, &rest), "refused");
	CHECK_STR(pruned("names\n", &found, &rest), "refused");
}

/* A probe's number means nothing later. */
TEST(keywords)
{
	CHECK_STR(saved_keyword(PROGRAM_SCRIPT), "script");
	CHECK_STR(saved_keyword(PROGRAM_PROVIDER), "provider");
	CHECK(!saved_keyword(PROGRAM_ID));
}

TEST_MAIN
