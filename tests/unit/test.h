/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test - the smallest harness that tells what failed
 *
 *	TEST(name) { CHECK(x == 3); CHECK_STR(text, "abc"); }
 *	TEST_MAIN
 *
 * Prints one line per test, "ok NAME" or "FAILED NAME", and exits 1 if any
 * failed.  A test that cannot run here says why: SKIP("needs ...").
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
	const char *name;
	void (*run)(void);
	struct test *next;
};

static struct test *test_first, **test_end = &test_first;
static bool test_failed_now;
static const char *test_skipped;

#define TEST(id)                                                                                   \
	static void test_run_##id(void);                                                           \
	static struct test test_##id = { #id, test_run_##id, NULL };                               \
	__attribute__((constructor)) static void test_add_##id(void)                               \
	{                                                                                          \
		*test_end = &test_##id;                                                            \
		test_end = &test_##id.next;                                                        \
	}                                                                                          \
	static void test_run_##id(void)

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);           \
			test_failed_now = true;                                                    \
		}                                                                                  \
	} while (0)

#define CHECK_INT(got, wanted)                                                                     \
	do {                                                                                       \
		long long got_ = (long long)(got), wanted_ = (long long)(wanted);                  \
		if (got_ != wanted_) {                                                             \
			printf("%s:%d: %s is %lld, wanted %lld\n", __FILE__, __LINE__, #got, got_, \
			       wanted_);                                                           \
			test_failed_now = true;                                                    \
		}                                                                                  \
	} while (0)

#define CHECK_STR(got, wanted)                                                                     \
	do {                                                                                       \
		const char *got_ = (got), *wanted_ = (wanted);                                     \
		if (!got_ || strcmp(got_, wanted_) != 0) {                                         \
			printf("%s:%d: %s is \"%s\", wanted \"%s\"\n", __FILE__, __LINE__, #got,   \
			       got_ ? got_ : "(null)", wanted_);                                   \
			test_failed_now = true;                                                    \
		}                                                                                  \
	} while (0)

#define SKIP(why)                                                                                  \
	do {                                                                                       \
		test_skipped = (why);                                                              \
		return;                                                                            \
	} while (0)

#define TEST_MAIN                                                                                  \
	int main(void)                                                                             \
	{                                                                                          \
		bool any_failed = false;                                                           \
		for (struct test *t = test_first; t; t = t->next) {                                \
			test_failed_now = false;                                                   \
			test_skipped = NULL;                                                       \
			t->run();                                                                  \
			if (test_failed_now)                                                       \
				printf("FAILED %s\n", t->name);                                    \
			else if (test_skipped)                                                     \
				printf("skipped %s: %s\n", t->name, test_skipped);                 \
			else                                                                       \
				printf("ok %s\n", t->name);                                        \
			any_failed |= test_failed_now;                                             \
		}                                                                                  \
		return any_failed;                                                                 \
	}

#endif
