/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registers CALLS REPORT - calls of a function whose argument is in no register any more at a line
 *
 * Debug information says of `i` at the second call of used() what its register contained at the
 * entry.
 */
#include "target.h"

__attribute__((noinline, noclone, used)) void used(long i)
{
	__asm__ volatile("" : : "r"(i) : "memory");
}

__attribute__((noinline, noclone, used)) long called(long i)
{
	used(1);
	used(2); /* the line */
	__asm__ volatile("" : : : "memory");
	return 0;
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
