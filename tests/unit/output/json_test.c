/* SPDX-License-Identifier: BSD-2-Clause */
/* json_test - strings and numbers lose nothing */
#include <math.h>

#include "output/json/json.h"
#include "test.h"

static struct writer w;

static const char *written(void)
{
	static char text[512];
	snprintf(text, sizeof(text), "%.*s", (int)w.used, w.buffer);
	w.used = 0;
	return text;
}

static const char *text_of(const char *bytes, size_t len)
{
	if (!w.buffer)
		writer_init(&w, -1);
	json_text(&w, bytes, len);
	return written();
}

TEST(plain_text)
{
	CHECK_STR(text_of("", 0), "\"\"");
	CHECK_STR(text_of("a b", 3), "\"a b\"");
	CHECK_STR(text_of("\"\\/", 3), "\"\\\"\\\\/\"");
	CHECK_STR(text_of("\b\t\n\f\r", 5), "\"\\b\\t\\n\\f\\r\"");
	CHECK_STR(text_of("\0\x01\x1f\x7f", 4), "\"\\u0000\\u0001\\u001f\\u007f\"");
}

TEST(utf8_stays)
{
	CHECK_STR(text_of("\xc3\xa9", 2), "\"\xc3\xa9\"");
	CHECK_STR(text_of("\xe6\x97\xa5", 3), "\"\xe6\x97\xa5\"");
	CHECK_STR(text_of("\xf0\x9f\x98\x80", 4), "\"\xf0\x9f\x98\x80\"");
	CHECK_STR(text_of("\xf4\x8f\xbf\xbf", 4), "\"\xf4\x8f\xbf\xbf\"");
}

/* Each comes with its bytes; each bad byte shows as U+FFFD. */
TEST(other_bytes_are_reported)
{
#define BAD "\xef\xbf\xbd"
	CHECK_STR(text_of("a\xff", 2), "{\"text\":\"a" BAD "\",\"bytes\":\"61ff\"}");
	CHECK_STR(text_of("\xc3", 1), "{\"text\":\"" BAD "\",\"bytes\":\"c3\"}");
	CHECK_STR(text_of("\xc0\x80", 2), "{\"text\":\"" BAD BAD "\",\"bytes\":\"c080\"}");
	CHECK_STR(text_of("\xe0\x80\x80", 3),
		  "{\"text\":\"" BAD BAD BAD "\",\"bytes\":\"e08080\"}");
	CHECK_STR(text_of("\xed\xa0\x80", 3),
		  "{\"text\":\"" BAD BAD BAD "\",\"bytes\":\"eda080\"}");
	CHECK_STR(text_of("\xf4\x90\x80\x80", 4),
		  "{\"text\":\"" BAD BAD BAD BAD "\",\"bytes\":\"f4908080\"}");
	CHECK_STR(text_of("\xe6\x97"
			  "x",
			  3),
		  "{\"text\":\"" BAD BAD "x\",\"bytes\":\"e69778\"}");
}

static const char *integer(uint64_t x, bool is_signed)
{
	json_integer_value(&w, x, is_signed);
	return written();
}

TEST(integers_beyond_doubles_are_digits)
{
	CHECK_STR(integer(0, true), "0");
	CHECK_STR(integer((uint64_t)-1, true), "-1");
	CHECK_STR(integer((1ull << 53) - 1, false), "9007199254740991");
	CHECK_STR(integer(1ull << 53, false), "{\"integer\":\"9007199254740992\"}");
	CHECK_STR(integer(0 - (1ull << 53), true), "{\"integer\":\"-9007199254740992\"}");
	CHECK_STR(integer(0 - ((1ull << 53) - 1), true), "-9007199254740991");
	CHECK_STR(integer(UINT64_MAX, false), "{\"integer\":\"18446744073709551615\"}");
	CHECK_STR(integer((uint64_t)INT64_MIN, true), "{\"integer\":\"-9223372036854775808\"}");
	json_unsigned(&w, UINT64_MAX);
	CHECK_STR(written(), "\"18446744073709551615\"");
	json_signed(&w, INT64_MIN);
	CHECK_STR(written(), "\"-9223372036854775808\"");
}

TEST(floats_have_all_their_digits)
{
	json_float(&w, 0.1, 8);
	CHECK_STR(written(), "0.10000000000000001");
	json_float(&w, -2.5, 8);
	CHECK_STR(written(), "-2.5");
	json_float(&w, NAN, 8);
	CHECK_STR(written(), "{\"float\":\"nan\"}");
	json_float(&w, -INFINITY, 8);
	CHECK_STR(written(), "{\"float\":\"-inf\"}");
}

TEST(members_are_separated)
{
	writer_putc(&w, '{');
	json_member(&w, "a");
	json_unsigned(&w, 1);
	json_member(&w, "b");
	json_bytes(&w, (const unsigned char *)"\x00\xff", 2);
	writer_putc(&w, '}');
	CHECK_STR(written(), "{\"a\":1,\"b\":{\"bytes\":\"00ff\"}}");
	writer_deinit(&w);
}

TEST_MAIN
