/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * adaptive N - N times a thread gets an adaptive mutex that it wants to spin for, without a sleep
 *
 * Who traces it raises SIGUSR1 where the thread has found that the mutex is taken: the handler lets
 * the other thread give it back, and the thread goes on then.  The mutex is passed to name().
 */
#include <pthread.h>
#include <signal.h>

#include "trigger.h"

#define PATIENCE 100000 /* times 100 us: nobody raises the signal */

PROBED void name(const void *lock)
{
	KEEP(lock);
}

static pthread_mutex_t mutex;
static int interrupted, released;

static void wait_for_release(int signal)
{
	(void)signal;
	__atomic_store_n(&interrupted, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&released, __ATOMIC_ACQUIRE))
		trigger_pause(100);
}

static void mask(int how)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(how, &set, NULL);
}

static void *take(void *arg)
{
	mask(SIG_UNBLOCK);
	pthread_mutex_lock(arg);
	mask(SIG_BLOCK);
	pthread_mutex_unlock(arg);
	return NULL;
}

static int once(void)
{
	pthread_t thread;
	interrupted = released = 0;
	pthread_mutex_lock(&mutex);
	if (pthread_create(&thread, NULL, take, &mutex))
		return 0;
	for (int i = 0; i < PATIENCE && !__atomic_load_n(&interrupted, __ATOMIC_ACQUIRE); i++)
		trigger_pause(100);
	pthread_mutex_unlock(&mutex);
	__atomic_store_n(&released, 1, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	return interrupted;
}

int main(int argc, char **argv)
{
	long rounds = trigger_argument(argc, argv, 1, 3), got = 0;
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&mutex, &attributes);
	signal(SIGUSR1, wait_for_release);
	mask(SIG_BLOCK);
	name(&mutex);
	trigger_wait();
	for (long i = 0; i < rounds; i++)
		got += once();
	trigger_count("rounds", got);
	return 0;
}
