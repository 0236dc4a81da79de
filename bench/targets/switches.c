/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * switches CALLS REPORT    a thread passes a byte to another on its CPU and gets one back
 *
 * Each call is two context switches, and each thread sleeps in one of them.
 */
#include <pthread.h>
#include <unistd.h>

#include "target.h"

static int there[2], back[2];

static void *answer(void *arg)
{
	char byte;
	while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
		;
	return NULL;
}

static void work(long n)
{
	char byte = 0;
	for (long i = 0; i < n; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	target_pin(); /* before the thread is there, which inherits the CPU */
	if (pipe(there) != 0 || pipe(back) != 0 || pthread_create(&thread, NULL, answer, NULL) != 0)
		return 1;
	target_clock = CLOCK_PROCESS_CPUTIME_ID;
	return target_main(argc, argv, work);
}
