/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/link_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "kernel/kernel.h"

#define STACK_BYTES (64u << 10)

struct link_thread {
	pthread_t thread;
	sem_t attached, release;
	link_make_fn *make;
	void *arg; /* of MAKE; good until ATTACHED */
	int link;
	int closer;	       /* the task that closes the link; 0: not yet (atomic) */
	bool is_closed;	       /* atomic */
	unsigned asleep_looks; /* in a row that found the closer asleep in the kernel */
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
	struct link_thread *t = arg;
	t->link = t->make(t->arg);
}

static void close_link(void *arg)
{
	struct link_thread *t = arg;
	__atomic_store_n(&t->closer, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
	close(t->link);
	__atomic_store_n(&t->is_closed, true, __ATOMIC_RELEASE);
}

static void *keep(void *arg)
{
	struct link_thread *t = arg;
	if (unshare(CLONE_FILES) == 0)
		run_unkillable(make_link, t);
	bool made = t->link >= 0;
	if (made)
		keep_only(t->link);
	sem_post(&t->attached);
	if (!made)
		return NULL;
	wait_for(&t->release);
	run_unkillable(close_link, t);
	return NULL;
}

/* Signals are for the thread that waits for them. */
static bool start_thread(struct link_thread *t)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&t->thread, &attr, keep, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return errnum == 0;
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
	if (start_thread(t)) {
		wait_for(&t->attached);
		if (t->link >= 0)
			return t;
		pthread_join(t->thread, NULL);
	}
	link_thread_free(t);
	return NULL;
}

void link_thread_release(struct link_thread *t)
{
	sem_post(&t->release);
}

/* Its state is what follows the name, which may hold anything but ends with the last ')'. */
static bool is_asleep_in_kernel(int tid)
{
	char path[40];
	auto_strbuf struct strbuf text = { 0 };
	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	auto_error struct error *err = file_read(path, 4096, &text);
	const char *name_end = err ? NULL : strrchr(strbuf_text(&text), ')');
	return name_end && strncmp(name_end, ") D", 3) == 0;
}

/* It may also sleep a moment on its way, at a lock. */
#define ASLEEP_LOOKS 3

bool link_thread_is_detached(struct link_thread *t)
{
	if (__atomic_load_n(&t->is_closed, __ATOMIC_ACQUIRE))
		return true;
	int closer = __atomic_load_n(&t->closer, __ATOMIC_ACQUIRE);
	t->asleep_looks = closer && is_asleep_in_kernel(closer) ? t->asleep_looks + 1 : 0;
	return t->asleep_looks >= ASLEEP_LOOKS;
}

void link_thread_join(struct link_thread *t)
{
	pthread_join(t->thread, NULL);
	link_thread_free(t);
}
