/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/demangle.h"

#include <malloc.h>
#include <stdio.h>

#include "test.h"

static const char *text_of(const char *name, bool parameters)
{
	static struct strbuf text;
	strbuf_clear(&text);
	return demangle(name, parameters, &text) ? strbuf_text(&text) : "(none)";
}

TEST(names_of_cpp_and_rust)
{
	static const char method[] = "_ZN5outer5thing6methodEiPKc";
	CHECK_STR(text_of(method, true), "outer::thing::method(int, char const*)");
	CHECK_STR(text_of(method, false), "outer::thing::method");
	/* A template's name includes its return type, which is not needed. */
	CHECK_STR(text_of("_ZN5outer5twiceIlEET_S1_", true), "outer::twice<long>(long)");
	CHECK_STR(text_of("_ZN5outer1fEv.cold", true), "outer::f() [clone .cold]");
	CHECK_STR(text_of("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", true),
		  "core::fmt::Write::write_fmt");
	CHECK_STR(text_of("_RNvCs15kBYyAo9fc_7mycrate7example", true), "mycrate::example");
}

TEST(other_names_have_no_text)
{
	CHECK_STR(text_of("main", true), "(none)");
	CHECK_STR(text_of("", true), "(none)");
	CHECK_STR(text_of("_", true), "(none)");
	CHECK_STR(text_of("_Z", true), "(none)");
	CHECK_STR(text_of("_ZN5outer", true), "(none)");
	CHECK_STR(text_of("_Rubbish", true), "(none)");
}

/* f(A<int, int>, A<those two>, A<those two>, ...): each parameter is twice as long as the last. */
TEST(a_short_name_with_an_endless_text_has_none)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_puts(&name, "_Z1f1AIiiE");
	for (int i = 0; i < 30; i++) {
		char digits[2] = { (char)(i < 10 ? '0' + i : 'A' + i - 10), 0 };
		strbuf_printf(&name, "S_IS%s_S%s_E", digits, digits);
	}
	CHECK_STR(text_of(strbuf_text(&name), true), "(none)");
	CHECK_STR(text_of(strbuf_text(&name), false), "f");
}

TEST(a_name_without_end_has_none)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_puts(&name, "_ZN");
	for (int i = 0; i < 100000; i++)
		strbuf_puts(&name, "1a");
	strbuf_puts(&name, "Ev");
	CHECK_STR(text_of(strbuf_text(&name), true), "(none)");
	auto_strbuf struct strbuf nested = { 0 };
	strbuf_puts(&nested, "_Z1f");
	strbuf_fill(&nested, 'P', 5000);
	strbuf_puts(&nested, "i");
	CHECK_STR(text_of(strbuf_text(&nested), true), "(none)");
}

/* Georgian words, decoded by libiberty, until the text is too long: their memory must be freed. */
#define PARTS 400
TEST(a_long_name_with_decoded_letters_leaks_nothing)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_puts(&name, "_R");
	for (int i = 0; i < PARTS; i++)
		strbuf_puts(&name, "Nv");
	strbuf_puts(&name, "C1a");
	for (int i = 0; i < PARTS; i++)
		strbuf_puts(&name, "u30____7hkackfecea1cbdathfdh9hlq6y");
	size_t before = 0;
	for (int i = 0; i < 200; i++) {
		CHECK_STR(text_of(strbuf_text(&name), true), "(none)");
		if (i == 100) /* malloc's own caches are full by now */
			before = mallinfo2().uordblks;
	}
	CHECK(mallinfo2().uordblks < before + 4096);
}

TEST_MAIN
