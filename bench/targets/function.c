/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * function CALLS REPORT - calls of a function that does nothing
 *
 * Built three times, because the first instruction decides what a probe costs:
 * function-push begins with `push %rbp`, function-endbr64 with `endbr64; push %rbp`
 * as distributions build their programs, function-ret with what the kernel does not emulate.  It
 * reports the bytes that it finds there, so that an untraced run shows whether the compiler did as
 * told.
 */
#include <stdint.h>

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
	const unsigned char *code = (const unsigned char *)(uintptr_t)called;
	int status = target_main(argc, argv, work);
	FILE *report = status == 0 ? fopen(argv[2], "a") : NULL;
	if (!report)
		return 1;
	fprintf(report, "code %02x%02x%02x%02x%02x\n", code[0], code[1], code[2], code[3], code[4]);
	return fclose(report) != 0;
}
