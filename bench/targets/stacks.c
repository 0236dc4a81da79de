/* SPDX-License-Identifier: BSD-2-Clause */
/* stacks CALLS REPORT - getppid in 17 functions of different frame sizes, built with frame pointers
 */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

volatile long sink;
#define KEEP __asm__ volatile("" ::: "memory")

__attribute__((noinline)) void leaf(long n)
{
	for (long i = 0; i < n; i++) {
		syscall(SYS_getppid);
		sink++;
	}
}

#define CALLER(name, next, size)                                                                   \
	__attribute__((noinline)) void name(long n)                                                \
	{                                                                                          \
		volatile char room[size];                                                          \
		room[0] = 1;                                                                       \
		next(n);                                                                           \
		sink += room[0];                                                                   \
		KEEP;                                                                              \
	}
CALLER(f1, leaf, 8)
CALLER(f2, f1, 24)
CALLER(f3, f2, 40)
CALLER(f4, f3, 56)
CALLER(f5, f4, 72)
CALLER(f6, f5, 88)
CALLER(f7, f6, 104)
CALLER(f8, f7, 120)
CALLER(f9, f8, 136)
CALLER(f10, f9, 152)
CALLER(f11, f10, 16)
CALLER(f12, f11, 32)
CALLER(f13, f12, 48)
CALLER(f14, f13, 64)
CALLER(f15, f14, 80)
CALLER(f16, f15, 96)

static void work(long n)
{
	f16(n);
}

int main(int argc, char **argv)
{
	return target_main(argc, argv, work);
}
