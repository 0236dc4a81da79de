/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hits KIND N - N calls of one function; says how much CPU time they took
 *
 * push      begins with push %rbp, which the kernel emulates
 * endbr64   begins with endbr64; push %rbp, which it single-steps unless the probe moves on
 */
#include "trigger.h"

#if defined(__x86_64__)
#define FUNCTION(name, first)                                                                      \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" first           \
		"push %rbp\nmov %rsp,%rbp\nmov %rdi,%rax\npop %rbp\nret\n.size " #name ",.-" #name \
		"\n")
FUNCTION(hit_push, "");
FUNCTION(hit_endbr64, "endbr64\n");
long hit_push(long);
long hit_endbr64(long);
#else
PROBED long hit_push(long a)
{
	KEEP(a);
	return a;
}
#define hit_endbr64 hit_push
#endif

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 2, 1000);
	long (*volatile hit)(long) =
		argc > 1 && !strcmp(argv[1], "endbr64") ? hit_endbr64 : hit_push;
	struct timespec before, after;

	trigger_wait();
	hit(0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	for (long i = 1; i < n; i++)
		hit(i);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	trigger_count("cpu_ns", (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec -
					before.tv_nsec);
	trigger_count("hits", n);
	return 0;
}
