/* SPDX-License-Identifier: BSD-2-Clause */
/* Windows: where they begin, what is refused, which firings share one. */
#include "patch/patch.h"
#include "test.h"

#define RDI (1ull << 14)
#define RSI (1ull << 13)
#define RAX (1ull << 10)
#define RSP (1ull << 19)

static struct patch_plan plan;

static void make(const char *code, size_t size, size_t function_size, const uint64_t *targets,
		 size_t target_count, const struct patch_site *sites, size_t count)
{
	struct patch_function f = { bytes_of(code, size),   0x1000,  0x1000,
				    0x1000 + function_size, targets, target_count };
	patch_plan_make(patch_machine(&arch_x86_64), &f, sites, count, &plan);
}

#define NO_TARGETS NULL, 0
#define CODE(text) text, sizeof(text) - 1, sizeof(text) - 1

static struct patch_site entry(uint64_t reads, bool may_take_first)
{
	return (struct patch_site) { 0x1000, PATCH_ENTRY, may_take_first, reads };
}

static void check_window(size_t n, uint64_t at, unsigned size, enum patch_safety safety)
{
	CHECK(n < plan.windows.count);
	if (n >= plan.windows.count)
		return;
	CHECK_INT(plan.windows.items[n].at, at);
	CHECK_INT(plan.windows.items[n].size, size);
	CHECK_INT(plan.windows.items[n].safety, safety);
}

static void check_firing(size_t n, uint32_t site, unsigned offset, int stack)
{
	CHECK(n < plan.firings.count);
	if (n >= plan.firings.count)
		return;
	CHECK_INT(plan.firings.items[n].site, site);
	CHECK_INT(plan.firings.items[n].offset, offset);
	CHECK_INT(plan.firings.items[n].stack, stack);
}

/* push %rbp; mov %rsp,%rbp; sub $0x20,%rsp; nops */
#define USUAL "\x55\x48\x89\xe5\x48\x83\xec\x20\x90\x90\x90\x90"

TEST(entries_are_after_the_first_instruction)
{
	struct patch_site s = entry(~0ull, false);
	make(CODE(USUAL), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_FITS);
	check_window(0, 0x1001, 7, PATCH_SAFE);
	check_firing(0, 0, 0, 8);
	CHECK(!plan.firings.items[0].flags_live && !plan.firings.items[0].below_live);
	/* sub $0x18,%rsp changes the flags, which nobody reads at an entry but the code after it */
	make(CODE("\x48\x83\xec\x18\x48\x89\xfb\x48\x89\xf5\x90"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_FIRST_INSTRUCTION); /* the flags are read */
	s = entry(RDI | RSP, false);
	make(CODE("\x48\x83\xec\x18\x48\x89\xfb\x48\x89\xf5\x90"), NO_TARGETS, &s, 1);
	check_window(0, 0x1004, 6, PATCH_SAFE);
	check_firing(0, 0, 0, 0x18);
	CHECK(plan.firings.items[0].flags_live);
}

TEST(entries_do_not_skip_what_the_program_reads)
{
	/* mov %rsi,%rdi; mov $1,%eax; ret */
	static const char code[] = "\x48\x89\xf7\xb8\x01\0\0\0\xc3\x90\x90\x90\x90\x90";
	struct patch_site s = entry(RSI, false);
	make(CODE(code), NO_TARGETS, &s, 1);
	check_window(0, 0x1003, 5, PATCH_SAFE);
	s = entry(RDI, false);
	make(CODE(code), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_FIRST_INSTRUCTION);
	CHECK_INT(plan.windows.count, 0);
	s = entry(RDI, true);
	make(CODE(code), NO_TARGETS, &s, 1);
	check_window(0, 0x1000, 8, PATCH_FATAL);
	/* mov %rsi,8(%rdi): memory */
	static const char store[] = "\x48\x89\x77\x08\xb8\x01\0\0\0\xc3";
	s = entry(RDI | PATCH_READS_MEMORY, false);
	make(CODE(store), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_FIRST_INSTRUCTION);
	s = entry(RDI, false);
	make(CODE(store), NO_TARGETS, &s, 1);
	check_window(0, 0x1004, 5, PATCH_SAFE);
	CHECK(plan.firings.items[0].below_live);
}

/* A foreign probe at a first instruction of 5 bytes resumes after the jump. */
TEST(a_long_first_instruction)
{
	struct patch_site s = entry(RAX, false);
	make(CODE("\xb8\x01\0\0\0\xc3"), NO_TARGETS, &s, 1);
	check_window(0, 0x1000, 5, PATCH_HIDDEN);
}

TEST(endbr64_stays)
{
	/* Without a push after it, the kernel's probe is on it. */
	struct patch_site s = entry(~0ull, false);
	make(CODE("\xf3\x0f\x1e\xfa\x48\x89\xf7\x48\x89\xd6\xc3"), NO_TARGETS, &s, 1);
	check_window(0, 0x1004, 6, PATCH_SAFE);
	make(CODE("\xf3\x0f\x1e\xfa" USUAL), NO_TARGETS, &s, 1);
	check_window(0, 0x1005, 7, PATCH_SAFE);
	check_firing(0, 0, 0, 8);
	/* endbr64; push %rbx; ret: the push has the kernel's probe. */
	static const char code[] = "\xf3\x0f\x1e\xfa\x53\x31\xc0\x5b\xc3";
	const uint64_t target = 0x1007;
	s.may_take_first = true;
	make(CODE(code), &target, 1, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TARGET_INSIDE);
	const uint64_t end = 0x1009;
	make(CODE(code), &end, 1, &s, 1);
	check_window(0, 0x1004, 5, PATCH_FATAL);
}

/* Of other functions, too: mempcpy jumps to memmove + 3. */
TEST(targets_inside_are_refused)
{
	struct patch_site s = entry(0, true);
	const uint64_t targets[] = { 0x800, 0x1003, 0x2000 };
	/* mov %rdi,%rax; cmp $0x20,%rdx; jb */
	static const char memmove[] = "\x48\x89\xf8\x48\x83\xfa\x20\x72\x10\x90\x90\x90\x90\x90";
	make(CODE(memmove), targets, 3, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TARGET_INSIDE);
	const uint64_t begin = 0x1000;
	make(CODE(memmove), &begin, 1, &s, 1);
	check_window(0, 0x1003, 6, PATCH_SAFE);
	/* A loop over the first byte of a window of an instruction inside. */
	struct patch_site inside = { 0x1003, PATCH_INSIDE };
	make(CODE(memmove), targets, 3, &inside, 1);
	check_window(0, 0x1003, 6, PATCH_SAFE);
	CHECK(plan.firings.items[0].flags_live && plan.firings.items[0].below_live);
}

/* mov $0x71,%eax; ret: the entry and the return have the same bytes. */
TEST(overlapping_windows_are_one)
{
	struct patch_site s[] = { { 0x1005, PATCH_EXIT },
				  entry(0, false),
				  { 0x1005, PATCH_INSIDE } };
	make("\xb8\x71\0\0\0\xc3\xcc\xcc\xcc\xcc\xcc\xcc", 12, 6, NO_TARGETS, s, 3);
	CHECK_INT(plan.windows.count, 1);
	check_window(0, 0x1005, 5, PATCH_SAFE);
	CHECK_INT(plan.windows.items[0].count, 3);
	check_firing(0, 1, 0, 0);
	check_firing(1, 2, 0, 0);
	check_firing(2, 0, 0, 0);
	/* Without padding both are in the window of the first instruction, which has 5 bytes. */
	const uint64_t next = 0x1006;
	make("\xb8\x71\0\0\0\xc3\x55\xcc\xcc\xcc\xcc\xcc", 12, 6, &next, 1, s, 2);
	CHECK_INT(plan.windows.count, 1);
	check_window(0, 0x1000, 6, PATCH_HIDDEN);
	check_firing(0, 1, 0, 0);
	check_firing(1, 0, 5, 0);
	/* xor %eax,%eax; mov %eax,%edx; ret: the return would need the first instruction. */
	struct patch_site last = { 0x1004, PATCH_EXIT };
	const uint64_t near = 0x1005;
	make("\x31\xc0\x89\xc2\xc3\x55", 6, 5, &near, 1, &last, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_FIRST_INSTRUCTION);
	last.may_take_first = true;
	make("\x31\xc0\x89\xc2\xc3\x55", 6, 5, &near, 1, &last, 1);
	check_window(0, 0x1000, 5, PATCH_FATAL);
	check_firing(0, 0, 4, 0);
}

TEST(exits_begin_before_their_return)
{
	/* push %rbx; mov %rdi,%rbx; add $8,%rsp; pop %rbx; ret; next function */
	static const char code[] = "\x53\x48\x89\xfb\x48\x83\xc4\x08\x5b\xc3\x55";
	const uint64_t next[] = { 0x100a };
	struct patch_site s = { 0x1009, PATCH_EXIT };
	make(code, 11, 10, next, 1, &s, 1);
	check_window(0, 0x1004, 6, PATCH_SAFE);
	check_firing(0, 0, 5, 0);
	CHECK(!plan.firings.items[0].flags_live);
	const uint64_t targets[] = { 0x1008, 0x100a }; /* a branch to pop */
	make(code, 11, 10, targets, 2, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TARGET_INSIDE);
	struct patch_function f = { bytes_of(code, 11), 0x1000, 0x1000, 0x100a, next, 1, true };
	patch_plan_make(patch_machine(&arch_x86_64), &f, &s, 1, &plan);
	CHECK_INT(plan.refusals.items[0], PATCH_MAY_BE_TARGET);
	/* The same with padding: nothing but the return is overwritten. */
	f.code = bytes_of("\x53\x48\x89\xfb\x48\x83\xc4\x08\x5b\xc3\x66\x90\x66\x90", 14);
	f.target_count = 0;
	patch_plan_make(patch_machine(&arch_x86_64), &f, &s, 1, &plan);
	check_window(0, 0x1009, 5, PATCH_SAFE);
}

TEST(calls_are_last)
{
	/* call; pop %rbx; ret: the call would return into the window */
	static const char code[] = "\x90\x90\xe8\x10\0\0\0\x5b\xc3\x55";
	const uint64_t next[] = { 0x1009 };
	struct patch_site s[] = { { 0x1008, PATCH_EXIT }, { 0x1002, PATCH_INSIDE } };
	make(code, 10, 9, next, 1, s, 2);
	CHECK_INT(plan.refusals.items[0], PATCH_CALL_RETURNS);
	CHECK_INT(plan.refusals.items[1], PATCH_FITS);
	check_window(0, 0x1002, 5, PATCH_SAFE);
	CHECK(plan.windows.items[0].has_call);
	/* call *%rax; mov %rax,%rbx */
	struct patch_site call = { 0x1000, PATCH_INSIDE };
	make(CODE("\xff\xd0\x48\x89\xc3\x90"), NO_TARGETS, &call, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_CALL_RETURNS);
}

TEST(static_probes)
{
	/* nop; mov %rax,%rbx; mov %rcx,%rdx */
	struct patch_site s = { 0x1001, PATCH_INSIDE };
	make(CODE("\x53\x90\x48\x89\xc3\x48\x89\xca\xc3"), NO_TARGETS, &s, 1);
	check_window(0, 0x1001, 7, PATCH_SAFE);
	/* nop; nop10: ours */
	make(CODE("\x53\x90\x66\x2e\x0f\x1f\x84\0\0\0\0\0\xc3"), NO_TARGETS, &s, 1);
	check_window(0, 0x1001, 11, PATCH_SAFE);
	/* A short jump after the nop, a branch to what follows. */
	const uint64_t target = 0x1004;
	make(CODE("\x53\x90\xeb\x10\x48\x89\xc3\xc3"), &target, 1, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TARGET_INSIDE);
}

/* An offset of 0: endbr64 stays, a push before it is corrected, flags are live. */
TEST(the_first_instruction_as_a_site)
{
	struct patch_site s[] = { { 0x1000, PATCH_INSIDE }, entry(0, false) };
	make(CODE("\xf3\x0f\x1e\xfa" USUAL), NO_TARGETS, s, 2);
	check_window(0, 0x1005, 7, PATCH_SAFE);
	check_firing(0, 1, 0, 8);
	check_firing(1, 0, 0, 8);
	CHECK(plan.firings.items[1].flags_live && !plan.firings.items[0].flags_live);
}

/* ret; nop; mov: what is after the padding begins something else. */
TEST(only_padding_follows_a_return)
{
	struct patch_site s = { 0x1001, PATCH_EXIT, true };
	make(CODE("\x53\xc3\x90\x48\x89\xc7\xe8\0\0\0\0"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TOO_SHORT);
}

TEST(what_cannot_be_planned)
{
	/* mov $15,%rax; syscall: where signal handlers return to */
	struct patch_site s = entry(0, true);
	make(CODE("\x48\xc7\xc0\x0f\0\0\0\x0f\x05\x90"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_NOT_MOVABLE);
	/* call *8(%rsp) */
	make(CODE("\xff\x54\x24\x08\x90\x90"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_NOT_MOVABLE);
	struct patch_site inside = { 0x1001, PATCH_INSIDE };
	make(CODE("\x48\x8d\xa4\x24\x10\0\0\0\x90"), NO_TARGETS, &inside, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_NO_INSTRUCTION);
	make(CODE("\x06\x06\x06"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_UNKNOWN_CODE);
	inside.at = 0x1008;
	make(CODE("\x90\x06\x06\x90\x90\x90\x90\x90\x90"), NO_TARGETS, &inside, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_UNKNOWN_CODE);
	make(CODE("\xc3"), NO_TARGETS, &s, 1);
	CHECK_INT(plan.refusals.items[0], PATCH_TOO_SHORT);
	for (unsigned r = 0; r < PATCH_REFUSALS; r++)
		CHECK(strlen(patch_refusal_words(r)) > 5);
	CHECK(!patch_machine(&arch_aarch64));
}

TEST(text_that_differs)
{
	const struct patch_machine *m = patch_machine(&arch_x86_64);
	struct bytes file = bytes_of("\x55\x48\x89\xcc\xe9", 5);
	CHECK_INT(patch_compare(m, &file, &file), PATCH_FITS);
	struct bytes at = bytes_of("\xcc\x48\x89\xcc\xe9", 5);
	CHECK_INT(patch_compare(m, &file, &at), PATCH_BREAKPOINT);
	at = bytes_of("\x55\xcc\x89\xcc\xe9", 5);
	CHECK_INT(patch_compare(m, &file, &at), PATCH_BREAKPOINT);
	at = bytes_of("\xe9\x01\x02\x03\x04", 5);
	CHECK_INT(patch_compare(m, &file, &at), PATCH_FOREIGN_JUMP);
	at = bytes_of("\x55\x48\x89\xcd\xe9", 5);
	CHECK_INT(patch_compare(m, &file, &at), PATCH_TEXT_DIFFERS);
	at = bytes_of("\x55", 1);
	CHECK_INT(patch_compare(m, &file, &at), PATCH_TEXT_DIFFERS);
	patch_plan_deinit(&plan);
}

TEST_MAIN
