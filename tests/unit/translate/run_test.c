/* SPDX-License-Identifier: BSD-2-Clause */
/* The tests of codegen/run_test.c with translated code */
#ifdef __x86_64__
#include "translate/native.h"

#include "codegen/run_test.c"
#else
#include "test.h"

TEST(translated_code_runs)
{
	SKIP("code is translated for x86_64 only");
}

TEST_MAIN
#endif
