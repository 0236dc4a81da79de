/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/escape.h"

#include <string.h>

#include "base/base.h"
#include "test.h"

static void check(const char *text, size_t len, unsigned what, const char *wanted)
{
	auto_strbuf struct strbuf out = { 0 };
	escape_add(&out, text, len, what);
	CHECK_STR(strbuf_text(&out), wanted);
	CHECK_INT(escape_changes(text, len, what), strcmp(text, wanted) != 0);
}

static void shown_as(const char *text, const char *wanted)
{
	check(text, strlen(text), ESCAPE_CONTROLS, wanted);
}

TEST(control_characters_have_names_or_octal_digits)
{
	shown_as("a\033[2J\ab\r\x7f", "a\\033[2J\\ab\\r\\177");
	shown_as("tab\there\nand there", "tab\there\nand there");
	shown_as("\xc2\x85 next line, \xc2\x9b[31m", "\\302\\205 next line, \\302\\233[31m");
}

TEST(valid_utf8_stays)
{
	shown_as("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7 \xc2\xa0",
		 "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7 \xc2\xa0");
	shown_as("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
		 "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf");
}

TEST(other_bytes_are_shown_each)
{
	shown_as("\x9b"
		 "31m",
		 "\\23331m");
	shown_as("\xc3", "\\303");
	shown_as("\xe2\x82", "\\342\\202");
	shown_as("\xc0\x9b \xe0\x80\x9b \xf0\x80\x80\x9b",
		 "\\300\\233 \\340\\200\\233 \\360\\200\\200\\233");
	shown_as("\xed\xa0\x80 \xf4\x90\x80\x80 \xff",
		 "\\355\\240\\200 \\364\\220\\200\\200 \\377");
}

TEST(newlines_only_where_they_are_asked_for)
{
	check("a\nb\033", 4, ESCAPE_NEWLINES, "a\\nb\033");
	check("a\nb\033", 4, ESCAPE_NEWLINES | ESCAPE_CONTROLS, "a\\nb\\033");
	check("a\nb\033", 4, 0, "a\nb\033");
}

TEST_MAIN
