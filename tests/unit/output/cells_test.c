/* SPDX-License-Identifier: BSD-2-Clause */
/* cells_test - columns of a terminal that texts fill */
#include <locale.h>

#include "output/writer.h"
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

TEST_MAIN
