/* SPDX-License-Identifier: BSD-2-Clause */
/* The targets of branches in this program, and in programs of the machine */
#include "image/image.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/sort.h"
#include "test.h"

#ifdef __x86_64__
/*
 * branches_test_a jumps into branches_test_b, as mempcpy() of libc does into memmove().  Before b
 * is a byte that is the first of a long jump, whose other bytes would be b's: frame information
 * says where b begins.
 */
__asm__(".text\n"
	".type branches_test_a,@function\n"
	"branches_test_a: .cfi_startproc\n"
	"	xor %eax,%eax\n"
	"	jmp branches_test_into\n"
	"	.cfi_endproc\n"
	"	.size branches_test_a,.-branches_test_a\n"
	"	.byte 0xe9\n"
	".type branches_test_b,@function\n"
	"branches_test_b: .cfi_startproc\n"
	"	test %edi,%edi\n"
	"	jne branches_test_end\n"
	"branches_test_into:\n"
	"	nop\n"
	"branches_test_no:\n"
	"	nop\n"
	"branches_test_end:\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size branches_test_b,.-branches_test_b\n");

static uint64_t address_of(struct elf_file *elf, const char *name)
{
	const struct elf_symbol *s = elf_file_symbol_named(elf, name);
	if (!s)
		printf("no symbol %s\n", name);
	return s ? s->address : 0;
}

static bool has_target(struct elf_file *elf, const struct branches *b, uint64_t address)
{
	uint64_t at = 0;
	CHECK(elf_file_offset(elf, address, &at));
	size_t n = sorted_until(b->targets, b->count, sizeof(*b->targets), 0, at);
	return n && b->targets[n - 1] == at;
}

TEST(a_branch_into_another_function_is_found)
{
	struct elf_file *elf = NULL;
	error_free(elf_file_open("/proc/self/exe", &elf));
	struct branches b;
	CHECK(branches_find(elf, &b) == NULL);
	uint64_t begin = address_of(elf, "branches_test_b");
	CHECK(has_target(elf, &b, begin));
	CHECK(has_target(elf, &b, address_of(elf, "branches_test_into")));
	CHECK(has_target(elf, &b, address_of(elf, "branches_test_end")));
	CHECK(!has_target(elf, &b, address_of(elf, "branches_test_no")));
	CHECK(!has_target(elf, &b, begin + 1) && !has_target(elf, &b, begin + 2));
	branches_free(&b);
	elf_file_free(elf);
}

TEST(all_branches_to_a_place_are_found)
{
	struct elf_file *elf = NULL;
	offset_vector calls = { 0 };
	uint64_t near;
	error_free(elf_file_open("/proc/self/exe", &elf));
	branches_to(elf, elf_file_symbol_named(elf, "branches_test_into")->address, &calls);
	CHECK(elf_file_offset(elf, elf_file_symbol_named(elf, "branches_test_a")->address, &near));
	CHECK(calls.count == 1 && calls.items[0] == near + 2);
	calls.count = 0;
	branches_to(elf, elf_file_symbol_named(elf, "mem_alloc")->address, &calls); /* far away */
	CHECK(calls.count > 20);
	vector_free(&calls);
	elf_file_free(elf);
}
#endif

static void count(struct images *s, const char *part, struct image **ret)
{
	struct mapping *list;
	size_t n = 0;
	const char *why = NULL;
	*ret = NULL;
	error_free(process_mappings(getpid(), &list, &n));
	for (size_t i = 0; i < n && !*ret; i++)
		if (strstr(list[i].path, part))
			*ret = images_find(s, getpid(), &list[i]);
	if (n)
		process_mappings_free(list, n);
	CHECK(*ret && image_elf(*ret));
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	const struct branches *b = *ret ? image_branches(*ret, &why) : NULL;
	CHECK(b && b->count > 1000);
	if (b)
		printf("%s: %zu targets in %.1f ms\n", part, b->count,
		       (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e6);
}

TEST(an_image_saves_them_until_it_is_closed)
{
	struct images *s = images_new();
	struct image *i;
	const char *why;
	count(s, "libc.so", &i);
	struct images_counts before = images_count(s);
	const struct branches *again = image_branches(i, &why);
	CHECK(again == image_branches(i, &why) && images_count(s).bytes == before.bytes);
	images_set_bounds(s, (struct images_bounds) { .open = 0, .bytes = 0 });
	images_trim(s);
	CHECK_INT(images_count(s).bytes, 0);
	images_free(s);
}

static void time_of(const char *path)
{
	struct elf_file *elf = NULL;
	error_free(elf_file_open(path, &elf));
	if (!elf)
		return;
	struct branches b;
	uint64_t start = clock_ns(CLOCK_MONOTONIC);
	const char *why = branches_find(elf, &b);
	printf("%s: %zu targets in %.1f ms%s%s\n", path, b.count,
	       (double)(clock_ns(CLOCK_MONOTONIC) - start) / 1e6, why ? ": " : "", why ? why : "");
	CHECK(!why && b.count);
	branches_free(&b);
	elf_file_free(elf);
}

TEST(programs_of_this_machine)
{
	time_of("/usr/bin/python3.11");
	time_of("/bin/bash");
}

TEST_MAIN
