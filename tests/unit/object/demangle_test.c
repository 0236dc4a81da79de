/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/demangle.h"

#include <malloc.h>
#include <stdio.h>

#include "test.h"

static const char *text_of(const char *name, enum demangle_form form)
{
	static struct strbuf text;
	strbuf_clear(&text);
	return demangle(name, form, &text) ? strbuf_text(&text) : "(none)";
}

TEST(names_of_cpp_and_rust)
{
	static const char method[] = "_ZN5outer5thing6methodEiPKc";
	CHECK_STR(text_of(method, DEMANGLE_WHOLE), "outer::thing::method(int, char const*)");
	CHECK_STR(text_of(method, DEMANGLE_NAME), "outer::thing::method");
	/* A template's name includes its return type, which is not needed. */
	CHECK_STR(text_of("_ZN5outer5twiceIlEET_S1_", DEMANGLE_WHOLE), "outer::twice<long>(long)");
	CHECK_STR(text_of("_ZN5outer1fEv.cold", DEMANGLE_WHOLE), "outer::f() [clone .cold]");
	CHECK_STR(text_of("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", DEMANGLE_WHOLE),
		  "core::fmt::Write::write_fmt");
	CHECK_STR(text_of("_RNvCs15kBYyAo9fc_7mycrate7example", DEMANGLE_WHOLE),
		  "mycrate::example");
}

static const char *shortened(const char *written)
{
	static char text[256];
	snprintf(text, sizeof(text), "%s", written);
	demangled_shorten(text, "<...>");
	return text;
}

TEST(long_arguments_of_templates_are_left_out)
{
	CHECK_STR(text_of("_ZNSt6vectorIiSaIiEE9push_backEOi", DEMANGLE_SHORT),
		  "std::vector<...>::push_back");
	CHECK_STR(text_of("_ZN5outer3boxIiE3addEi", DEMANGLE_SHORT), "outer::box<int>::add");
	CHECK_STR(shortened("a::map<int, b<c<d> > >::f<char const*>"), "a::map<...>::f<...>");
	CHECK_STR(shortened("std::operator<< <std::char_traits<char> >"), "std::operator<< <...>");
	CHECK_STR(shortened("box<long>::operator->"), "box<...>::operator->");
	CHECK_STR(shortened("std::operator==<char, std::char_traits<char> >"),
		  "std::operator==<...>");
	CHECK_STR(shortened("std::operator-<std::complex<double> >"), "std::operator-<...>");
	CHECK_STR(shortened("a::operator<=> <a::b<c> >"), "a::operator<=> <...>");
	CHECK_STR(shortened("my_operator<std::vector<int> >"), "my_operator<...>");
	CHECK_STR(shortened("run<int (*)(int)->long>::f"), "run<...>::f");
	CHECK_STR(shortened("<alloc::vec::Vec<u8> as core::fmt::Write>::write_str"),
		  "<alloc::vec::Vec<u8> as core::fmt::Write>::write_str");
	CHECK_STR(shortened("<a::Map<u8, u16> as b::Get<u16, u8>>::get::<u64>"),
		  "<a::Map<...> as b::Get<...>>::get::<u64>");
	CHECK_STR(shortened("f<never closed"), "f<...>");
	CHECK_STR(shortened("f<a>b>c<<d"), "f<a>b>c<<d");
	CHECK_STR(shortened(""), "");
}

TEST(other_names_have_no_text)
{
	CHECK_STR(text_of("main", DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of("", DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of("_", DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of("_Z", DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of("_ZN5outer", DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of("_Rubbish", DEMANGLE_WHOLE), "(none)");
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
	CHECK_STR(text_of(strbuf_text(&name), DEMANGLE_WHOLE), "(none)");
	CHECK_STR(text_of(strbuf_text(&name), DEMANGLE_NAME), "f");
}

TEST(a_name_without_end_has_none)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_puts(&name, "_ZN");
	for (int i = 0; i < 100000; i++)
		strbuf_puts(&name, "1a");
	strbuf_puts(&name, "Ev");
	CHECK_STR(text_of(strbuf_text(&name), DEMANGLE_WHOLE), "(none)");
	auto_strbuf struct strbuf nested = { 0 };
	strbuf_puts(&nested, "_Z1f");
	strbuf_fill(&nested, 'P', 5000);
	strbuf_puts(&nested, "i");
	CHECK_STR(text_of(strbuf_text(&nested), DEMANGLE_WHOLE), "(none)");
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
		CHECK_STR(text_of(strbuf_text(&name), DEMANGLE_WHOLE), "(none)");
		if (i == 100) /* malloc's own caches are full by now */
			before = mallinfo2().uordblks;
	}
	CHECK(mallinfo2().uordblks < before + 4096);
}

TEST_MAIN
