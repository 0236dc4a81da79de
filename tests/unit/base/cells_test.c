/* SPDX-License-Identifier: BSD-2-Clause */
/* cells_test - columns of a terminal that texts fill */
#include <locale.h>
#include <unistd.h>

#include "base/cells.h"
#include "test.h"

TEST(characters_fill_cells_and_not_bytes)
{
	static const struct {
		const char *text;
		size_t cells;
	} cases[] = {
		{ "", 0 },
		{ "plain", 5 },
		{ "gr\xc3\xbcn", 4 },
		{ "\xe6\x97\xa5\xe6\x9c\xac", 4 }, /* two wide ones */
		{ "e\xcc\x81", 1 },		   /* an accent of its own */
		{ "\xf0\x9f\x98\x80", 2 },	   /* beyond 16 bits */
		{ "\xff\xfe", 2 },		   /* no characters: bytes */
		{ "a\xe6\x97", 3 },		   /* the last one is truncated */
		{ "\xe6\x97z", 3 },
		{ "a\tb", 3 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(text_cells(cases[i].text, strlen(cases[i].text)), cases[i].cells);
}

TEST(the_locale_of_the_process_does_not_matter)
{
	CHECK(setlocale(LC_ALL, "C"));
	CHECK_INT(text_cells("\xc3\xbc", 2), 1);
}

static const char *cut(const char *text, size_t most)
{
	static struct strbuf out;
	strbuf_clear(&out);
	text_add_cut(&out, text, strlen(text), most);
	return strbuf_text(&out);
}

TEST(text_is_cut_to_cells)
{
	CHECK_STR(cut("whole", 5), "whole");
	CHECK_STR(cut("whole", SIZE_MAX), "whole");
	CHECK_STR(cut("longer", 5), "lon..");
	CHECK_STR(cut("", 0), "");
	CHECK_STR(cut("longer", 2), "..");
	CHECK_STR(cut("gr\xc3\xbcn", 4), "gr\xc3\xbcn");
	CHECK_STR(cut("gr\xc3\xbcner", 5), "gr\xc3\xbc..");
	/* No half of a wide character, no accent without its letter. */
	CHECK_STR(cut("\xe6\x97\xa5\xe6\x9c\xac\xe6\x97\xa5", 5), "\xe6\x97\xa5..");
	CHECK_STR(cut("ae\xcc\x81xyz", 4), "ae\xcc\x81..");
	CHECK_INT(text_fit("\xff\xfe\xfd", 3, 2), 2);
}

TEST(columns_share_what_their_widths_leave)
{
	struct table_column columns[] = { { .width = 5, .content = 3 },
					  { .width = 5, .content = 30 },
					  { .width = 5, .content = 7 } };
	columns_fit(columns, 3, 15);
	CHECK_INT(columns[1].most, 5);
	columns_fit(columns, 3, 4); /* too short for the widths */
	CHECK_INT(columns[2].most, 5);
	columns_fit(columns, 3, 30);
	CHECK_INT(columns[0].most, 5);
	CHECK_INT(columns[1].most, 18);
	CHECK_INT(columns[2].most, 7);
	columns_fit(columns, 3, 300);
	CHECK_INT(columns[1].most, 30);
}

TEST(only_terminals_have_lines_of_cells)
{
	int ends[2];
	CHECK(pipe(ends) == 0);
	CHECK_INT(terminal_cells(ends[1]), 0);
	CHECK_INT(terminal_cells(-1), 0);
	close(ends[0]);
	close(ends[1]);
}

TEST_MAIN
