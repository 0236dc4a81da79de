/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/kernel.h"

#define STACK_BYTES (64u << 10)

struct keeper {
	pthread_t thread;
	sem_t attached, release;
	keeper_make_fn *make;
	void *arg; /* of MAKE; good until ATTACHED */
	int link;
};

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) < 0 && errno == EINTR)
		;
}

/* The table was copied when the thread left that of the process. */
static void keep_only(int fd)
{
	unsigned kept = (unsigned)fd;
	if (kept)
		syscall(SYS_close_range, 0, kept - 1, 0);
	syscall(SYS_close_range, kept + 1, ~0u, 0);
}

static void make_link(void *arg)
{
	struct keeper *k = arg;
	k->link = k->make(k->arg);
}

static void close_link(void *arg)
{
	close(((struct keeper *)arg)->link);
}

static void *keep(void *arg)
{
	struct keeper *k = arg;
	if (unshare(CLONE_FILES) == 0)
		sheltered(make_link, k);
	bool made = k->link >= 0;
	if (made)
		keep_only(k->link);
	sem_post(&k->attached);
	if (!made)
		return NULL;
	wait_for(&k->release);
	sheltered(close_link, k);
	return NULL;
}

/* Signals are for the thread that waits for them. */
static bool start_thread(struct keeper *k)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&k->thread, &attr, keep, k);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return errnum == 0;
}

static void keeper_free(struct keeper *k)
{
	sem_destroy(&k->attached);
	sem_destroy(&k->release);
	free(k);
}

struct keeper *keeper_start(keeper_make_fn *make, void *arg)
{
	struct keeper *k = mem_zalloc(sizeof(*k));
	*k = (struct keeper) { .make = make, .arg = arg, .link = -1 };
	sem_init(&k->attached, 0, 0);
	sem_init(&k->release, 0, 0);
	if (start_thread(k)) {
		wait_for(&k->attached);
		if (k->link >= 0)
			return k;
		pthread_join(k->thread, NULL);
	}
	keeper_free(k);
	return NULL;
}

void keeper_release(struct keeper *k)
{
	sem_post(&k->release);
}

void keeper_join(struct keeper *k)
{
	pthread_join(k->thread, NULL);
	keeper_free(k);
}
