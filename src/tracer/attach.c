/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded programs to probes */
#include "tracer/internal.h"

static const struct probe *first_probe(const struct tracer *t, const struct group_code *group,
				       uint32_t event)
{
	return probe_db_get(t->probes, group->probe_ids[event * group->passes]);
}

static void report_dropped_exits(struct tracer *t)
{
	if (t->left_out.exits_dropped)
		message_loss("arg0 of %u return probe%s of the kernel is -1: more than %llu "
			     "instructions would be probed for it, each of which takes the kernel "
			     "0.1 s to detach (-x fbtmax=N allows more)",
			     t->left_out.exits_dropped, t->left_out.exits_dropped == 1 ? "" : "s",
			     (unsigned long long)option_number(t->options, OPTION_fbtmax));
	t->left_out.exits_dropped = 0;
}

/* Like drops: uncounted losses are reported under -q, too. */
void tracer_report_left_out(struct tracer *t)
{
	unsigned all = probe_db_left_out(t->probes), count = all - t->left_out.all;
	const char *text;
	t->left_out.all = all;
	while ((text = probe_db_left_out_text(t->probes, t->left_out.named))) {
		message_loss("%s", text);
		t->left_out.named++;
	}
	if (t->left_out.exits_unknown)
		message_loss("arg0 of %u return probe%s is -1: the instructions that return are "
			     "not known (-x debug says why)",
			     t->left_out.exits_unknown, t->left_out.exits_unknown == 1 ? "" : "s");
	t->left_out.exits_unknown = 0;
	report_dropped_exits(t);
	if (count)
		message_loss(
			"%u probe%s that a pattern matches %s left out (-x debug lists them with "
			"the reason%s)",
			count, count == 1 ? "" : "s", count == 1 ? "is" : "are",
			option_number(t->options, OPTION_pidfast)
				? "; pidfast leaves out all returns that are single-stepped"
				: "");
}

int tracer_only_cpu(const struct tracer *t)
{
	return option_is_set(t->options, OPTION_cpu) ? (int)option_number(t->options, OPTION_cpu)
						     : -1;
}

/* Whose events are attached, for messages about them. */
struct attaching {
	struct tracer *t;
	const struct program *program;
};

/* One of many places is left out; of one alone the user hears. */
static struct error *refused(void *arg, unsigned group, uint32_t event, bool alone,
			     struct error *why)
{
	const struct attaching *a = arg;
	const struct probe *p = first_probe(a->t, &a->program->groups[group], event);
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

static bool is_in_full(void *arg, unsigned group, uint32_t event)
{
	const struct attaching *a = arg;
	return first_probe(a->t, &a->program->groups[group], event)->is_named;
}

/* With pidret=kernel: once, before the first of them is there. */
static void warn_of_returns(struct tracer *t, const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->group_count; i++)
		any |= event_is_function_return(p->groups[i].kind) && p->groups[i].event_count;
	if (!any || t->left_out.warned_of_returns)
		return;
	t->left_out.warned_of_returns = true;
	message("warning: pidret=kernel replaces return addresses: a process that switches stacks "
		"(fibers, coroutines, signal stacks) or unwinds them (C++ exceptions, "
		"pthread_exit()) may compute wrong results or end");
}

struct error *tracer_if_ended(struct error *err, int pid)
{
	if (!err || !pid || process_state(pid) != PROCESS_ENDED)
		return err;
	error_free(err);
	return error_new("process %d ended while its probes were put in place", pid);
}

/* The events of H's N-th program in process PID, or if 0 those in none. */
static struct error *attach(struct tracer *t, struct half h, unsigned n, int pid)
{
	struct attaching attaching = { t, h.program };
	warn_of_returns(t, h.program);
	const struct executor_request request = { .program = n,
						  .pid = pid,
						  .refused = refused,
						  .is_named = is_in_full,
						  .arg = &attaching };
	return tracer_if_ended(h.executor->attach(h.executing, &request), pid);
}

/* The N-th program of t->executor. */
static struct half half_with(const struct tracer *t, unsigned n)
{
	struct half h = tracer_half(t, 0);
	h.program = t->running.items[n];
	return h;
}

static struct error *attach_half(struct tracer *t, struct half h, unsigned n)
{
	struct error *err = attach(t, h, n, 0);
	for (size_t i = 0; i < t->watched.list.count && !err; i++)
		if (!t->watched.list.items[i].for_symbols)
			err = attach(t, h, n, t->watched.list.items[i].pid);
	return err;
}

struct error *tracer_attach_program(struct tracer *t, unsigned n)
{
	struct error *err = wings_try(attach, t, t->running.items[n]);
	if (!err)
		err = attach_half(t, half_with(t, n), n);
	if (!err && n == 0 && tracer_halves(t) > 1)
		err = attach_half(t, tracer_half(t, 1), 0);
	if (!err)
		tracer_report_left_out(t);
	return err;
}

struct error *tracer_attach_anew(struct tracer *t, int pid)
{
	struct error *err = NULL;
	for (unsigned n = 0; n < t->running.count && !err; n++)
		if (t->running.items[n]->group_count) /* else its code has left (live/reap.c) */
			err = attach(t, half_with(t, n), n, pid);
	return err;
}
