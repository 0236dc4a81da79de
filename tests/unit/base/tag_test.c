/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each tag of base/diagnostic.def is either shown by a golden test (its .out file contains
 * "[D_TAG]"), or checked by a unit test that names "[D_TAG]", or it cannot occur and is in the
 * list below with the reason.
 */
#include <dirent.h>
#include <ftw.h>

#include "base/base.h"
#include "base/diagnostic.h"
#include "golden.h"
#include "test.h"

/* --- what cannot occur ---------------------------------------------------------------------- */

static const struct {
	const char *tag, *reason;
} absent[] = {
	/* by decisions of the specification */
	{ "D_ALLOCA_INCOMPAT", "pointers to own memory are told apart when the clause runs" },
	{ "D_COMM_COMM", "several commits are allowed" },
	{ "D_TRACEMEM_ARGS", "D_PROTO_LEN comes first" },
	{ "D_STACK_PROTO", "D_PROTO_LEN comes first" },
	{ "D_USTACK_PROTO", "D_PROTO_LEN comes first" },
	{ "D_CLEAR_PROTO", "D_PROTO_LEN comes first" },
	{ "D_NORMALIZE_PROTO", "D_PROTO_LEN comes first" },
	{ "D_PRINT_DYN", "translated values have all members printed" },
	{ "D_TRUNC_PROTO", "D_PROTO_LEN comes first" },
	{ "D_QUANT_PROTO", "D_PROTO_LEN comes first" },
	{ "D_NORMALIZE_SCALAR", "D_PROTO_ARG comes first" },
	{ "D_TRUNC_SCALAR", "D_PROTO_ARG comes first" },
	{ "D_SYM_MODEL", "kernel and programs have 64 bits" },
	{ "D_LLQUANT_LOWTYPE", "we use the other names of the family: LMAGTYPE" },
	{ "D_LLQUANT_LOWVAL", "LMAGVAL" },
	{ "D_LLQUANT_HIGHTYPE", "HMAGTYPE" },
	{ "D_LLQUANT_HIGHVAL", "HMAGVAL" },
	{ "D_LLQUANT_NSTEPTYPE", "STEPTYPE" },
	{ "D_LLQUANT_NSTEPVAL", "STEPVAL" },
	{ "D_LLQUANT_FACTORSMALL", "FACTORVAL" },
	{ "D_LLQUANT_MAGRANGE", "HMAGVAL" },
	{ "D_LLQUANT_FACTORNSTEPS", "STEPVAL" },
	{ "D_LLQUANT_FACTOREVEN", "STEPVAL" },
	{ "D_LLQUANT_MAGTOOBIG", "HMAGVAL" },
	{ "D_LLQUANT_FACTORMATCH", "MATCHFACTOR" },
	{ "D_LLQUANT_LOWMATCH", "MATCHLMAG" },
	{ "D_LLQUANT_HIGHMATCH", "MATCHHMAG" },
	{ "D_LLQUANT_NSTEPMATCH", "MATCHSTEPS" },
	{ "D_PRINTM_ADDR", "an action of FreeBSD only" },
	{ "D_PRINTM_SIZE", "an action of FreeBSD only" },
	{ "D_PROC_DYN", "where things are mapped is read from /proc, not from a dynamic linker" },
	{ "D_PROC_NODEV", "a kernel without uprobes; tests/trace need one with them" },
	/* by features that do not exist yet */
	{ "D_PCAP_SIZE", "pcap() takes no size" },
	{ "D_PROC_BADPROV", "USDT" },
	{ "D_PROC_LIB", "a module that a process has not is D_PDESC_ZERO so far" },
	{ "D_PROC_USDT", "USDT" },
	{ "D_TRUNC_PROTO", "D_PROTO_LEN" },
	{ "D_TRUNC_SCALAR", "D_PROTO_ARG" },
	{ "D_QUANT_PROTO", "D_PROTO_LEN" },
	{ "D_SYM_BADREF", "symbols of processes (module``name)" },
};

static const char *reason_of(const char *tag)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++)
		if (string_equal(absent[i].tag, tag))
			return absent[i].reason;
	return NULL;
}

/* --- tags in the tests ----------------------------------------------------------------------- */

static struct strbuf shown; /* all .out files, and the unit tests' sources */

static int read_file(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	size_t len = strlen(path);
	bool golden = len > 4 && strcmp(path + len - 4, ".out") == 0;
	bool source = len > 7 && strcmp(path + len - 7, "_test.c") == 0;
	if (kind == FTW_F && (golden || source) && !strstr(path, "tag_test.c"))
		golden_read(path, &shown);
	return 0;
}

TEST(each_tag_is_shown_or_has_a_reason)
{
	static const char *const tags[] = {
#define DIAGNOSTIC(tag, meaning) #tag,
#include "base/diagnostic.def"
#undef DIAGNOSTIC
	};
	nftw("tests/golden", read_file, 16, FTW_PHYS);
	nftw("tests/unit", read_file, 16, FTW_PHYS);
	CHECK(shown.len > 10000);
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		auto_free char *text = mem_printf("[%s]", tags[i]);
		bool is_shown = strstr(strbuf_text(&shown), text);
		const char *reason = reason_of(tags[i]);
		if (is_shown && reason)
			printf("note: %s is shown by a test: take its row out of %s\n", tags[i],
			       __FILE__);
		if (is_shown || reason)
			continue;
		printf("%s: no golden test shows it (tests/golden/sema/err-%s-words.d), and the "
		       "list "
		       "in %s gives no reason\n",
		       tags[i], tags[i], __FILE__);
		test_failed_now = true;
	}
	strbuf_deinit(&shown);
}

TEST(reasons_are_for_tags_that_exist)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent); i++) {
		bool exists = false;
		for (enum diagnostic_tag tag = 0; tag <= D_PROC_USDT; tag++)
			exists |= string_equal(diagnostic_tag_name(tag), absent[i].tag);
		if (!exists)
			printf("%s does not exist\n", absent[i].tag);
		CHECK(exists);
	}
}

TEST_MAIN
