/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watched N - accesses its variables: two threads that are there at the start add 1 to `total` N
 * times each, then two new ones do, then a child does; `copied` is written by read(2), once
 */
#include <pthread.h>
#include <sys/wait.h>

#include "trigger.h"

volatile long total;
volatile int pair[2];
volatile long copied;
volatile char bytes[16];
static long rounds;

PROBED void add(void)
{
	for (long i = 0; i < rounds; i++)
		total += 1;
}

static void *early(void *arg)
{
	trigger_wait();
	pthread_mutex_lock(arg);
	add();
	pthread_mutex_unlock(arg);
	return NULL;
}

static void *late(void *arg)
{
	pthread_mutex_lock(arg);
	add();
	pthread_mutex_unlock(arg);
	return NULL;
}

static void two(void *(*first)(void *), void *(*second)(void *), pthread_mutex_t *lock)
{
	pthread_t a, b;
	if (pthread_create(&a, NULL, first, lock) || pthread_create(&b, NULL, second, lock))
		exit(1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

PROBED void touch(void)
{
	for (int i = 0; i < 8; i++)
		bytes[i] = (char)i;
	pair[1] = bytes[3];
	int ends[2];
	long value = 42;
	if (pipe(ends) || write(ends[1], &value, sizeof(value)) < 0 ||
	    read(ends[0], (void *)&copied, sizeof(copied)) < 0)
		exit(1);
}

int main(int argc, char **argv)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	rounds = trigger_argument(argc, argv, 1, 10);
	two(early, early, &lock);
	two(late, late, &lock);
	pid_t child = fork();
	if (child == 0) {
		add();
		_exit(0);
	}
	waitpid(child, NULL, 0);
	touch();
	trigger_count("total", total);
	return 0;
}
