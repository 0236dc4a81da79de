/* SPDX-License-Identifier: BSD-2-Clause */
/* holds - results that are errors */
#ifndef TESTS_UNIT_HOLDS_H
#define TESTS_UNIT_HOLDS_H

#include "base/base.h"
#include "test.h"

/* The text of a verify function about FILE; NULL: all its statements are true. */
static inline void check_holds(const char *file, struct error *err)
{
	if (!err)
		return;
	printf("%s: %s\n", file, error_text(err));
	error_free(err);
	test_failed_now = true;
}

/* For CHECK(): was there no error?  It is printed. */
static inline bool is_fine(struct error *err)
{
	if (err)
		printf("error: %s\n", error_text(err));
	bool fine = !err;
	error_free(err);
	return fine;
}

#endif
