/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * locks N - mutexes and reader-writer locks of threads, each thing N times, each with a lock of its
 *	     own; whoever makes another thread wait goes on when the kernel says that it waits
 *
 * The locks' addresses are passed to name(), with the number of the case.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trigger.h"

PROBED void name(int number, const void *lock)
{
	KEEP(number);
	KEEP(lock);
}

static long rounds;

static pid_t waiter; /* the second thread, once it is about to wait; 0: not yet */
static int go;	     /* of the wait for the condition: it is over */

static int take_mutex(void *lock)
{
	pthread_mutex_lock(lock);
	return pthread_mutex_unlock(lock);
}

static int take_late(void *lock)
{
	struct timespec soon;
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec += 20000000;
	soon.tv_sec += soon.tv_nsec / 1000000000;
	soon.tv_nsec %= 1000000000;
	return pthread_mutex_timedlock(lock, &soon);
}

static int take_reader(void *lock)
{
	pthread_rwlock_rdlock(lock);
	return pthread_rwlock_unlock(lock);
}

static int take_writer(void *lock)
{
	pthread_rwlock_wrlock(lock);
	return pthread_rwlock_unlock(lock);
}

struct waiting {
	int (*take)(void *lock);
	void *lock;
};

static void *wait_thread(void *arg)
{
	const struct waiting *w = arg;
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	w->take(w->lock);
	return NULL;
}

/* Does the waiter sleep in the kernel?  With the lock that it wants it does nothing else. */
static int sleeps(void)
{
	char path[64], text[256];
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)waiter);
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	const char *end = strrchr(text, ')');
	return end && end[2] == 'S';
}

/* A second thread wants the lock, which this one has, until RELEASE; NULL: until its time is over.
 */
static void make_wait(int (*take)(void *lock), void *lock, int (*release)(void *lock))
{
	pthread_t thread;
	struct waiting w = { take, lock };
	waiter = 0;
	if (pthread_create(&thread, NULL, wait_thread, &w))
		return;
	while (!__atomic_load_n(&waiter, __ATOMIC_ACQUIRE) || (release && !sleeps()))
		usleep(1000);
	if (release)
		release(lock);
	pthread_join(thread, NULL);
}

static int unlock_mutex(void *lock)
{
	return pthread_mutex_unlock(lock);
}

static int unlock_rwlock(void *lock)
{
	return pthread_rwlock_unlock(lock);
}

static void init_kind(pthread_mutex_t *m, int kind)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, kind);
	pthread_mutex_init(m, &a);
}

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, contended = PTHREAD_MUTEX_INITIALIZER,
		       tried = PTHREAD_MUTEX_INITIALIZER, late = PTHREAD_MUTEX_INITIALIZER,
		       waited = PTHREAD_MUTEX_INITIALIZER, checked, recursive, adaptive;
static pthread_rwlock_t reads = PTHREAD_RWLOCK_INITIALIZER, writes = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait_condition(void *lock)
{
	pthread_mutex_lock(lock);
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	while (!go)
		pthread_cond_wait(&condition, lock);
	pthread_mutex_unlock(lock);
	return NULL;
}

/* One wait for a condition; the mutex is free when the waiter gets it back. */
static void wait_once(void)
{
	pthread_t thread;
	go = 0;
	waiter = 0;
	if (pthread_create(&thread, NULL, wait_condition, &waited))
		return;
	while (!__atomic_load_n(&waiter, __ATOMIC_ACQUIRE) || !sleeps())
		usleep(1000);
	pthread_mutex_lock(&waited);
	go = 1;
	pthread_mutex_unlock(&waited);
	pthread_cond_signal(&condition);
	pthread_join(thread, NULL);
}

static void once(void)
{
	pthread_mutex_lock(&plain);
	pthread_mutex_unlock(&plain);

	pthread_mutex_lock(&contended);
	make_wait(take_mutex, &contended, unlock_mutex);

	pthread_mutex_lock(&tried);
	if (pthread_mutex_trylock(&tried) == EBUSY)
		pthread_mutex_unlock(&tried);

	pthread_mutex_lock(&late);
	make_wait(take_late, &late, NULL);
	pthread_mutex_unlock(&late);

	pthread_mutex_lock(&checked);
	pthread_mutex_lock(&checked);
	pthread_mutex_unlock(&checked);
	pthread_mutex_unlock(&checked);

	pthread_mutex_lock(&recursive);
	pthread_mutex_lock(&recursive);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_unlock(&recursive);

	pthread_mutex_lock(&adaptive);
	make_wait(take_mutex, &adaptive, unlock_mutex);

	wait_once();

	pthread_rwlock_rdlock(&reads);
	pthread_rwlock_rdlock(&reads);
	pthread_rwlock_unlock(&reads);
	make_wait(take_writer, &reads, unlock_rwlock);

	pthread_rwlock_wrlock(&writes);
	pthread_rwlock_rdlock(&writes);	   /* EDEADLK */
	pthread_rwlock_trywrlock(&writes); /* EBUSY */
	make_wait(take_reader, &writes, unlock_rwlock);
}

int main(int argc, char **argv)
{
	static const void *const locks[] = { &plain,	 &contended, &tried,  &late,  &checked,
					     &recursive, &adaptive,  &waited, &reads, &writes };
	rounds = trigger_argument(argc, argv, 1, 3);
	init_kind(&checked, PTHREAD_MUTEX_ERRORCHECK);
	init_kind(&recursive, PTHREAD_MUTEX_RECURSIVE);
	init_kind(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
	trigger_wait();
	for (int i = 0; i < (int)(sizeof(locks) / sizeof(*locks)); i++)
		name(i, locks[i]);
	for (long i = 0; i < rounds; i++)
		once();
	trigger_count("rounds", rounds);
	return 0;
}
