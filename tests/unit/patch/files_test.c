/* SPDX-License-Identifier: BSD-2-Clause */
/* All functions of large files: how many have a window, and why the others have none. */
#include "file_code.h"
#include "test.h"

#ifdef __x86_64__

/* rdi, rsi, rdx, rcx, r8, r9 and the stack pointer: what a program with arg0 ... arg6 reads. */
#define ARGUMENTS                                                                                  \
	(1ull << 14 | 1ull << 13 | 1ull << 12 | 1ull << 11 | 1ull << 9 | 1ull << 8 | 1ull << 19)

struct shares {
	size_t functions, reasons[PATCH_REFUSALS], safety[3], firings;
};

static struct shares plan_entries(const struct file_code *c, uint64_t reads, bool may_take_first)
{
	struct shares s = { 0 };
	struct patch_plan plan = { 0 };
	for (size_t i = 0; i < c->range_count; i++) {
		if (!frames_is_function(elf_file_frames(c->elf), &c->ranges[i]))
			continue;
		struct patch_function f = file_code_function(c, i);
		struct patch_site site = { f.begin, PATCH_ENTRY, may_take_first, reads };
		patch_plan_make(patch_machine(&arch_x86_64), &f, &site, 1, &plan);
		s.functions++;
		s.reasons[plan.refusals.items[0]]++;
		if (plan.windows.count)
			s.safety[plan.windows.items[0].safety]++;
	}
	patch_plan_deinit(&plan);
	return s;
}

static double percent(size_t part, size_t of)
{
	return of ? 100.0 * (double)part / (double)of : 0;
}

static void print_shares(const char *what, const struct shares *s)
{
	printf("  %s: %.1f %% after the first instruction, %.1f %% hidden, %.1f %% fatal;", what,
	       percent(s->safety[PATCH_SAFE], s->functions),
	       percent(s->safety[PATCH_HIDDEN], s->functions),
	       percent(s->safety[PATCH_FATAL], s->functions));
	for (unsigned r = 1; r < PATCH_REFUSALS; r++)
		if (s->reasons[r])
			printf(" %.2f %% %s;", percent(s->reasons[r], s->functions),
			       patch_refusal_words(r));
	printf("\n");
}

/* Each function twice is in the caller's hand: windows are in order, apart, without targets. */
static void check_all_sites(const struct file_code *c)
{
	struct patch_plan plan = { 0 };
	site_vector sites = { 0 };
	size_t exits = 0, exits_fit = 0, bad = 0;
	for (size_t n = 0; n < c->range_count; n++) {
		struct patch_function f = file_code_function(c, n);
		bool jumps_anywhere;
		sites.count = 0;
		file_code_sites(&f, &sites, &jumps_anywhere);
		patch_plan_make(patch_machine(&arch_x86_64), &f, sites.items, sites.count, &plan);
		size_t fit = 0;
		for (size_t s = 0; s < sites.count; s++)
			fit += plan.refusals.items[s] == PATCH_FITS;
		exits += sites.count - 1;
		exits_fit += fit - (plan.refusals.items[0] == PATCH_FITS);
		bad += fit != plan.firings.count;
		uint64_t last = 0;
		for (size_t w = 0; w < plan.windows.count; w++) {
			const struct patch_window *p = &plan.windows.items[w];
			bad += p->at < last || p->size < 5 || !p->count;
			last = p->at + p->size;
			size_t target = sorted_until(f.targets, f.target_count, 8, 0, p->at);
			bad += target < f.target_count && f.targets[target] < last;
		}
	}
	printf("  %zu of %zu exits: %.1f %%\n", exits_fit, exits, percent(exits_fit, exits));
	CHECK_INT(bad, 0);
	CHECK(percent(exits_fit, exits) > 80);
	vector_free(&sites);
	patch_plan_deinit(&plan);
}

/* At least so many percent after the first instruction, and in all. */
static void check_file(const char *path, double safe_least, double all_least)
{
	struct file_code c;
	if (!file_code_open(path, &c))
		SKIP("needs a file with call frame information");
	struct shares nothing = plan_entries(&c, 0, true);
	struct shares arguments = plan_entries(&c, ARGUMENTS, true);
	struct shares careful = plan_entries(&c, ARGUMENTS, false);
	printf("%s: %zu functions, %zu targets\n", path, nothing.functions, c.targets.count);
	print_shares("no argument read", &nothing);
	print_shares("arguments read", &arguments);
	print_shares("never fatal", &careful);
	CHECK(percent(nothing.reasons[PATCH_FITS], nothing.functions) > all_least);
	CHECK(percent(arguments.reasons[PATCH_FITS], nothing.functions) > all_least);
	CHECK(percent(nothing.safety[PATCH_SAFE], nothing.functions) > safe_least);
	CHECK_INT(careful.safety[PATCH_FATAL], 0);
	check_all_sites(&c);
	file_code_close(&c);
}

#define FILE_TEST(name, path, safe, all)                                                           \
	TEST(name)                                                                                 \
	{                                                                                          \
		check_file(path, safe, all);                                                       \
	}

FILE_TEST(libc, "/lib/x86_64-linux-gnu/libc.so.6", 90, 98)
FILE_TEST(libstdcpp, "/lib/x86_64-linux-gnu/libstdc++.so.6", 80, 98)
FILE_TEST(python, "/usr/bin/python3.11", 85, 98)
FILE_TEST(bash, "/bin/bash", 85, 98)
FILE_TEST(git, "/usr/bin/git", 85, 98)
#else

TEST(functions_of_files)
{
	SKIP("needs code of x86_64");
}

#endif

TEST_MAIN
