/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The main loop
 *
 * A round drains the buffers and prints.  Rounds come when a buffer passes its
 * mark, when a process ends, on a signal, on exit(), and otherwise twenty times
 * a second, so that interactive output is smooth.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "tracer/internal.h"

#define ROUND_NS 50000000ull	  /* between rounds without news: what people take for at once */
#define SLEEPERS_NS 1000000000ull /* for firings that still wait for memory at the end */
#define HELD_NS 20000000ull	  /* while records wait for the round that may show them */

static struct error *watch(int epoll, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.fd = fd };
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
		return error_sys(errno, "cannot wait for events");
	return NULL;
}

/*
 * All descriptors are watched for edges: only a buffer that passes the mark is an event, not one
 * that is not empty; and the count of the signal handler's writes is never read.
 */
static struct error *watch_all(struct tracer *t, int epoll)
{
	struct error *err = watch(epoll, t->signals.wake, EPOLLIN | EPOLLET);
	int news;
	for (unsigned k = 0; k < tracer_halves(t); k++) {
		const struct half h = tracer_half(t, k);
		for (unsigned n = 0; !err && (news = h.executor->poll_fd(h.executing, n)) >= 0; n++)
			err = watch(epoll, news, EPOLLIN | EPOLLET);
	}
	for (const struct wing *const *w = wings; *w && !err; w++) {
		int fd = (*w)->poll_fd ? (*w)->poll_fd(t) : -1;
		if (fd >= 0)
			err = watch(epoll, fd, EPOLLIN | EPOLLET);
	}
	for (size_t i = 0; i < t->processes.list.count && !err; i++) {
		int fd = process_poll_fd(t->processes.list.items[i]);
		if (fd >= 0)
			err = watch(epoll, fd, EPOLLIN | EPOLLET);
	}
	return err;
}

static void notice_exit(struct tracer *t, struct process *p, int status)
{
	if (option_number(t->options, OPTION_quiet))
		return;
	int pid = process_pid(p);
	const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;
	if (name && process_is_created(p))
		message("pid %d terminated by SIG%s", pid, name);
	else if (process_is_created(p) && WIFSIGNALED(status)) /* a real-time signal */
		message("pid %d terminated by signal %d", pid, WTERMSIG(status));
	else if (process_is_created(p) && WEXITSTATUS(status))
		message("pid %d exited with status %d", pid, WEXITSTATUS(status));
	else
		message("pid %d has exited", pid);
}

static bool processes_gone(struct tracer *t)
{
	for (size_t i = 0; i < t->processes.list.count; i++)
		if (!process_exited(t->processes.list.items[i], NULL))
			return false;
	return t->processes.list.count > 0 && !wings_any(goes_on, t);
}

static void report_drops(struct tracer *t)
{
	uint64_t missed = tracer_missed(t) - t->progress.missed_before;
	consumer_drops(t->consumer, missed, output_drop, t->output);
}

static bool is_over(struct tracer *t)
{
	return t->signals.interrupts || tracer_activity(t) >= ACTIVITY_DRAINING ||
	       processes_gone(t);
}

/* Requested by a signal (SIGUSR1). */
static struct error *show_aggregations(struct tracer *t)
{
	if (!t->signals.show_now)
		return NULL;
	t->signals.show_now = 0;
	return output_show(t->output);
}

static struct error *visit_last(void *arg, const struct record *r)
{
	struct tracer *t = arg;
	t->progress.has_recorded = true;
	return output_record(t->output, r);
}

/* A record may take a millisecond: what processes request that may end soon comes in between. */
static struct error *visit_record(void *arg, const struct record *r)
{
	struct tracer *t = arg;
	struct error *err = visit_last(t, r);
	return err ? err : wings_try(serve, t);
}

struct error *tracer_step_wings(struct tracer *t, bool status)
{
	struct error *err = wings_try(serve, t);
	return err ? err : wings_try(step, t, status);
}

static struct error *do_round(struct tracer *t)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool status = now >= t->progress.next_status;
	struct error *err = NULL;
	for (unsigned n = 0; n < tracer_halves(t) && !err; n++) {
		const struct half h = tracer_half(t, n);
		err = h.executor->step(h.executing, status);
	}
	if (!err)
		err = tracer_step_wings(t, status);
	if (!err && tracer_policy(t) == POLICY_SWITCH)
		err = consumer_poll(t->consumer, visit_record, t);
	if (err)
		return err;
	err = show_aggregations(t);
	if (err)
		return err;
	if (status) {
		report_drops(t);
		t->progress.next_status = now + option_number(t->options, OPTION_statusrate);
	}
	return output_flush(t->output);
}

static uint64_t round_length(const struct tracer *t)
{
	uint64_t rate = option_number(t->options, OPTION_switchrate);
	if (consumer_waiting(t->consumer))
		return rate ? MIN(rate, HELD_NS) : HELD_NS;
	return rate ? rate : ROUND_NS;
}

static bool records_wait(const struct tracer *t)
{
	bool any = false;
	for (unsigned n = 0; n < tracer_halves(t); n++) {
		const struct half h = tracer_half(t, n);
		any |= h.executor->outside && h.executor->outside->is_above_mark(h.executing);
	}
	return any;
}

/* In milliseconds.  A switchrate of many days is more of them than epoll_wait() takes. */
static int round_timeout(const struct tracer *t)
{
	if (wings_any(hurries, t))
		return 1;
	if (tracer_policy(t) == POLICY_SWITCH && records_wait(t))
		return 0;
	return (int)MIN(MAX(round_length(t) / 1000000, 1ull), (uint64_t)INT_MAX);
}

static struct error *loop(struct tracer *t, int epoll)
{
	while (!is_over(t)) {
		struct epoll_event events[16];
		int timeout = round_timeout(t);
		if (epoll_wait(epoll, events, ARRAY_SIZE(events), timeout) < 0 && errno != EINTR)
			return error_sys(errno, "cannot wait for events");
		struct error *err = do_round(t);
		if (err)
			return err;
	}
	return NULL;
}

/*
 * Firings that began before DRAINING was set may still leave records: the kernel reports when all
 * have ended (a grace period, 10 ms).  Without a traced process there are no firings of ours to
 * wait for.
 */
static void wait_for_firings(struct tracer *t, struct half h)
{
	bool all, any = h.executor->outside && h.executor->outside->stop(h.executing);
	if (!any || processes_gone(t))
		return;
	auto_error struct error *err = h.source->reader->settle(h.source->self, &all);
	if (err)
		message_loss("the last firings may be missing: %s", error_text(err));
}

static uint64_t firings_sleeping(const struct tracer *t)
{
	uint64_t sum = 0;
	for (unsigned n = 0; n < tracer_halves(t); n++) {
		const struct half h = tracer_half(t, n);
		sum += h.executor->outside ? h.executor->outside->sleeping(h.executing) : 0;
	}
	return sum;
}

/*
 * Programs that may sleep read memory of the process, usually from a disk.  No grace period covers
 * them; programs that still sleep after the time limit are reported.
 */
static void wait_for_sleepers(struct tracer *t)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + SLEEPERS_NS;
	while (firings_sleeping(t) && clock_ns(CLOCK_MONOTONIC) < until &&
	       t->signals.interrupts < 2)
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	struct drop drop = { .kind = DROP_UNFINISHED, .cpu = -1, .count = firings_sleeping(t) };
	if (drop.count)
		output_drop(t->output, &drop);
}

/* Suspended at the entry of system calls that have not returned since. */
static void report_suspended(struct tracer *t)
{
	uint64_t waiting = 0;
	for (unsigned n = 0; n < tracer_halves(t); n++)
		waiting += __atomic_load_n(&tracer_half(t, n).source->control->suspended,
					   __ATOMIC_SEQ_CST);
	struct drop drop = { .kind = DROP_SUSPENDED, .cpu = -1, .count = waiting };
	if (drop.count)
		output_drop(t->output, &drop);
}

static void set_activity(struct tracer *t, uint32_t activity)
{
	for (unsigned n = 0; n < tracer_halves(t); n++)
		__atomic_store_n(&tracer_half(t, n).source->control->activity, activity,
				 __ATOMIC_SEQ_CST);
}

/* Everything but END has stopped; END fires, and the remaining data are printed. */
static struct error *end(struct tracer *t)
{
	set_activity(t, ACTIVITY_DRAINING);
	for (unsigned n = 0; n < tracer_halves(t); n++)
		wait_for_firings(t, tracer_half(t, n));
	wait_for_sleepers(t);
	report_suspended(t);
	struct error *err = consumer_flush(t->consumer, visit_last, t);
	wings_do(report, t);
	if (err)
		return err;
	set_activity(t, ACTIVITY_STOPPED);
	err = tracer_fire(t, EVENT_END);
	t->progress.end_has_run = !err;
	if (!err)
		err = consumer_flush(t->consumer, output_record, t->output);
	if (err)
		return err;
	report_drops(t);
	t->progress.aggregations_shown = t->signals.interrupts < 2;
	return output_end(t->output, t->progress.aggregations_shown);
}

struct error *tracer_unless_cancelled(const struct tracer *t, struct error *err)
{
	if (!err || t->signals.interrupts < 2 || error_errno(err) != ECANCELED)
		return err;
	error_free(err);
	return NULL;
}

static int exit_status(struct tracer *t)
{
	int child = 0;
	for (unsigned n = 0; n < tracer_halves(t); n++) {
		const struct control *control = tracer_half(t, n).source->control;
		if (control->exited)
			return (int)control->status;
	}
	if (tracer_is_abandoned(t)) /* by the deadman: limits/deadman.c */
		return EXIT_FAILURE;
	if (option_number(t->options, OPTION_childstatus) && t->processes.list.count &&
	    process_exited(t->processes.list.items[0], &child))
		return WIFSIGNALED(child) ? 128 + WTERMSIG(child) : WEXITSTATUS(child);
	return 0;
}

/*
 * At full speed 64 KiB are full 0.4 ms after the mark was passed, and then the consumer waits for
 * a CPU: with five other threads for each CPU it ran for 0.12 s and waited for 0.94 s.  Of 400,000
 * records 15,239 were lost [8,666-63,721]; with this priority 5,905 [0-26,169] (medians of 8
 * paired rounds; 6.18).  SCHED_RR lost 0 [0-1,064] where this lost 1,253 [0-17,768], nice -20 as
 * many as this; but a thread that names frames, or writes them to a slow terminal, would keep all
 * others from its CPU.
 */
static void hurry(const struct tracer *t)
{
	if (tracer_policy(t) == POLICY_SWITCH && t->executor->outside)
		kernel_run_soon();
}

struct error *tracer_written(struct tracer *t, struct error *err)
{
	for (const struct wing *const *w = wings; *w; w++)
		if ((*w)->written)
			err = (*w)->written(t, err);
	return err;
}

struct error *tracer_run(struct tracer *t, int *status)
{
	auto_close int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct error *err = watch_all(t, epoll);
	t->progress.next_status =
		clock_ns(CLOCK_MONOTONIC) + option_number(t->options, OPTION_statusrate);
	hurry(t);
	if (!err)
		err = output_flush(t->output); /* BEGIN's */
	if (!err)
		err = loop(t, epoll);
	wings_do(end, t);
	for (size_t i = 0; i < t->processes.list.count; i++) {
		int child;
		if (process_exited(t->processes.list.items[i], &child))
			notice_exit(t, t->processes.list.items[i], child);
	}
	if (!err && t->signals.interrupts == 1 && !t->request.testing)
		output_puts(t->output, "\n");
	if (!err && t->signals.interrupts < 2)
		err = end(t);
	err = tracer_unless_cancelled(t, err);
	*status = exit_status(t);
	if (t->signals.interrupts >= 2)
		tracer_report_lost(t);
	else if (!err)
		err = output_exit(t->output, *status);
	return tracer_written(t, err);
}
