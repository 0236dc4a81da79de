/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * function CALLS REPORT - calls of a function that does nothing
 *
 * Built twice, because the first instruction decides what a probe costs:
 * function-push begins with `push %rbp`, function-endbr64 with `endbr64; push %rbp`
 * as distributions build their programs.
 */
#include "target.h"

__attribute__((noinline, noclone, used)) void called(long i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

static void work(long n)
{
	for (long i = 0; i < n; i++)
		called(i);
}

int main(int argc, char **argv)
{
	return target_main(argc, argv, work);
}
