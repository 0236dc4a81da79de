/* SPDX-License-Identifier: BSD-2-Clause */
/* getppid CALLS REPORT - the cheapest system call in a loop */
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

static void work(long n)
{
	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
	return target_main(argc, argv, work);
}
