/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stress MILLISECONDS - two threads as fast as they can: marked(T, I), then getpgid(I)
 *
 * T is the thread's number, I counts from 1.  Each record of either kind can be
 * checked: none twice, none missing except those reported as dropped.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "trigger.h"

static atomic_bool over;
static long done[2];

PROBED void marked(long thread, long number)
{
	KEEP(thread + number);
}

static void *run(void *arg)
{
	long thread = (long)arg, i = 0;
	while (!over) {
		i++;
		marked(thread, i);
		/* an unused process number: the result is ESRCH at once */
		syscall(SYS_getpgid, (thread << 30) + (1 << 29) + i);
	}
	done[thread] = i;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	trigger_wait();
	if (pthread_create(&a, NULL, run, (void *)0) || pthread_create(&b, NULL, run, (void *)1))
		return 1;
	trigger_pause(trigger_argument(argc, argv, 1, 1000) * 1000);
	over = true;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	trigger_count("thread0", done[0]);
	trigger_count("thread1", done[1]);
	return 0;
}
