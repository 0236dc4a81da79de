/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every tests/golden/plan/NAME.d must give NAME.out: the plan of its program.  With GOLDEN_WRITE=1
 * in the environment the .out files are written.  A first line may hold options
 * (tests/unit/compile.h).
 */
#include "compile.h"
#include "golden.h"

#define DIRECTORY "tests/golden/plan"

static void give(const char *file, const struct strbuf *text, struct strbuf *out)
{
	auto_compiled struct compiled c;
	struct plan_options options = compile_options_of(text);
	if (compile(&c, file, strbuf_text(text), &options))
		plan_print(c.plan, out);
	else
		compiled_mistakes(&c, out);
}

TEST(golden_scripts_give_their_plans)
{
	CHECK(golden_scripts(DIRECTORY, give, true) >= 6);
}

TEST_MAIN
