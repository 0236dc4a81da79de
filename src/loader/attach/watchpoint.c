/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * watchpoint - accesses of memory to debug registers: of each CPU, or of each thread of a process
 *
 * An event of a thread is inherited by the threads that it starts.  A process that runs may start
 * one while we go through its threads: by a thread that has the event, so that the new one has it,
 * too, or by one that has none yet.  Nobody can tell which, so all events are removed and the
 * threads are gone through again, until none is new.
 */
#include <errno.h>

#include "loader/internal.h"
#include "process/process.h"

#define ROUNDS_MOST 20

/* --- of the kernel ---------------------------------------------------------------------------- */

static struct error *watch_cpu(const struct attach_request *r, int cpu, uint32_t i,
			       struct link_set *links)
{
	const struct event_watch *w = &r->group->events[i].watch;
	const struct perf_watch watch = { w->address, w->length, w->access };
	return link_watch(r->program, cpu, &watch, i, links);
}

/* --- of a process ----------------------------------------------------------------------------- */

struct threads {
	int *numbers;
	size_t count;
};

static bool has_thread(const struct threads *t, int thread)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->numbers[i] == thread)
			return true;
	return false;
}

static bool threads_have_new(const struct threads *before, const struct threads *now)
{
	for (size_t i = 0; i < now->count; i++)
		if (!has_thread(before, now->numbers[i]))
			return true;
	return false;
}

static struct error *watch_threads(const struct attach_request *r, uint32_t i,
				   const struct threads *threads, struct link_set *links)
{
	const struct event_watch *w = &r->group->events[i].watch;
	struct error *err = NULL;
	for (size_t k = 0; k < threads->count && !err; k++) {
		const struct perf_watch watch = { w->address, w->length, w->access,
						  threads->numbers[k], w->follows };
		err = link_watch(r->program, r->only_cpu, &watch, i, links);
		if (err && error_errno(err) == ESRCH) { /* the thread has ended */
			error_free(err);
			err = NULL;
		}
	}
	return err;
}

static struct error *threads_of(int pid, struct threads *ret)
{
	ret->numbers = process_threads(pid, &ret->count);
	return ret->count ? NULL : error_sys(ESRCH, "process %d has ended", pid);
}

/* All threads there are, once; *COMPLETE: none began meanwhile. */
static struct error *watch_round(const struct attach_request *r, uint32_t i, bool *complete,
				 struct link_set *links)
{
	int pid = r->group->events[i].watch.pid;
	struct threads before, now = { 0 };
	struct error *err = threads_of(pid, &before);
	if (!err)
		err = watch_threads(r, i, &before, links);
	if (!err)
		err = threads_of(pid, &now);
	*complete = !err && !threads_have_new(&before, &now);
	free(before.numbers);
	free(now.numbers);
	return err;
}

static struct error *watch_process(const struct attach_request *r, uint32_t i,
				   struct link_set *links)
{
	int pid = r->group->events[i].watch.pid;
	bool complete = false;
	struct error *err = NULL;
	for (unsigned round = 0; round < ROUNDS_MOST && !complete && !err; round++) {
		struct link_set mine = { 0 };
		err = watch_round(r, i, &complete, &mine);
		if (err || (!complete && round + 1 < ROUNDS_MOST))
			link_set_deinit(&mine);
		else
			link_set_move(links, &mine);
	}
	if (!err && !complete)
		message_loss("process %d starts threads all the time: some are not watched", pid);
	return err;
}

struct error *attach_watch(const struct attach_request *r, uint32_t i, struct link_set *links)
{
	return r->group->events[i].watch.pid ? watch_process(r, i, links)
					     : attach_on_cpus(r, watch_cpu, i, links);
}
