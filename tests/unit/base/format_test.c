/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/format.h"

#include "base/base.h"
#include "base/error.h"
#include "test.h"

static bool is_wrong(const char *text)
{
	struct format f;
	auto_error struct error *err = format_parse(text, &f);
	if (!err)
		format_deinit(&f);
	return err;
}

TEST(text_and_conversions_alternate)
{
	struct format f;
	CHECK(format_parse("a%d100%% b%-*.5s", &f) == NULL);
	CHECK_INT(f.count, 3);
	const struct format_conversion *c = f.conversions;
	CHECK(c[0].text_len == 1 && c[0].letter == 'd' && c[0].width == -1 && c[0].precision == -1);
	CHECK(c[1].text_len == 6 && memcmp(c[1].text, "100% b", 6) == 0);
	CHECK(c[1].letter == 's' && c[1].left && c[1].width_star && c[1].precision == 5);
	CHECK(c[2].letter == 0 && c[2].text_len == 0);
	format_deinit(&f);
}

TEST(flags_are_kept_and_the_later_of_zero_and_minus_wins)
{
	struct format f;
	CHECK(format_parse("%-05d%0-5d%#+ '?@lld", &f) == NULL);
	CHECK(f.conversions[0].zero && !f.conversions[0].left && f.conversions[0].width == 5);
	CHECK(!f.conversions[1].zero && f.conversions[1].left);
	const struct format_conversion *c = &f.conversions[2];
	CHECK(c->alternate && c->plus && c->blank && c->group && c->pointer_width);
	CHECK(c->aggregation);
	CHECK_STR(c->size, "ll");
	format_deinit(&f);
}

TEST(flags_may_stand_behind_width_and_precision)
{
	struct format f;
	CHECK(format_parse("%16@d%8-.3+d%.2@x%*-s", &f) == NULL);
	const struct format_conversion *c = f.conversions;
	CHECK(c[0].width == 16 && c[0].aggregation && c[0].letter == 'd');
	CHECK(c[1].width == 8 && c[1].left && c[1].precision == 3 && c[1].plus);
	CHECK(c[2].precision == 2 && c[2].aggregation && c[2].letter == 'x');
	CHECK(c[3].width_star && c[3].left && c[3].letter == 's');
	format_deinit(&f);
}

TEST(what_is_wrong_is_told_with_its_conversion)
{
	struct format f;
	auto_error struct error *err = format_parse("%d %% %-8q %s", &f);
	CHECK_STR(error_text(err), "it has an unknown conversion: %-8q");
	auto_error struct error *end = format_parse("%d %5", &f);
	CHECK_STR(error_text(end), "it ends inside a conversion: %5");
}

TEST(a_bare_point_is_precision_zero)
{
	struct format f;
	CHECK(format_parse("%.s%.*x", &f) == NULL);
	CHECK_INT(f.conversions[0].precision, 0);
	CHECK(f.conversions[1].precision_star && f.conversions[1].precision == -1);
	format_deinit(&f);
}

TEST(empty_text_has_only_its_end)
{
	struct format f;
	CHECK(format_parse("", &f) == NULL);
	CHECK(f.count == 1 && f.conversions[0].letter == 0 && f.conversions[0].text_len == 0);
	format_deinit(&f);
}

TEST(wrong_formats_are_reported)
{
	static const char *const wrong[] = { "%",    "%5",  "%**d", "%.*.5d",
					     "%1$d", "%5%", "%q",   "%llld",
					     "%hs",  "%Ld", "%lf",  "%99999999999d",
					     "%.%",  "%n",  "%M",   "%!d" };
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		if (!is_wrong(wrong[i])) {
			printf("%s was taken\n", wrong[i]);
			test_failed_now = true;
		}
	static const char *const right[] = { "%%", "%hhd", "%Lf", "%ls",   "%wc", "%Y", "%@d",
					     "%k", "%A",   "%lX", "%5.3i", "%I",  "%P" };
	for (size_t i = 0; i < ARRAY_SIZE(right); i++)
		CHECK(!is_wrong(right[i]));
}

TEST_MAIN
