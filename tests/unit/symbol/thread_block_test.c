/* SPDX-License-Identifier: BSD-2-Clause */
/* Where thread-local variables are: of this program here, and by the rules of each machine. */
#include "arch/arch.h"
#include "object/object.h"
#include "test.h"

_Thread_local int first_of_each_thread = 1;
_Thread_local _Alignas(64) char aligned_of_each_thread[64] = { 2 };

static uint64_t thread_pointer(void)
{
	uint64_t pointer;
#ifdef __x86_64__
	__asm__("mov %%fs:0, %0" : "=r"(pointer));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
	return pointer;
}

static struct elf_file *our_file(void)
{
	struct elf_file *e = NULL;
	CHECK(elf_file_open("/proc/self/exe", &e) == NULL);
	return e;
}

static uint64_t offset_of(struct elf_file *e, const char *name)
{
	const struct elf_thread_local *v = elf_file_thread_local(e, name);
	CHECK(v != NULL);
	return v ? v->offset : 0;
}

TEST(variables_of_this_program)
{
	struct elf_file *e = our_file();
	int64_t block;
	CHECK(elf_file_program_block(e, arch_host()->thread_block.control_size, &block));
	uint64_t begin = thread_pointer() + (uint64_t)block;
	CHECK_INT(begin + offset_of(e, "first_of_each_thread"), (uintptr_t)&first_of_each_thread);
	CHECK_INT(begin + offset_of(e, "aligned_of_each_thread"),
		  (uintptr_t)aligned_of_each_thread);
	elf_file_free(e);
}

/* The block is aligned to 64 bytes, as the variable is. */
TEST(blocks_of_each_machine)
{
	struct elf_file *e = our_file();
	int64_t block;
	CHECK(elf_file_program_block(e, arch_x86_64.thread_block.control_size, &block));
	CHECK(block <= -68);
	CHECK_INT((block + (int64_t)offset_of(e, "aligned_of_each_thread")) % 64, 0);
	CHECK(elf_file_program_block(e, arch_aarch64.thread_block.control_size, &block));
	CHECK(block >= 16 && block < 16 + 64);
	CHECK_INT((block + (int64_t)offset_of(e, "aligned_of_each_thread")) % 64, 0);
	elf_file_free(e);
}

TEST_MAIN
