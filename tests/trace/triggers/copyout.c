/* SPDX-License-Identifier: BSD-2-Clause */
/* copyout - hands out addresses for copyout() to write to, and counts what came */
#include <string.h>

#include "trigger.h"

__attribute__((noinline)) void first(long *number)
{
	asm volatile("" : : "r"(number) : "memory");
}

__attribute__((noinline)) void second(char *text)
{
	asm volatile("" : : "r"(text) : "memory");
}

__attribute__((noinline)) void third(void)
{
	asm volatile("" ::: "memory");
}

int main(void)
{
	long number = 7;
	char text[16];
	memset(text, '#', sizeof(text));
	trigger_wait();
	first(&number);
	second(text);
	third();
	trigger_count("number", number);
	trigger_count("bytes", memcmp(text, "some #", 6) == 0 ? 5 : 0);
	trigger_count("short", memcmp(text + 8, "ab\0#", 4) == 0 ? 3 : 0);
	return 0;
}
