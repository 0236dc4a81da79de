/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "../../../lib/usdt/internal.h"
#include "test.h"

/* "-4 8" of the arguments: sizes, negative if signed, f for a fraction; or "error N". */
static const char *sizes(const char *declaration)
{
	static char text[128];
	struct arguments a = { 0 };
	int length = 0;
	if (declaration_parse(declaration, &a) < 0) {
		snprintf(text, sizeof(text), "error %d", errno);
		return text;
	}
	text[0] = 0;
	for (unsigned i = 0; i < a.count; i++)
		length += sprintf(text + length, "%s%s%d%s", i ? " " : "",
				  a.list[i].is_signed ? "-" : "", a.list[i].size,
				  a.list[i].is_float ? "f" : "");
	arguments_deinit(&a);
	return text;
}

TEST(no_arguments)
{
	CHECK_STR(sizes(NULL), "");
	CHECK_STR(sizes(""), "");
	CHECK_STR(sizes("  void "), "");
}

TEST(numbers)
{
	CHECK_STR(sizes("signed char, unsigned char a, short, unsigned short int b"), "-1 1 -2 2");
	CHECK_STR(sizes("int, signed, unsigned u, long unsigned int, long long"), "-4 -4 4 8 -8");
	CHECK_STR(sizes("int8_t a,uint8_t b,int16_t,uint16_t,int32_t,uint32_t,int64_t,uint64_t"),
		  "-1 1 -2 2 -4 4 -8 8");
	CHECK_STR(sizes("size_t n, ssize_t, pid_t, uid_t u, bool b, _Bool, hrtime_t"),
		  "8 -8 -4 4 1 1 -8");
	CHECK_STR(sizes("enum colour c, const volatile int x, int const"), "4 -4 -4");
	CHECK_STR(sizes("double d, float"), "8f 4f");
}

TEST(pointers)
{
	CHECK_STR(sizes("char *s, const char *const t, void*, struct foo *f, union u **"),
		  "8 8 8 8 8");
	CHECK_STR(sizes("unknown_t *p, int list[], char name[16], double *, string s"),
		  "8 8 8 8 8");
}

TEST(declarations_are_kept)
{
	struct arguments a;
	CHECK_INT(declaration_parse(" const char *\tname ,unsigned long n,\nstruct s *, char t[9]",
				    &a),
		  0);
	CHECK_INT(a.count, 4);
	CHECK_STR(a.list[0].declaration, "const char * name");
	CHECK_STR(a.list[1].declaration, "unsigned long n");
	CHECK_STR(a.list[2].declaration, "struct s *");
	CHECK_STR(a.list[3].declaration, "char *"); /* that is what is passed */
	arguments_deinit(&a);
}

TEST(mistakes)
{
	static const char *const texts[] = {
		"unknown_t x", "struct foo f",	 "int,",	   ",int",
		"int a b",     "long double x",	 "int (*f)(int)",  "char 'c'",
		"int x = 3",   "short long",	 "unsigned float", "int[3",
		"*",	       "void, int",	 "int a;",	   "signed unsigned int",
		"...",	       "long long long", "struct *",
	};
	char wanted[32];
	snprintf(wanted, sizeof(wanted), "error %d", EINVAL);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CHECK_STR(sizes(texts[i]), wanted);
		CHECK(strstr(dtusdt_error(), "not the type of a number or pointer"));
	}
}

TEST(twelve_arguments_and_no_more)
{
	char wanted[32];
	snprintf(wanted, sizeof(wanted), "error %d", E2BIG);
	CHECK_STR(sizes("int,int,int,int,int,int,int,int,int,int,int,char *"),
		  "-4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 8");
	CHECK_STR(sizes("int,int,int,int,int,int,int,int,int,int,int,int,int"), wanted);
	CHECK_STR(dtusdt_error(), "a probe has at most 12 arguments");
}

TEST_MAIN
