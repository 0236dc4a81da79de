/* SPDX-License-Identifier: BSD-2-Clause */
/* threads N [ROUNDS] - N short threads, two at a time, each calling begin(), ROUNDS steps, finish()
 */
#include <pthread.h>

#include "trigger.h"

static long rounds;

PROBED void begin(long number)
{
	KEEP(number);
}

PROBED void step(long number)
{
	KEEP(number);
}

PROBED void finish(long number)
{
	KEEP(number);
}

static void *thread(void *arg)
{
	long number = (long)arg;
	begin(number);
	for (long i = 0; i < rounds; i++)
		step(i % 7);
	finish(number);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = trigger_argument(argc, argv, 1, 2);
	rounds = trigger_argument(argc, argv, 2, 0);

	trigger_wait();
	for (long i = 0; i < n; i += 2) {
		pthread_t a, b;
		if (pthread_create(&a, NULL, thread, (void *)i) ||
		    pthread_create(&b, NULL, thread, (void *)(i + 1)))
			return 1;
		pthread_join(a, NULL);
		pthread_join(b, NULL);
	}
	trigger_count("threads", n);
	trigger_count("steps", n * rounds);
	return 0;
}
