/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * umount CALLS REPORT - a cheap system call whose first argument is a string, in a loop
 *
 * The flags are not valid, which the kernel checks before it reads the path: it returns EINVAL and
 * unmounts nothing.  The string is on the stack, which is resident: an untouched page would be a
 * fault at each call, for every tracer.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

#define NO_SUCH_FLAGS 0x7fff0000

static void work(long n)
{
	char path[] = "/nowhere/in/particular";
	for (long i = 0; i < n; i++)
		syscall(SYS_umount2, path, NO_SUCH_FLAGS);
}

int main(int argc, char **argv)
{
	return target_main(argc, argv, work);
}
