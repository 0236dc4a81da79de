/* SPDX-License-Identifier: BSD-2-Clause */
/* holds - the text of a verify function about FILE; NULL: all its statements are true */
#ifndef TESTS_UNIT_HOLDS_H
#define TESTS_UNIT_HOLDS_H

#include "base/base.h"
#include "test.h"

static inline void check_holds(const char *file, struct error *err)
{
	if (!err)
		return;
	printf("%s: %s\n", file, error_text(err));
	error_free(err);
	test_failed_now = true;
}

#endif
