/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * release - programs for later probes that are not needed any more, and links in processes that are
 *           gone
 *
 * To close a link takes the kernel some 50 ms: it waits for programs that run there.  So a thread
 * closes the links, of all programs released meanwhile at once, and the descriptors go when that
 * is done, after the last firing was counted.
 */
#include "base/thread.h"
#include "loader/internal.h"
#include "process/process.h"

/* While no firing is suspended it is not a loss that the program at the returns is skipped. */
struct running running_of(const struct program *p, int *fds)
{
	struct running r = {
		.program = p, .fds = fds, .fd_count = p->group_count, .own = { -1, -1 }
	};
	r.counts = mem_alloc(r.fd_count + 1);
	for (unsigned i = 0; i < r.fd_count; i++)
		r.counts[i] = !event_is_resumption(p->groups[i].kind);
	return r;
}

uint64_t running_missed(const struct running *r)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < r->fd_count; i++)
		sum += r->counts[i] ? prog_missed(r->fds[i]) : 0;
	return sum;
}

static void finish(struct kernel_run *run, struct running *r)
{
	run->releasing.missed += running_missed(r);
	for (unsigned i = 0; i < r->fd_count; i++)
		loaded_close(&run->loaded, r->fds[i]);
	for (size_t i = 0; i < ARRAY_SIZE(r->own); i++)
		if (r->own[i] >= 0)
			loaded_close(&run->loaded, r->own[i]);
	free(take(r->fds));
	free(take(r->counts));
	r->fd_count = 0;
}

static void finish_all(struct kernel_run *run)
{
	struct releasing *r = &run->releasing;
	for (size_t i = 0; i < r->now.count; i++)
		finish(run, &run->running.items[r->now.items[i]]);
	r->now.count = 0;
}

static void *releasing_close(void *arg)
{
	struct releasing *r = arg;
	link_set_deinit(&r->links);
	__atomic_store_n(&r->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void end_thread(struct kernel_run *run)
{
	struct releasing *r = &run->releasing;
	pthread_join(r->thread, NULL);
	r->has_thread = r->is_done = false;
	finish_all(run);
}

static void begin_thread(struct kernel_run *run)
{
	struct releasing *r = &run->releasing;
	for (size_t i = 0; i < r->next.count; i++) {
		vector_push(&r->now, r->next.items[i]);
		link_set_move(&r->links, &run->running.items[r->next.items[i]].links);
	}
	r->next.count = 0;
	link_set_move(&r->links, &r->ended);
	r->has_thread = thread_start(&r->thread, 0, releasing_close, r);
	if (r->has_thread)
		return;
	link_set_deinit(&r->links);
	finish_all(run);
}

void run_release(void *self, unsigned program)
{
	struct kernel_run *run = self;
	run->running.items[program].program = NULL; /* its memory may go */
	vector_push(&run->releasing.next, program);
}

/* A zombie's other threads may still run. */
static bool has_ended(const struct traced_process *p)
{
	return (!link_set_is_empty(&p->links) || p->target) && !process_start_time(p->pid);
}

/* Members of trees come and go: those that have ended are forgotten. */
void release_ended(struct kernel_run *run)
{
	size_t kept = 0;
	for (size_t i = 0; i < run->processes.count; i++) {
		struct traced_process p = run->processes.items[i];
		bool ended = has_ended(&p);
		if (ended)
			link_set_move(&run->releasing.ended, &p.links);
		if (!ended || !p.target)
			run->processes.items[kept++] = p;
	}
	run->processes.count = kept;
}

void release_step(struct kernel_run *run)
{
	struct releasing *r = &run->releasing;
	if (r->has_thread && __atomic_load_n(&r->is_done, __ATOMIC_ACQUIRE))
		end_thread(run);
	bool has_more = r->next.count || !link_set_is_empty(&r->ended);
	if (!r->has_thread && has_more && !run->detaching)
		begin_thread(run);
}

void release_end(struct kernel_run *run)
{
	if (run->releasing.has_thread)
		end_thread(run);
	link_set_move(&run->links, &run->releasing.ended);
	for (size_t i = 0; i < run->running.count; i++)
		link_set_move(&run->links, &run->running.items[i].links);
}
