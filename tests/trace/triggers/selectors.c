/* SPDX-License-Identifier: BSD-2-Clause */
/* selectors - loads segment registers, traps, then calls getppid() */
#include <signal.h>
#include <sys/syscall.h>

#include "trigger.h"

static void ignore(int number)
{
	(void)number;
}

int main(void)
{
	trigger_wait();
	signal(SIGTRAP, ignore);
#ifdef __x86_64__
	/* 0x2b: the data segment of processes, the only selector there always is. */
	__asm__ volatile("mov %0, %%ds; mov %0, %%es; mov %0, %%gs; int3" : : "r"(0x2b));
#endif
	trigger_pause(1000); /* the kernel saves them when the thread leaves its CPU */
	syscall(SYS_getppid);
	return 0;
}
