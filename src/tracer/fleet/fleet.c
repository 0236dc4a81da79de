/* SPDX-License-Identifier: BSD-2-Clause */
/* The asker's session (fleet.h) */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/open_files.h"
#include "base/time_unit.h"
#include "tracer/fleet/internal.h"

#define ROUND_MS 50
#define DESCRIPTORS 64	       /* besides those of hosts */
#define SAID_NS 200000000ull   /* equal lines of this time are one */
#define CLOCK_NS 2000000000ull /* for the first pings */
#define SILENT_NS 5000000000ull
#define STOP_NS 5000000000ull /* for END and the last state */

size_t hosts_count(const struct asking *a, enum host_state state)
{
	size_t count = 0;
	for (size_t i = 0; i < a->hosts.count; i++)
		count += a->hosts.items[i].state == state;
	return count;
}

static uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* --- all hosts at once ------------------------------------------------------------------------ */

static void said_read(struct asking *a, struct host *h)
{
	char text[4096];
	ssize_t n = read(h->err, text, sizeof(text));
	if (n < 0)
		return;
	said_add(a->said, h, text, (size_t)n);
	if (n == 0) {
		close(h->err);
		h->err = -1;
	}
}

static void said_show_now(struct asking *a, bool all)
{
	if (!all && now_ns() - a->said_at < SAID_NS)
		return;
	a->said_at = now_ns();
	said_show(a->said, a->hosts.count);
}

static void poll_add(struct asking *a, struct host *h, int fd, short events)
{
	if (fd < 0 || !events)
		return;
	vector_push(&a->polled, ((struct pollfd) { .fd = fd, .events = events }));
	vector_push(&a->polled_hosts, h);
}

/* Wait for at most MS, and do what has come. */
static void hosts_serve(struct asking *a, int ms)
{
	a->polled.count = a->polled_hosts.count = 0;
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		poll_add(a, h, h->in, h->to_send.len ? POLLOUT : 0);
		poll_add(a, h, h->err, POLLIN);
		poll_add(a, h, h->out, POLLIN);
	}
	int ready = poll(a->polled.items, a->polled.count, ms);
	for (size_t i = 0; ready > 0 && i < a->polled.count; i++) {
		struct host *h = a->polled_hosts.items[i];
		const struct pollfd *p = &a->polled.items[i];
		if (p->revents && p->fd == h->err)
			said_read(a, h);
		else if (p->revents)
			host_serve(h, p->fd == h->out);
	}
	said_show_now(a, false);
}

static void hosts_send(struct asking *a, enum frame_kind kind)
{
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		if (h->state != HOST_TRACING)
			continue;
		frame_put(&h->to_send, kind);
		h->is_told |= kind == FRAME_STOP;
	}
}

/* --- the start -------------------------------------------------------------------------------- */

static void host_begin_start(const struct tracer *t, struct host *h)
{
	struct error *err = host_start(h);
	if (err)
		host_give_up(h, err);
	else
		request_put(t, h);
}

static void host_expire(const struct tracer *t, struct host *h)
{
	uint64_t wait = option_number(t->options, OPTION_onwait);
	if (h->state != HOST_STARTING || now_ns() - h->started <= wait)
		return;
	said_add(h->asking->said, h, NULL, 0); /* a prompt has no newline */
	host_give_up(h, error_new("it was not ready within %llu s (-x onwait)",
				  (unsigned long long)(wait / NS_PER_SECOND)));
}

static void hosts_start(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	size_t most = option_number(t->options, OPTION_onstart);
	while (!t->signals.interrupts &&
	       hosts_count(a, HOST_WAITING) + hosts_count(a, HOST_STARTING) > 0) {
		for (size_t i = 0; i < a->hosts.count; i++) {
			struct host *h = &a->hosts.items[i];
			if (h->state == HOST_WAITING && hosts_count(a, HOST_STARTING) < most)
				host_begin_start(t, h);
			host_expire(t, h);
		}
		hosts_serve(a, ROUND_MS);
	}
	said_show_now(a, true);
}

static size_t count_alike(const struct asking *a, const struct host *h)
{
	size_t count = 0;
	for (size_t i = 0; i < a->hosts.count; i++)
		count += a->hosts.items[i].state == HOST_READY &&
			 consumer_programs_agree(remote_program(h->remote),
						 remote_program(a->hosts.items[i].remote));
	return count;
}

/* One of those whose programs agree with most others. */
static const struct host *host_like_most(const struct asking *a)
{
	const struct host *best = NULL;
	size_t most = 0, ready = hosts_count(a, HOST_READY);
	for (size_t i = 0; i < a->hosts.count && 2 * most <= ready; i++) {
		const struct host *h = &a->hosts.items[i];
		size_t alike = h->state == HOST_READY ? count_alike(a, h) : 0;
		best = alike > most ? h : best;
		most = MAX(most, alike);
	}
	return best;
}

/* A host whose records differ cannot be merged. */
static const struct program *hosts_compare(struct asking *a)
{
	const struct host *first = host_like_most(a);
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		if (h->state != HOST_READY || h == first)
			continue;
		if (!consumer_programs_agree(remote_program(first->remote),
					     remote_program(h->remote)))
			host_give_up(h, error_new("its records or keys are others than those of "
						  "%s: types differ between their kernels",
						  first->name));
	}
	return first ? remote_program(first->remote) : NULL;
}

static void report_failed(struct asking *a, enum host_state state)
{
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		if (h->state == state && !h->is_reported)
			said_report(a->said, h);
		h->is_reported |= h->state == state;
	}
	said_show_now(a, true);
}

/* "all", a number, or a share: "80%". */
static struct error *enough(const struct tracer *t, size_t ready)
{
	size_t all = t->fleet->asking->hosts.count;
	const char *text = option_text(t->options, OPTION_onneed);
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	bool is_all = string_equal(text, "all"), is_share = string_equal(end, "%");
	size_t need = is_all ? all : is_share ? (all * n + 99) / 100 : n;
	if (!is_all && (end == text || (*end && !is_share)))
		return error_new("-x onneed=%s: all, a number of hosts, or a share as 80%%", text);
	if (ready >= MAX(need, (size_t)1))
		return NULL;
	return error_new("%zu of %zu hosts are ready, and -x onneed=%s: nothing is traced", ready,
			 all, text);
}

static void clocks_compare(struct asking *a)
{
	uint64_t until = now_ns() + CLOCK_NS;
	for (size_t i = 0; i < a->hosts.count; i++)
		if (a->hosts.items[i].state == HOST_READY)
			host_ping(&a->hosts.items[i]);
	for (bool waits = true; waits && now_ns() < until;) {
		waits = false;
		hosts_serve(a, ROUND_MS);
		for (size_t i = 0; i < a->hosts.count; i++)
			waits |= a->hosts.items[i].state == HOST_READY &&
				 a->hosts.items[i].clock.pings < CLOCK_PINGS;
	}
}

static void hosts_go(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	a->rounds = rounds_new(a->hosts.items, a->hosts.count,
			       option_number(t->options, OPTION_onslack));
	for (size_t i = 0; i < a->hosts.count; i++)
		if (a->hosts.items[i].state == HOST_READY)
			a->hosts.items[i].state = HOST_TRACING;
	hosts_send(a, FRAME_GO);
}

/* --- while tracing ---------------------------------------------------------------------------- */

static void hosts_stop(struct asking *a)
{
	if (a->stops_until)
		return;
	a->stops_until = now_ns() + STOP_NS;
	hosts_send(a, FRAME_STOP);
}

static bool one_has_exited(const struct asking *a)
{
	for (size_t i = 0; i < a->hosts.count; i++)
		if (a->hosts.items[i].state == HOST_ANSWERED && a->hosts.items[i].exited)
			return true;
	return false;
}

/* Each host answers a ping a second. */
static void report_silent(struct host *h, uint64_t now)
{
	bool is_silent = now - h->heard > SILENT_NS;
	if (is_silent && !h->is_silent)
		message_loss("%s is silent: for 5 s nothing has come from it", h->name);
	h->is_silent = is_silent;
}

static void hosts_watch(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	uint64_t now = now_ns();
	if (t->signals.interrupts || one_has_exited(a))
		hosts_stop(a);
	for (size_t i = 0; i < a->hosts.count; i++) {
		struct host *h = &a->hosts.items[i];
		if (h->state != HOST_TRACING)
			continue;
		if (a->stops_until && now > a->stops_until)
			host_give_up(h, error_new("it has not stopped within 5 s"));
		else if (now >= a->next_ping && !h->clock.sent)
			host_ping(h);
		report_silent(h, now);
	}
	if (now >= a->next_ping)
		a->next_ping = now + NS_PER_SECOND;
}

static uint64_t hosts_missed(const struct asking *a)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < a->hosts.count; i++)
		sum += remote_missed(a->hosts.items[i].remote);
	return sum;
}

static void changes_send(struct asking *a)
{
	for (size_t i = 0; i < a->hosts.count; i++)
		remote_send_changes(a->hosts.items[i].remote, &a->hosts.items[i].to_send);
}

static struct error *asking_round(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	hosts_serve(a, ROUND_MS);
	hosts_watch(t);
	rounds_pass(a->rounds, false);
	struct error *err = consumer_poll(t->consumer, output_record, t->output);
	if (err)
		return err;
	changes_send(a);
	if (t->signals.show_now) {
		t->signals.show_now = 0;
		err = output_show(t->output);
	}
	if (!err && now_ns() >= a->next_status) {
		consumer_drops(t->consumer, hosts_missed(a), output_drop, t->output);
		a->next_status = now_ns() + option_number(t->options, OPTION_statusrate);
	}
	return err ? err : output_flush(t->output);
}

/* --- the end ---------------------------------------------------------------------------------- */

static int status_of(const struct tracer *t)
{
	const struct asking *a = t->fleet->asking;
	if (hosts_count(a, HOST_ANSWERED) < a->hosts.count)
		return FLEET_INCOMPLETE;
	const struct host *first = NULL;
	for (size_t i = 0; i < a->hosts.count; i++) {
		const struct host *h = &a->hosts.items[i];
		if (h->exited && (!first || h->heard < first->heard))
			first = h;
	}
	return first ? (int)first->status : 0;
}

static struct error *asking_end(struct tracer *t, int *status)
{
	struct asking *a = t->fleet->asking;
	rounds_pass(a->rounds, true);
	if (t->signals.interrupts == 1 && !t->request.testing)
		output_puts(t->output, "\n");
	struct error *err = t->signals.interrupts < 2
				    ? consumer_flush(t->consumer, output_record, t->output)
				    : NULL;
	if (err)
		return err;
	consumer_drops(t->consumer, hosts_missed(a), output_drop, t->output);
	err = output_end(t->output, t->signals.interrupts < 2);
	*status = status_of(t);
	return err ? err : output_exit(t->output, *status);
}

static void report_hosts(const struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	for (size_t i = 0; i < a->hosts.count; i++)
		if (a->hosts.items[i].err >= 0)
			said_read(a, &a->hosts.items[i]);
	report_failed(a, HOST_LOST);
	bool quiet = option_number(t->options, OPTION_quiet);
	if (!quiet || hosts_count(a, HOST_ANSWERED) < a->hosts.count)
		table_show(a, !quiet);
}

/* --- the session ------------------------------------------------------------------------------ */

/* Are enough of them ready, with programs that can be merged?  Others are reported, once. */
static struct error *hosts_check(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	bool any = hosts_compare(a) != NULL;
	report_failed(a, HOST_FAILED);
	if (t->signals.interrupts)
		return NULL;
	return any ? enough(t, hosts_count(a, HOST_READY)) : error_new("no host is ready");
}

static struct error *asking_begin(struct tracer *t)
{
	struct asking *a = t->fleet->asking;
	hosts_start(t);
	struct error *err = hosts_check(t);
	if (err || t->signals.interrupts)
		return err;
	clocks_compare(a);
	err = hosts_check(t);
	if (err)
		return err;
	err = sources_connect(t);
	if (!err)
		hosts_go(t);
	return err;
}

static struct error *check_options(const struct tracer *t)
{
	if (option_is_set(t->options, OPTION_libdir))
		return error_new("-L cannot be used with --on yet");
	if (option_number(t->options, OPTION_aggpercpu))
		return error_new("-x aggpercpu cannot be used with --on: CPUs of several machines "
				 "have the same numbers");
	static const char *const live[] = { "top", "openmetrics", "otlp" };
	const char *form = option_text(t->options, OPTION_oformat);
	for (size_t i = 0; i < ARRAY_SIZE(live) && form; i++)
		if (string_equal(form, live[i]))
			return error_new("-x oformat=%s cannot be used with --on yet", form);
	return NULL;
}

struct error *tracer_ask(struct tracer *t, const struct fleet_host *hosts, size_t host_count,
			 const struct tracer_program *programs, size_t count, int *status)
{
	struct asking *a = t->fleet->asking = mem_zalloc(sizeof(*a));
	*status = FLEET_INCOMPLETE;
	a->said = said_new();
	a->probes.arena = arena_new();
	struct error *err = check_options(t);
	open_files_allow(DESCRIPTORS + 3 * host_count);
	if (!err)
		err = request_make(t, hosts, host_count, programs, count);
	if (!err)
		err = asking_begin(t);
	if (err || !a->rounds)
		return err;
	while (!err && hosts_count(a, HOST_TRACING) && t->signals.interrupts < 2)
		err = asking_round(t);
	if (!err)
		err = asking_end(t, status);
	report_hosts(t);
	a->is_impatient = t->signals.interrupts >= 2;
	return tracer_written(t, tracer_unless_cancelled(t, err));
}

/* --- the wing --------------------------------------------------------------------------------- */

static struct error *fleet_connect(struct tracer *t, struct consumer_setup *consumer,
				   struct output_setup *output)
{
	if (t->fleet->serving)
		return agent_connect(t, output);
	return t->fleet->asking ? asking_connect(t, consumer, output) : NULL;
}

static struct error *fleet_enable(struct tracer *t)
{
	if (t->fleet->serving)
		agent_enable(t);
	return NULL;
}

static int fleet_poll_fd(const struct tracer *t)
{
	return t->fleet->serving ? agent_poll_fd(t) : -1;
}

static struct error *fleet_step(struct tracer *t, bool status)
{
	return t->fleet->serving ? agent_step(t, status) : NULL;
}

static void asking_free(struct asking *a)
{
	hosts_end(a->hosts.items, a->hosts.count, a->is_impatient);
	for (size_t i = 0; i < a->hosts.count; i++)
		host_deinit(&a->hosts.items[i]);
	vector_free(&a->hosts);
	vector_free(&a->polled_hosts);
	vector_free(&a->sources);
	vector_free(&a->polled);
	vector_free(&a->probes.items);
	rounds_free(a->rounds);
	said_free(a->said);
	strbuf_deinit(&a->text);
	arena_free(a->probes.arena);
	free(a);
}

static void fleet_free(struct tracer *t)
{
	if (t->fleet->asking)
		asking_free(t->fleet->asking);
	if (t->fleet->serving)
		agent_free(t->fleet->serving);
}

const struct wing fleet_wing = {
	.size = sizeof(struct fleet),
	.connect = fleet_connect,
	.enable = fleet_enable,
	.poll_fd = fleet_poll_fd,
	.step = fleet_step,
	.free = fleet_free,
};
