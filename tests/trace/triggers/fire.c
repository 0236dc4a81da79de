/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fire COUNT THREADS END - each thread, and at last the first one, calls fired(THREAD, N, "text")
 * COUNT times
 *
 * END: abort, segv, kill; exit; wait, "ready PID" when all have fired; fires, "ready PID" at once,
 * while they fire
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long count;

__attribute__((noinline)) long fired(long thread, long n, const char *text)
{
	__asm__ volatile("" : : "r"(text) : "memory");
	return thread + n;
}

static void *work(void *thread)
{
	for (long i = 0; i < count; i++)
		fired((long)thread, i, "text");
	return NULL;
}

static void ready(void)
{
	printf("ready %d\n", getpid());
	fflush(stdout);
	alarm(60);
	pause();
}

static void end(const char *how)
{
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "segv"))
		*(volatile int *)8 = 1;
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "wait"))
		ready();
}

int main(int argc, char **argv)
{
	pthread_t list[64];
	if (argc < 4)
		return 2;
	long threads = atol(argv[2]);
	count = atol(argv[1]);
	for (long i = 0; i < threads; i++)
		pthread_create(&list[i], NULL, work, (void *)(i + 1));
	if (!strcmp(argv[3], "fires"))
		ready();
	for (long i = 0; i < threads; i++)
		pthread_join(list[i], NULL);
	work((void *)0);
	end(argv[3]);
	return 0;
}
