/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/link/link_internal.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"
#include "kernel/kernel.h"

#define STACK_BYTES (64u << 10)

struct link_thread {
	pthread_t thread;
	sem_t attached, release;
	link_make_fn *make;
	void *arg; /* of MAKE; good until ATTACHED */
	int link;
	int cpu; /* where it is closed */
};

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) < 0 && errno == EINTR)
		;
}

/* The table was copied when the thread left that of the process. */
static void link_thread_keep_only(int fd)
{
	unsigned kept = (unsigned)fd;
	if (kept)
		syscall(SYS_close_range, 0, kept - 1, 0);
	syscall(SYS_close_range, kept + 1, ~0u, 0);
}

static void make_link(void *arg)
{
	struct link_thread *t = arg;
	t->link = t->make(t->arg);
}

static void close_link(void *arg)
{
	const struct link_thread *t = arg;
	close(t->link);
}

static void *link_thread_main(void *arg)
{
	struct link_thread *t = arg;
	if (unshare(CLONE_FILES) == 0)
		run_unkillable(make_link, t);
	bool made = t->link >= 0;
	if (made)
		link_thread_keep_only(t->link);
	sem_post(&t->attached);
	if (!made)
		return NULL;
	wait_for(&t->release);
	run_unkillable_first(t->cpu, close_link, t);
	return NULL;
}

static void link_thread_free(struct link_thread *t)
{
	sem_destroy(&t->attached);
	sem_destroy(&t->release);
	free(t);
}

struct link_thread *link_thread_start(link_make_fn *make, void *arg)
{
	struct link_thread *t = mem_zalloc(sizeof(*t));
	*t = (struct link_thread) { .make = make, .arg = arg, .link = -1 };
	sem_init(&t->attached, 0, 0);
	sem_init(&t->release, 0, 0);
	if (thread_start(&t->thread, STACK_BYTES, link_thread_main, t)) {
		wait_for(&t->attached);
		if (t->link >= 0)
			return t;
		pthread_join(t->thread, NULL);
	}
	link_thread_free(t);
	return NULL;
}

void link_thread_release(struct link_thread *t, int cpu)
{
	t->cpu = cpu;
	sem_post(&t->release);
}

void link_thread_join(struct link_thread *t)
{
	pthread_join(t->thread, NULL);
	link_thread_free(t);
}
