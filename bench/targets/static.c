/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * static CALLS REPORT - calls of a function that has a static probe, bench:static, with two
 * arguments
 *
 * With -DPLAIN the function is the same without the probe.
 */
#include "target.h"

#ifdef PLAIN
#define PROBE(x, y) __asm__ volatile("" : : "r"(x), "r"(y) : "memory")
#else
/* A note as <sys/sdt.h> of SystemTap makes it (version 3): a nop, and where the arguments are. */
#define PROBE(x, y)                                                                                \
	__asm__ volatile(                                                                          \
		"1: nop\n"                                                                         \
		".pushsection .note.stapsdt, \"?\", \"note\"\n"                                    \
		".balign 4\n"                                                                      \
		".4byte 3f-2f, 5f-4f, 3\n"                                                         \
		"2: .asciz \"stapsdt\"\n"                                                          \
		"3: .balign 4\n"                                                                   \
		"4: .8byte 1b, _.stapsdt.base, 0\n"                                                \
		".asciz \"bench\"\n"                                                               \
		".asciz \"static\"\n"                                                              \
		".asciz \"8@%0 8@%1\"\n"                                                           \
		"5: .balign 4\n"                                                                   \
		".popsection\n"                                                                    \
		".ifndef _.stapsdt.base\n"                                                         \
		".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n"        \
		".weak _.stapsdt.base\n"                                                           \
		".hidden _.stapsdt.base\n"                                                         \
		"_.stapsdt.base: .space 1\n"                                                       \
		".size _.stapsdt.base, 1\n"                                                        \
		".popsection\n"                                                                    \
		".endif\n"                                                                         \
		:                                                                                  \
		: "r"(x), "r"(y)                                                                   \
		: "memory")
#endif

__attribute__((noinline, noclone)) static void called(long x, long y)
{
	PROBE(x, y);
}

static void work(long n)
{
	for (long i = 0; i < n; i++)
		called(i, n);
}

int main(int argc, char **argv)
{
	return target_main(argc, argv, work);
}
