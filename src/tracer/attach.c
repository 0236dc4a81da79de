/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded programs to probes, and the firing of BEGIN and END */
#include <errno.h>
#include <sched.h>

#include "tracer/internal.h"

#define SLOW_EVENTS 50 /* let go in 0.1 s each (kernel/link.c) */

static const struct probe *first_probe(const struct tracer *t, const struct group_code *group,
				       uint32_t event)
{
	return probe_db_get(t->probes, group->probe_ids[event * group->passes]);
}

/* Kernel return probes hide return addresses from unwinders. */
static void warn_of_exceptions(const struct tracer *t, const struct group_code *group, int pid)
{
	for (uint32_t i = 0; i < group->event_count; i++) {
		const struct probe *p = first_probe(t, group, i);
		if (group->events[i].code.pid == pid && p->owner->breaks_unwinding &&
		    p->owner->breaks_unwinding(p)) {
			message("warning: %s may unwind its stack: a C++ exception that passes a "
				"function with a kernel return probe ends the process; without "
				"pidret=kernel it would not",
				p->provider);
			return;
		}
	}
}

/* Like drops: what is not counted is reported, to the quiet, too. */
static void tell_left_out(struct tracer *t)
{
	unsigned all = probe_db_left_out(t->probes), count = all - t->left_out_told;
	const char *text;
	t->left_out_told = all;
	while ((text = probe_db_left_out_text(t->probes, t->left_out_named_told))) {
		message("%s", text);
		t->left_out_named_told++;
	}
	if (count)
		message("%u probe%s that a pattern means %s left out (-x debug says which and why)",
			count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

/* Perf events are closed one after another, and each waits for grace periods. */
static void tell_slow_end(const struct tracer *t)
{
	size_t count = t->links.events.count;
	for (size_t i = 0; i < t->watched.count; i++)
		count += t->watched.items[i].links.events.count;
	if (count >= SLOW_EVENTS && !option_number(t->options, OPTION_quiet))
		message("this kernel (without uprobe_multi, Linux 6.6) lets go of probes one by "
			"one: the end takes about %zu seconds",
			count / 10);
}

int tracer_only_cpu(const struct tracer *t)
{
	return option_is_set(t->options, OPTION_cpu) ? (int)option_number(t->options, OPTION_cpu)
						     : -1;
}

/* Whose events are attached, for messages about them. */
struct attaching {
	struct tracer *t;
	const struct group_code *group;
};

/* One of many places is left out; of one alone the user hears. */
static struct error *refused(void *arg, uint32_t event, bool alone, struct error *why)
{
	const struct attaching *a = arg;
	const struct probe *p = first_probe(a->t, a->group, event);
	if (alone && !*p->function)
		return error_wrap(why, "failed to create probe %s:%s::%s", p->provider, p->module,
				  p->name);
	if (alone)
		return error_wrap(why, "failed to create %s probe for '%s'", p->name, p->function);
	const struct probe_desc d = { p->provider, p->module, p->function, p->name };
	probe_db_leave_out(a->t->probes, &d, error_text(why), false);
	error_free(why);
	return NULL;
}

/* R's N-th group, the events of PROCESS, or if NULL those of none.  CAME: a CPU, online by now. */
static struct error *attach(struct tracer *t, const struct running *r, unsigned n,
			    struct watched *process, enum attach_when when, int came)
{
	const struct group_code *group = &r->program->groups[n];
	struct attaching attaching = { t, group };
	struct attach_request request = {
		.group = group,
		.program = r->fds[n],
		.pid = process ? process->pid : 0,
		.when = when,
		.only_cpu = when == ATTACH_CPU_CAME ? came : tracer_only_cpu(t),
		.one_cpu = t->one_cpu,
		.refused = refused,
		.arg = &attaching,
	};
	return loader_attach(&request, process ? &process->links : &t->links);
}

static bool has_events_in(const struct group_code *group, int pid)
{
	for (uint32_t i = 0; event_is_function(group->kind) && i < group->event_count; i++)
		if (group->events[i].code.pid == pid)
			return true;
	return false;
}

/* A link finds the memory of a process by its first thread, and puts no probe anywhere without. */
static struct error *check_first_thread(int pid)
{
	int other;
	if (!process_lost_first_thread(pid, &other))
		return NULL;
	return error_new("the first thread of process %d has ended, and the kernel finds a process "
			 "by that one",
			 pid);
}

/* The events in PROCESS of R's N-th group. */
static struct error *attach_in(struct tracer *t, const struct running *r, unsigned n,
			       struct watched *process)
{
	const struct group_code *group = &r->program->groups[n];
	if (!has_events_in(group, process->pid))
		return NULL;
	if (group->kind == EVENT_FUNCTION_RETURN)
		warn_of_exceptions(t, group, process->pid);
	struct error *err = check_first_thread(process->pid);
	if (!err)
		err = attach(t, r, n, process, ATTACH_FIRST, -1);
	if (err && process_state(process->pid) == PROCESS_ENDED) {
		error_free(err);
		err = error_new("process %d ended while its probes were put in place",
				process->pid);
	}
	return err;
}

static struct error *attach_group(struct tracer *t, const struct running *r, unsigned n)
{
	struct error *err = attach(t, r, n, NULL, ATTACH_FIRST, -1);
	for (size_t i = 0; i < t->watched.count && !err; i++)
		err = attach_in(t, r, n, &t->watched.items[i]);
	return err;
}

/* PROGRAM, unless there is none or it is *ATTACHED already. */
static struct error *attach_watcher(struct tracer *t, int program, const char *tracepoint,
				    bool *attached)
{
	if (program < 0 || *attached)
		return NULL;
	*attached = true;
	return link_raw_tracepoint(program, tracepoint, 0, &t->links);
}

struct error *tracer_attach_program(struct tracer *t, const struct running *r)
{
	struct error *err =
		attach_watcher(t, t->loaded.thread_exit, "sched_process_exit", &t->watches_exits);
	if (!err)
		err = attach_watcher(t, t->loaded.thread_switch, "sched_switch",
				     &t->watches_switches);
	for (unsigned i = 0; i < r->program->group_count && !err; i++)
		err = attach_group(t, r, i);
	if (!err)
		tell_left_out(t);
	return err;
}

struct error *tracer_attach_anew(struct tracer *t, struct watched *process)
{
	struct error *err = NULL;
	for (size_t k = 0; k < t->running.count && !err; k++)
		for (unsigned i = 0; i < t->running.items[k].program->group_count && !err; i++)
			err = attach_in(t, &t->running.items[k], i, process);
	return err;
}

struct error *tracer_attach(struct tracer *t)
{
	if (t->executor)
		return tracer_executor_attach(t);
	unsigned cpus;
	t->one_cpu = kernel_cpus_online(&cpus)[0];
	struct error *err = tracer_watch_code(t);
	if (!err)
		err = tracer_attach_program(t, &t->running.items[0]);
	if (!err)
		tell_slow_end(t);
	return err;
}

static bool has_ticks(const struct group_code *group)
{
	for (uint32_t i = 0; i < group->event_count; i++)
		if (!group->events[i].timer.on_each_cpu)
			return true;
	return false;
}

/* The CPU of those that are on one alone is gone, and with it their timers. */
static struct error *move_from_left(struct tracer *t, unsigned n)
{
	if (!option_number(t->options, OPTION_quiet) && has_ticks(&t->program.groups[n]))
		message("tick probes go on on CPU %d: theirs went offline", t->one_cpu);
	return attach(t, &t->running.items[0], n, NULL, ATTACH_CPU_LEFT, -1);
}

/* A CPU that goes offline takes its timers along, so one that comes back is as good as new. */
static struct error *follow_cpus(struct tracer *t, unsigned n, bool has_left)
{
	unsigned count;
	struct error *err = has_left ? move_from_left(t, n) : NULL;
	const int *cpus = kernel_cpus_arrived(&count);
	for (unsigned k = 0; k < count && !err; k++)
		err = attach(t, &t->running.items[0], n, NULL, ATTACH_CPU_CAME, cpus[k]);
	return err;
}

struct error *tracer_follow_cpus(struct tracer *t)
{
	unsigned n = 0;
	while (n < t->program.group_count && t->program.groups[n].kind != EVENT_TIMER)
		n++;
	if (t->executor || n == t->program.group_count || tracer_only_cpu(t) >= 0)
		return NULL;
	int one_cpu = kernel_cpu_or_other(t->one_cpu);
	bool has_left = one_cpu != t->one_cpu;
	t->one_cpu = one_cpu;
	return follow_cpus(t, n, has_left);
}

bool tracer_is_attached(const struct tracer *t)
{
	bool any = !link_set_is_empty(&t->links);
	for (size_t i = 0; i < t->watched.count; i++)
		any |= !link_set_is_empty(&t->watched.items[i].links);
	return any;
}

/* All at once (kernel/keeper.h). */
static void *detach(void *arg)
{
	struct tracer *t = arg;
	for (size_t i = 0; i < t->watched.count; i++)
		link_set_move(&t->links, &t->watched.items[i].links);
	link_set_deinit(&t->links);
	link_set_deinit(&t->exec_links);
	return NULL;
}

void tracer_begin_detach(struct tracer *t)
{
	if (!tracer_is_attached(t) || t->detaching)
		return;
	t->detaching = pthread_create(&t->detacher, NULL, detach, t) == 0;
}

void tracer_detach(struct tracer *t)
{
	if (t->detaching)
		pthread_join(t->detacher, NULL);
	t->detaching = false;
	detach(t);
}

/*
 * BEGIN and END are run by us: a test run of their program for each probe.  It
 * must be on our own CPU; on another the kernel runs it in an interrupt, where
 * pid and execname are of whatever was interrupted.
 */
static struct error *run_here(struct tracer *t, int program, uint64_t index)
{
	cpu_set_t before, wanted;
	bool move = option_is_set(t->options, OPTION_cpu) &&
		    sched_getaffinity(0, sizeof(before), &before) == 0;
	if (move) {
		CPU_ZERO(&wanted);
		CPU_SET(option_number(t->options, OPTION_cpu), &wanted);
		if (sched_setaffinity(0, sizeof(wanted), &wanted) < 0)
			return error_sys(errno, "cannot run on CPU %llu",
					 (unsigned long long)option_number(t->options, OPTION_cpu));
	}
	struct error *err = prog_test_run(program, &index, sizeof(index), -1);
	if (move)
		sched_setaffinity(0, sizeof(before), &before);
	return err;
}

struct error *tracer_fire(struct tracer *t, enum event_kind kind)
{
	if (t->executor)
		return tracer_executor_fire(t, kind);
	for (unsigned i = 0; i < t->program.group_count; i++) {
		const struct group_code *group = &t->program.groups[i];
		if (group->kind != kind)
			continue;
		for (uint64_t index = 0; index < group->event_count; index++) {
			struct error *err = run_here(t, t->loaded.programs[i], index);
			if (err)
				return error_wrap(err, "cannot run %s",
						  kind == EVENT_BEGIN ? "BEGIN" : "END");
		}
	}
	return NULL;
}
