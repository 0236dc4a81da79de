/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thread that waits for wake-ups
 *
 * The process has no descriptor of ours, because programs close those that they do not know.  It
 * adds to a futex word of the shared memory and wakes who waits there (agent/inside/output.c).
 *
 * The thread's end, however dtrace ends, is marked by the kernel in another word of the memory
 * (FUTEX_OWNER_DIED), which trampolines test.  The kernel knows that word by the list of robust
 * futexes of the thread: one entry, which is always under way, so that all of its pointers are in
 * our own memory.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"
#include "inject/internal.h"

/* A time limit, as the process may write there what it likes. */
static void futex_wait(uint32_t *word, uint32_t value)
{
	const struct timespec second = { .tv_sec = 1 };
	syscall(SYS_futex, word, FUTEX_WAIT, value, &second, NULL, 0);
}

static void futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* The thread's mark, or 0. */
static void mark_own(struct waker *w)
{
	w->robust.head = (struct robust_list_head) {
		.list = { &w->robust.head.list },
		.futex_offset = (long)((char *)w->tracer - (char *)&w->robust.entry),
		.list_op_pending = &w->robust.entry,
	};
	uint32_t number = (uint32_t)syscall(SYS_gettid);
	if (syscall(SYS_set_robust_list, &w->robust.head, sizeof(w->robust.head)) == 0)
		__atomic_store_n(w->tracer, number, __ATOMIC_RELEASE);
}

static void *waker_run(void *arg)
{
	struct waker *w = arg;
	const uint64_t one = 1;
	uint32_t seen = 0;
	mark_own(w);
	eventfd_write(w->news, one); /* the mark is there */
	while (!__atomic_load_n(&w->ends, __ATOMIC_ACQUIRE)) {
		uint32_t now = __atomic_load_n(w->wake, __ATOMIC_ACQUIRE);
		if (now != seen)
			eventfd_write(w->news, one);
		else
			futex_wait(w->wake, seen);
		seen = now;
	}
	return NULL;
}

struct error *waker_start(struct waker *w, uint32_t *wake, uint32_t *tracer)
{
	eventfd_t ignored;
	int fd = eventfd(0, EFD_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot make an event descriptor");
	*w = (struct waker) { .news = fd, .wake = wake, .tracer = tracer };
	w->runs = thread_start(&w->thread, 0, waker_run, w);
	if (!w->runs)
		return error_new("cannot start a thread");
	eventfd_read(fd, &ignored);
	return NULL;
}

void waker_mark_end(struct waker *w)
{
	if (w->tracer)
		__atomic_fetch_or(w->tracer, FUTEX_OWNER_DIED, __ATOMIC_SEQ_CST);
}

void waker_end(struct waker *w)
{
	if (!w->wake)
		return;
	__atomic_store_n(&w->ends, true, __ATOMIC_RELEASE);
	__atomic_fetch_add(w->wake, 1, __ATOMIC_SEQ_CST);
	futex_wake(w->wake);
	if (w->runs)
		pthread_join(w->thread, NULL);
	close(w->news);
	*w = (struct waker) { .news = -1 };
}
