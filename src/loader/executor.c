/* SPDX-License-Identifier: BSD-2-Clause */
/* executor - the kernel's row among executors, and the life of a run */
#include <errno.h>
#include <sched.h>

#include "base/thread.h"
#include "loader/internal.h"

#define SLOW_EVENTS 50 /* detached in 0.1 s each (kernel/link/link_set.c) */

/* --- before anything is loaded --------------------------------------------------------------- */

static bool tracepoint_cookies(void)
{
	return kernel_has(FEATURE_COOKIE_RAW);
}

/* What no script needs is not asked of the kernel: each question costs the start. */
static struct executor_facts loader_facts(uint32_t kinds)
{
	return (struct executor_facts) {
		.area_count = kernel_cpus_possible(),
		.kernel_frames = MIN(kernel_frames(), STACK_FRAMES_MAX),
		.runtime_stack = loader_runtime_stack(),
		.can_sleep = true,
		.returns_of_others =
			(kinds & 1u << EVENT_FUNCTION_RETURN) && !kernel_has(FEATURE_UPROBE_MULTI),
		.tracepoint_cookies = tracepoint_cookies,
	};
}

static const char *refuse_no_event(const struct event *event)
{
	return NULL;
}

static struct error *loader_refuse_call(enum rt_function function)
{
	if (function == RT_raise && !kernel_has(FEATURE_SEND_SIGNAL))
		return error_new("stop() and raise() need bpf_send_signal(), which this kernel "
				 "lacks: it was added in Linux 5.3");
	if (function != RT_write_user || kernel_has(FEATURE_WRITE_USER))
		return NULL;
	auto_free char *why = kernel_why_no_writing();
	return error_new("copyout() and copyoutstr() need bpf_probe_write_user(): %s", why);
}

/* --- loading --------------------------------------------------------------------------------- */

static bool calls_numbers(const struct program *p)
{
	return program_calls(p, RT_pid_tgid) || program_calls(p, RT_ppid);
}

/* Which numbers are meant, where there are several (runtime/process/namespace.c). */
static void notice_namespace(const struct kernel_run *run)
{
	if (!run->options.quiet && kernel_pid_namespace() && calls_numbers(run->loaded.program))
		message("pid, tid and ppid are numbers of the PID namespace that %s is in: 0 for "
			"processes outside of it",
			message_program());
}

static struct kernel_run *run_new(const struct executor_options *options)
{
	struct kernel_run *run = mem_zalloc(sizeof(*run));
	unsigned cpus;
	run->options = *options;
	run->one_cpu = kernel_cpus_online(&cpus)[0];
	return run;
}

static void run_begin(struct kernel_run *run)
{
	vector_push(&run->running, running_of(run->loaded.program, run->loaded.programs));
	link_set_move(&run->links, &run->loaded.links);
}

static struct error *run_load(const struct program *p, const struct executor_options *options,
			      void **ret)
{
	struct kernel_run *run = run_new(options);
	struct error *err = check_unwind(&run->options);
	if (!err)
		err = loader_load(p, &run->options, &run->loaded);
	if (err) {
		free(run);
		return err;
	}
	run_begin(run);
	notice_namespace(run);
	*ret = run;
	return NULL;
}

static struct error *run_load_more(void *self, const struct program *p)
{
	struct kernel_run *run = self;
	struct running more = running_of(p, mem_alloc((p->group_count + 1) * sizeof(int)));
	struct error *err = loader_load_more(p, &run->options, &run->loaded, more.fds, more.own);
	if (!err) {
		link_set_move(&more.links, &run->loaded.links);
		vector_push(&run->running, more);
		return NULL;
	}
	link_set_deinit(&run->loaded.links);
	free(more.fds);
	free(more.counts);
	return err;
}

static struct error *run_adopt(const struct program *p, const struct executor_options *options,
			       uint64_t names, const char *dir, void **ret)
{
	struct kernel_run *run = run_new(options);
	struct error *err = loader_adopt(p, names, dir, run);
	if (err) {
		free(run);
		return err;
	}
	run_begin(run);
	*ret = run;
	return NULL;
}

static struct executor_sizes sizes(const void *self)
{
	const struct loaded *l = &((const struct kernel_run *)self)->loaded;
	return (struct executor_sizes) {
		.buffer = l->ring_size,
		.buffer_lowered = l->ring_lowered,
		.speculation = l->speculation_size,
		.speculation_lowered = l->speculation_lowered,
		.aggregation_lowered = l->aggregation_lowered,
		.dynamic_lowered = l->dynamic_lowered,
	};
}

/* --- while it runs --------------------------------------------------------------------------- */

static int run_poll_fd(void *self, unsigned n)
{
	const struct loaded *l = &((struct kernel_run *)self)->loaded;
	if (n < l->ring_count)
		return l->rings[n];
	n -= l->ring_count;
	int arrivals = l->library[LIBRARY_arrivals];
	if (n == 0 && arrivals >= 0)
		return arrivals;
	return n == (arrivals >= 0) ? l->library[LIBRARY_stack_copies] : -1;
}

/*
 * BEGIN and END are run by us: a test run of their program for each probe.  It must be on our own
 * CPU; on another the kernel runs it in an interrupt, where pid and execname are of whatever was
 * interrupted.
 */
static struct error *run_fire(void *self, unsigned group, uint32_t index)
{
	const struct kernel_run *run = self;
	uint64_t context = index;
	cpu_set_t before, wanted;
	bool move =
		run->options.only_cpu >= 0 && sched_getaffinity(0, sizeof(before), &before) == 0;
	if (move) {
		CPU_ZERO(&wanted);
		CPU_SET(run->options.only_cpu, &wanted);
		if (sched_setaffinity(0, sizeof(wanted), &wanted) < 0)
			return error_sys(errno, "cannot run on CPU %d", run->options.only_cpu);
	}
	struct error *err =
		prog_test_run(run->loaded.programs[group], &context, sizeof(context), -1);
	if (move)
		sched_setaffinity(0, sizeof(before), &before);
	return err;
}

/* Perf events are closed one after another, and each waits for grace periods. */
static void report_slow_end(struct kernel_run *run)
{
	size_t count = run->links.events.count;
	if (run->slow_end_told)
		return;
	for (size_t i = 0; i < run->processes.count; i++)
		count += run->processes.items[i].links.events.count;
	if (count >= SLOW_EVENTS && !run->options.quiet)
		message("this kernel lets go of these probes one by one: the end takes about %zu "
			"seconds",
			count / 10);
	run->slow_end_told = true;
}

/*
 * Firings at functions of the kernel that reached no program since tracing began, as far as the
 * kernel counts them.  Links that are closed have no count any more.
 */
static void count_unreached(struct kernel_run *run)
{
	struct control *control = run->loaded.control;
	uint64_t now = link_set_missed(&run->links);
	for (size_t i = 0; i < run->running.count; i++)
		now += link_set_missed(&run->running.items[i].links);
	if (__atomic_load_n(&control->activity, __ATOMIC_RELAXED) == ACTIVITY_INACTIVE)
		run->unreached_before = now;
	uint64_t since = now - MIN(now, run->unreached_before);
	if (since > __atomic_load_n(&control->unreached, __ATOMIC_RELAXED))
		__atomic_store_n(&control->unreached, since, __ATOMIC_RELAXED);
}

static struct error *run_attach(void *self, const struct executor_request *request)
{
	struct error *err = follow_attach(self, request);
	count_unreached(self);
	return err;
}

static struct error *run_step(void *self, bool status)
{
	struct kernel_run *run = self;
	report_slow_end(run);
	if (status) {
		count_unreached(run);
		release_ended(run);
	}
	release_step(run);
	if (!status)
		return NULL;
	follow_first_threads(run);
	follow_lost_returns(run);
	return follow_cpus(run);
}

static uint64_t missed(const void *self)
{
	const struct kernel_run *run = self;
	uint64_t sum = run->releasing.missed;
	for (size_t k = 0; k < run->running.count; k++)
		sum += running_missed(&run->running.items[k]);
	return sum;
}

/* --- the end --------------------------------------------------------------------------------- */

static bool is_attached(const struct kernel_run *run)
{
	bool any = !link_set_is_empty(&run->links) || run->releasing.has_thread;
	for (size_t i = 0; i < run->running.count; i++)
		any |= !link_set_is_empty(&run->running.items[i].links);
	for (size_t i = 0; i < run->processes.count; i++)
		any |= !link_set_is_empty(&run->processes.items[i].links);
	return any;
}

/* All at once (kernel/link/link_internal.h). */
static void *run_close_links(void *self)
{
	struct kernel_run *run = self;
	for (size_t i = 0; i < run->processes.count; i++)
		follow_leave(&run->processes.items[i], &run->links);
	link_set_deinit(&run->links);
	link_set_deinit(&run->watcher_links);
	return NULL;
}

/* In a thread: closing waits in the kernel. */
static bool stop(void *self)
{
	struct kernel_run *run = self;
	if (!is_attached(run) || run->detaching)
		return run->detaching;
	follow_lost_returns(run);
	release_end(run);
	count_unreached(run);
	run->detaching = thread_start(&run->detacher, 0, run_close_links, run);
	return true;
}

static void detach(void *self)
{
	struct kernel_run *run = self;
	if (run->detaching)
		pthread_join(run->detacher, NULL);
	run->detaching = false;
	release_end(run);
	run_close_links(run);
}

static void run_free(void *self)
{
	struct kernel_run *run = self;
	for (size_t i = 0; i < run->running.count; i++)
		free(run->running.items[i].counts);
	for (size_t i = 1; i < run->running.count; i++)
		free(run->running.items[i].fds);
	vector_free(&run->running);
	vector_free(&run->releasing.next);
	vector_free(&run->releasing.now);
	vector_free(&run->processes);
	vector_free(&run->deep);
	members_deinit(run);
	cpus_seen_deinit(&run->cpus);
	if (run->has_log && run->log >= 0)
		close(run->log);
	loaded_deinit(&run->loaded);
	free(run);
}

static uint64_t sleeping(void *self)
{
	const struct loaded *l = &((const struct kernel_run *)self)->loaded;
	uint64_t sum = 0;
	for (unsigned cpu = 0; cpu < l->program->area_count; cpu++)
		sum += __atomic_load_n(&l->counters[cpu].running, __ATOMIC_SEQ_CST);
	return sum;
}

/* --- the tables ------------------------------------------------------------------------------ */

static const struct executor_outside outside = {
	.check = kernel_check_privileges,
	.sizes = sizes,
	.is_above_mark = loader_is_above_mark,
	.missed = missed,
	.stop = stop,
	.detach = detach,
	.sleeping = sleeping,
};

static struct in_place run_in_place(const void *self, unsigned program, const char *path)
{
	const struct kernel_run *run = self;
	return link_set_in_place(&run->running.items[program].links, path);
}

static const struct executor_follow follow = {
	.watch = follow_watch,
	.join = follow_join,
	.add_member = members_add,
	.forget = follow_forget,
	.watch_cgroups = cgroups_watch,
	.add_cgroup = cgroups_add,
	.load_more = run_load_more,
	.release = run_release,
	.in_place = run_in_place,
};

static const struct executor_pin pin = { .pin = loader_pin, .adopt = run_adopt };

const struct executor_ops kernel_executor = {
	.word = "kernel",
	.name = "the kernel",
	.facts = loader_facts,
	.refuse_event = refuse_no_event,
	.refuse_call = loader_refuse_call,
	.load = run_load,
	.source = loader_source,
	.attach = run_attach,
	.fire = run_fire,
	.step = run_step,
	.poll_fd = run_poll_fd,
	.free = run_free,
	.outside = &outside,
	.follow = &follow,
	.stacks = &loader_stacks,
	.pin = &pin,
};
