/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow - programs to their events on CPUs and in processes, which come and go
 *
 * Events in a process have a set of links for it: when another thread than the first executes a
 * program, these are dead, and are made again.
 */
#include <errno.h>

#include "base/time_unit.h"
#include "loader/internal.h"
#include "process/process.h"

/* --- processes ------------------------------------------------------------------------------- */

struct traced_process *traced_process_of(struct kernel_run *run, int pid)
{
	for (size_t i = 0; i < run->processes.count; i++)
		if (run->processes.items[i].pid == pid)
			return &run->processes.items[i];
	vector_push(&run->processes, ((struct traced_process) { .pid = pid }));
	return &run->processes.items[run->processes.count - 1];
}

static struct error *watch_exec(struct kernel_run *run)
{
	if (run->watches_programs)
		return NULL;
	struct error *err = link_raw_tracepoint(run->loaded.program_executed, "sched_process_exec",
						0, &run->watcher_links);
	run->watches_programs = !err;
	return err;
}

/* A member of a tree is there already, and stays as it is. */
static struct error *watch_programs(struct kernel_run *run, int pid)
{
	uint32_t key = (uint32_t)pid;
	struct watched_process value = { .flags = MEMBER_WATCHED };
	struct error *err = watch_exec(run);
	if (!err)
		err = map_update(run->loaded.library[LIBRARY_watched], &key, &value, BPF_NOEXIST);
	if (!err || error_errno(err) != EEXIST)
		return err;
	error_free(err);
	return NULL;
}

/* --- trees of processes ----------------------------------------------------------------------- */

static struct error *watch_trees(struct kernel_run *run)
{
	if (run->has_trees)
		return NULL;
	run->has_trees = true;
	struct error *err = watch_exec(run);
	if (!err)
		err = members_are_private(run)
			      ? link_typed_tracepoint(run->loaded.process_forked, CHILD_TRACEPOINT,
						      &run->watcher_links)
			      : link_raw_tracepoint(run->loaded.process_forked, CHILD_TRACEPOINT, 0,
						    &run->watcher_links);
	if (!err)
		err = link_raw_tracepoint(run->loaded.process_ended, "sched_process_exit", 0,
					  &run->watcher_links);
	return err ? err
		   : link_raw_tracepoint(run->loaded.process_freed, "sched_process_free", 0,
					 &run->watcher_links);
}

/*
 * It may have ended before it was a member: then no program removes it.  Once it has ended no
 * program does this at the same time.
 */
static struct error *remove_if_ended(struct kernel_run *run, int pid, bool *ended)
{
	uint32_t key = (uint32_t)pid;
	struct watched_process value;
	*ended = process_state(pid) == PROCESS_ENDED;
	if (!*ended || !map_lookup(run->loaded.library[LIBRARY_watched], &key, &value))
		return NULL;
	if (value.flags & MEMBER_COUNTS && !(value.flags & MEMBER_ENDED))
		__atomic_fetch_sub(&run->loaded.control->members, 1, __ATOMIC_SEQ_CST);
	return map_remove(run->loaded.library[LIBRARY_watched], &key);
}

/* Counted before, as in runtime/process/member.h. */
struct error *follow_join(void *self, int pid, int target, uint32_t flags, bool *is_new)
{
	struct kernel_run *run = self;
	uint32_t key = (uint32_t)pid, counts = flags & MEMBER_COUNTS ? 1 : 0;
	struct watched_process value = { .target = (uint32_t)target, .flags = flags };
	bool ended;
	*is_new = false;
	struct error *err = watch_trees(run);
	if (err)
		return err;
	__atomic_fetch_add(&run->loaded.control->members, counts, __ATOMIC_SEQ_CST);
	err = map_update(run->loaded.library[LIBRARY_watched], &key, &value, BPF_NOEXIST);
	if (err)
		__atomic_fetch_sub(&run->loaded.control->members, counts, __ATOMIC_SEQ_CST);
	if (err && error_errno(err) == EEXIST) {
		error_free(err);
		return NULL;
	}
	if (!err)
		err = remove_if_ended(run, pid, &ended);
	*is_new = !err && !ended;
	if (*is_new && flags & MEMBER_TRACED && members_are_private(run))
		members_begin(run, pid, target);
	return err;
}

static struct error *not_there(void *arg, unsigned group, uint32_t event, bool alone,
			       struct error *why)
{
	return why;
}

struct error *follow_watch(void *self, int pid, const struct event_code *linker)
{
	struct kernel_run *run = self;
	if (!linker)
		return watch_programs(run, pid);
	struct error *err = load_code_watcher(&run->options, &run->loaded);
	if (err)
		return err;
	if (linker->target && members_are_private(run))
		return members_watch(run, linker);
	const struct event event = { .kind = EVENT_FUNCTION_ENTRY, .code = *linker };
	const struct group_code group = { .kind = event.kind, .events = &event, .event_count = 1 };
	const struct attach_request request = {
		.group = &group,
		.program = run->loaded.code_mapped,
		.pid = linker->pid,
		.refused = not_there,
	};
	return loader_attach(&request,
			     linker->pid ? &traced_process_of(run, pid)->links : &run->links);
}

/* Its linker is watched at once, so that it waits there; closing the others takes longer. */
void follow_forget(void *self, int pid)
{
	struct traced_process *process = traced_process_of(self, pid);
	link_set_move(&process->dead, &process->links);
}

void follow_leave(struct traced_process *process, struct link_set *to)
{
	link_set_move(to, &process->links);
	link_set_move(to, &process->dead);
}

/* Dead links fire where others do, so they must go before. */
static void bury(struct kernel_run *run, struct traced_process *process)
{
	link_set_silence(&process->dead);
	link_set_move(&run->links, &process->dead);
}

/*
 * Perf events of uprobes take themselves out of a process that has lost its first thread; links of
 * uprobe_multi stay where they are.
 */
void follow_first_threads(struct kernel_run *run)
{
	for (size_t i = 0; i < run->processes.count && !kernel_has(FEATURE_UPROBE_MULTI); i++) {
		struct traced_process *p = &run->processes.items[i];
		int other;
		if (p->is_lost || link_set_is_empty(&p->links) ||
		    !process_lost_first_thread(p->pid, &other))
			continue;
		p->is_lost = true;
		message_loss("pid %d is not traced any more: its first thread has ended, and this "
			     "kernel (without uprobe_multi, Linux 6.6) finds a process by that one",
			     p->pid);
	}
}

/* Numbers in the log are those of the first PID namespace. */
static void watch_log(struct kernel_run *run)
{
	if (!run->has_log)
		run->log = kernel_pid_namespace() ? -1 : kernel_log_open();
	run->has_log = true;
}

/* Is it news that returns of process PID are missing? */
static bool is_newly_deep(struct kernel_run *run, int pid)
{
	for (size_t i = 0; i < run->deep.count; i++)
		if (run->deep.items[i] == pid)
			return false;
	vector_push(&run->deep, pid);
	return true;
}

static void report_lost_return(void *arg, int pid)
{
	struct kernel_run *run = arg;
	for (size_t i = 0; i < run->processes.count; i++) {
		struct traced_process *p = &run->processes.items[i];
		if (p->pid != pid || !is_newly_deep(run, pid))
			continue;
		message_loss("returns of functions in process %d are missing: a thread had called "
			     "more than 64 with return probes that had not returned "
			     "(without -x pidret=kernel all are traced)",
			     pid);
	}
}

/*
 * The kernel's log is exact, but has ten such messages in 5 s, of all processes, and cannot always
 * be read. The programs see the depth, but only at returns: a call that goes on is never at one.
 */
void follow_lost_returns(struct kernel_run *run)
{
	if (run->has_log && run->log >= 0)
		kernel_log_lost_returns(run->log, report_lost_return, run);
	for (int i = 0; i < DEEP_CELLS && run->loaded.control; i++) {
		int pid = (int)__atomic_load_n(&run->loaded.control->deep[i], __ATOMIC_RELAXED);
		if (pid && is_newly_deep(run, pid))
			message_loss(
				"returns of functions in process %d may be missing: a thread had "
				"%d with return probes that had not returned, and the kernel "
				"follows no more (without -x pidret=kernel all are traced)",
				pid, UNFINISHED_CALLS);
	}
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

static bool has_events_in(const struct group_code *group, int pid)
{
	for (uint32_t i = 0; event_is_function(group->kind) && i < group->event_count; i++)
		if (group->events[i].code.pid == pid)
			return true;
	return false;
}

/* --- programs -------------------------------------------------------------------------------- */

struct attach_request attach_request_of(const struct kernel_run *run, const struct running *r,
					unsigned n)
{
	return (struct attach_request) {
		.group = &r->program->groups[n],
		.number = n,
		.program = r->fds[n],
		.finds_places = finds_places(&run->options, &r->program->groups[n]),
		.only_cpu = run->options.only_cpu,
		.one_cpu = run->one_cpu,
	};
}

static struct error *attach_group(struct kernel_run *run, unsigned n,
				  const struct executor_request *from, struct link_set *links)
{
	const struct running *r = &run->running.items[from->program];
	struct attach_request request = attach_request_of(run, r, n);
	request.pid = from->pid;
	request.refused = from->refused;
	request.arg = from->arg;
	if (!request.pid && members_have(run, request.group))
		return members_attach(run, &request);
	return loader_attach(&request, links);
}

static struct error *attach_in_process(struct kernel_run *run, const struct executor_request *r)
{
	const struct program *p = run->running.items[r->program].program;
	struct traced_process *process = traced_process_of(run, r->pid);
	struct error *err = NULL;
	bury(run, process);
	for (unsigned i = 0; i < p->group_count && !err; i++) {
		if (!has_events_in(&p->groups[i], r->pid))
			continue;
		if (event_is_function_return(p->groups[i].kind))
			watch_log(run);
		err = check_first_thread(r->pid);
		if (!err)
			err = attach_group(run, i, r, &process->links);
	}
	return err;
}

/* Attach PROGRAM, unless there is none or *ATTACHED is set. */
static struct error *attach_watcher(struct kernel_run *run, int program, const char *tracepoint,
				    bool *attached)
{
	if (program < 0 || *attached)
		return NULL;
	*attached = true;
	return link_raw_tracepoint(program, tracepoint, 0, &run->links);
}

static struct error *attach_call_watchers(struct kernel_run *run)
{
	const struct loaded *l = &run->loaded;
	bool *attached = run->watches_calls;
	struct error *err = attach_watcher(run, l->exits_ended, "sched_process_exit", &attached[0]);
	if (!err)
		err = attach_watcher(run, l->exits_executed, "sched_process_exec", &attached[1]);
	if (!err)
		err = attach_watcher(run, l->calls_ended, "sched_process_exit", &attached[3]);
	if (!err)
		err = attach_watcher(run, l->calls_executed, "sched_process_exec", &attached[4]);
	return err ? err : attach_watcher(run, l->exits_forked, CHILD_TRACEPOINT, &attached[2]);
}

/* Nobody knows how often processes have fired by then. */
static void report_unseen(struct kernel_run *run, const struct link_set *links)
{
	if (!links->unseen_ns || run->unseen_reported)
		return;
	message_loss("semaphores of static probes were raised %.1f ms before the probes were "
		     "traced, as this kernel (without uprobe_multi, Linux 6.6) raises them first: "
		     "what processes that look at semaphores fired by then is missing",
		     (double)links->unseen_ns / NS_PER_MS);
	run->unseen_reported = true;
}

static bool is_on_cpus(const struct group_code *group)
{
	bool of_process =
		group->kind == EVENT_WATCH && (!group->event_count || group->events[0].watch.pid);
	return event_is_perf(group->kind) && !of_process;
}

static bool has_timers(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->group_count; i++)
		any |= is_on_cpus(&p->groups[i]);
	return any;
}

/* What its variables need, too. */
static struct error *attach_outside(struct kernel_run *run, const struct executor_request *r)
{
	const struct loaded *l = &run->loaded;
	const struct program *p = run->running.items[r->program].program;
	struct error *err =
		attach_watcher(run, l->thread_exit, "sched_process_exit", &run->watches_exits);
	if (!err)
		err = attach_watcher(run, l->thread_switch, "sched_switch", &run->watches_switches);
	if (!err)
		err = attach_call_watchers(run);
	struct link_set *links = r->program ? &run->running.items[r->program].links : &run->links;
	if (!r->program && has_timers(p))
		cpus_seen_init(&run->cpus);
	for (unsigned i = 0; i < p->group_count && !err; i++)
		err = attach_group(run, i, r, links);
	report_unseen(run, links);
	return err;
}

struct error *follow_attach(void *self, const struct executor_request *request)
{
	return request->pid ? attach_in_process(self, request) : attach_outside(self, request);
}

/* --- CPUs ------------------------------------------------------------------------------------ */

static bool has_ticks(const struct group_code *group)
{
	for (uint32_t i = 0; i < group->event_count; i++)
		if (event_is_tick(&group->events[i]))
			return true;
	return false;
}

/* The CPU of those that are on one alone is gone, and with it their timers. */
static struct error *move_from_left(struct kernel_run *run, struct attach_request *timers)
{
	if (!run->options.quiet && has_ticks(timers->group))
		message("tick probes continue on CPU %d: their CPU went offline", run->one_cpu);
	timers->when = ATTACH_CPU_LEFT;
	return loader_attach(timers, &run->links);
}

/* A CPU that goes offline takes its timers along, so one that comes back is as good as new. */
static struct error *move_timers(struct kernel_run *run, struct attach_request timers,
				 bool has_left, const int *arrived, unsigned count)
{
	struct error *err = has_left ? move_from_left(run, &timers) : NULL;
	timers.when = ATTACH_CPU_CAME;
	for (unsigned k = 0; k < count && !err; k++) {
		timers.only_cpu = arrived[k];
		err = loader_attach(&timers, &run->links);
	}
	return err;
}

struct error *follow_cpus(struct kernel_run *run)
{
	const struct program *p = run->loaded.program;
	if (!has_timers(p) || run->options.only_cpu >= 0)
		return NULL;
	unsigned count;
	const int *arrived = kernel_cpus_arrived(&run->cpus, &count);
	int one_cpu = kernel_cpu_or_other(run->one_cpu);
	bool has_left = one_cpu != run->one_cpu;
	for (unsigned i = 0; i < count; i++)
		has_left |= arrived[i] == run->one_cpu;
	struct error *err = NULL;
	run->one_cpu = one_cpu;
	for (unsigned i = 0; i < p->group_count && !err; i++)
		if (is_on_cpus(&p->groups[i]) && !p->groups[i].part)
			err = move_timers(run, attach_request_of(run, &run->running.items[0], i),
					  has_left, arrived, count);
	return err;
}
