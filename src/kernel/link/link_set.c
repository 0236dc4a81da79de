/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link_set - attachments that end together
 *
 * Attaching is fast, detaching is not: each perf uprobe takes about 100 ms to close and each
 * uprobe_multi link about 40 ms, whatever its number of sites (Linux 6.18).  A uprobe_multi link
 * spends its time waiting for grace periods, so links closed by several threads wait at the same
 * time; perf events queue at a mutex of the kernel and gain little (one of many places counts once:
 * place_event.c).  Links with return probes must even be closed at the same time: see
 * link_thread.c.
 *
 * For each place that a link leaves, the kernel takes a lock over all processes.  Closers on two
 * processors wake each other there, and on a busy machine each of them waits for its turn to run
 * with the lock in hand.  So all run on one processor, before others.  Two links of 2,400 and 3,400
 * places are closed in 71 to 107 ms, and in 89 to 110 when three others spin; on two processors,
 * without priority, in 168 to 288, and in up to 7,600; one after the other in 136 to 189, and in
 * 167 to 306.  Twenty links of 20 places, one after the other: 850 ms (6.18, two processors).
 */
#include <errno.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/thread.h"
#include "kernel/link/link_internal.h"
#include "kernel/uapi.h"

#define CLOSING_THREADS 16

/* --- closing ------------------------------------------------------------------------ */

static void attachment_close(const struct attachment *a)
{
	close(a->fd);
	if (a->places)
		place_event_free(a->places);
}

struct closing {
	const struct attachment *items;
	size_t count;
	size_t next; /* atomic */
	int cpu;
};

/*
 * The last one first: when the first of two programs leaves a tracepoint, the second has to be
 * moved to its place.  The links of two programs at each of 500 tracepoints were closed in 0.8 to
 * 0.9 s, and in the order of attaching in 1.4 to 1.8 s (6.18, 16 threads).
 */
static void close_some(void *arg)
{
	struct closing *c = arg;
	for (;;) {
		size_t i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED);
		if (i >= c->count)
			return;
		attachment_close(&c->items[c->count - 1 - i]);
	}
}

static void *close_unkillable(void *arg)
{
	const struct closing *c = arg;
	run_unkillable_first(c->cpu, close_some, arg);
	return NULL;
}

/* This thread works too, so a thread that cannot be made costs only time. */
static void close_all(const struct attachment *items, size_t count, int cpu)
{
	if (count == 0)
		return;
	struct closing c = { .items = items, .count = count, .cpu = cpu };
	pthread_t threads[CLOSING_THREADS - 1];
	size_t started = 0;
	while (started < CLOSING_THREADS - 1 && started + 1 < count &&
	       thread_start(&threads[started], 0, close_unkillable, &c))
		started++;
	close_unkillable(&c);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

void link_set_silence(struct link_set *set)
{
	int cpu = sched_getcpu();
	for (size_t i = 0; i < set->link_threads.count; i++)
		link_thread_release(set->link_threads.items[i], cpu);
	close_all(set->links.items, set->links.count, cpu);
	for (size_t i = 0; i < set->link_threads.count; i++)
		link_thread_join(set->link_threads.items[i]);
	vector_free(&set->link_threads);
	vector_free(&set->links);
	vector_free(&set->in_place);
}

void link_set_deinit(struct link_set *set)
{
	for (size_t i = 0; i < set->events.count; i++)
		ioctl(set->events.items[i].fd, PERF_EVENT_IOC_DISABLE, 0);
	link_set_silence(set);
	close_all(set->events.items, set->events.count, sched_getcpu());
	vector_free(&set->events);
}

void link_set_move(struct link_set *to, struct link_set *from)
{
	for (size_t i = 0; i < from->links.count; i++)
		vector_push(&to->links, from->links.items[i]);
	for (size_t i = 0; i < from->events.count; i++)
		vector_push(&to->events, from->events.items[i]);
	for (size_t i = 0; i < from->link_threads.count; i++)
		vector_push(&to->link_threads, from->link_threads.items[i]);
	to->unseen_ns = MAX(to->unseen_ns, from->unseen_ns);
	for (size_t i = 0; i < from->in_place.count; i++)
		vector_push(&to->in_place, from->in_place.items[i]);
	vector_free(&from->in_place);
	vector_free(&from->links);
	vector_free(&from->events);
	vector_free(&from->link_threads);
}

bool link_set_is_empty(const struct link_set *set)
{
	return set->links.count + set->events.count + set->link_threads.count == 0;
}

struct in_place link_set_in_place(const struct link_set *set, const char *path)
{
	struct in_place ret = { .path = path };
	for (size_t i = 0; i < set->in_place.count; i++) {
		const struct in_place *each = &set->in_place.items[i];
		if (!string_equal(each->path, path))
			continue;
		ret.since = MAX(ret.since, each->since);
		ret.all = MAX(ret.all, each->all);
	}
	return ret;
}

uint64_t link_set_missed(const struct link_set *set)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < set->links.count; i++)
		if (set->links.items[i].counts && kernel_has(FEATURE_LINK_MISSED))
			sum += link_missed(set->links.items[i].fd);
	return sum;
}

void link_set_shrink(struct link_set *set, size_t links, size_t events)
{
	int cpu = sched_getcpu();
	close_all(set->links.items + links, set->links.count - links, cpu);
	close_all(set->events.items + events, set->events.count - events, cpu);
	set->links.count = links;
	set->events.count = events;
}

/* --- links that stay ------------------------------------------------------------------- */

/* A perf event's link holds it, so its descriptor can go; disabling it would stop it. */
struct error *link_set_pin(struct link_set *set, const char *dir)
{
	if (set->link_threads.count)
		return error_new("return probes of the kernel cannot stay without us");
	for (size_t i = 0; i < set->links.count; i++) {
		struct pin_name name = { dir, "link", i };
		struct error *err = pin_make(&name, set->links.items[i].fd);
		if (err)
			return err;
	}
	link_set_shrink(set, 0, 0);
	return NULL;
}

struct error *link_set_open(struct link_set *set, const char *dir)
{
	for (size_t i = 0;; i++) {
		struct pin_name name = { dir, "link", i };
		int fd;
		auto_error struct error *err = pin_open(&name, &fd);
		if (err)
			return error_errno(err) == ENOENT ? NULL : take(err);
		/* Those of other kinds have missed none. */
		vector_push(&set->links, ((struct attachment) { .fd = fd, .counts = true }));
	}
}
