/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the options permit: who runs the clauses, and destructive actions by -w only, and only those
 * that the kernel lets us do
 *
 * All is known before anything is attached, so nothing half-destructive ever runs.
 */
#include <assert.h>

#include "inject/inject.h"
#include "interpreter/interpreter.h"
#include "loader/loader.h"
#include "tracer/internal.h"

static const struct {
	const char *action, *why;
} impossible[] = {
	{ "breakpoint", "a BPF program cannot enter the kernel's debugger" },
	{ "panic", "a BPF program cannot panic the kernel" },
	{ "chill", "a BPF program cannot keep a CPU from its work" },
};

/* A CPU that is not there would be traced for ever without a record. */
static struct error *permit_cpu(const struct tracer *t)
{
	unsigned count;
	const int *online = kernel_cpus_online(&count);
	if (!option_is_set(t->options, OPTION_cpu))
		return NULL;
	uint64_t wanted = option_number(t->options, OPTION_cpu);
	for (unsigned i = 0; i < count; i++)
		if ((uint64_t)online[i] == wanted)
			return NULL;
	return error_new("option cpu: CPU %llu is not online", (unsigned long long)wanted);
}

/* --- the executor: -x executor --- */

static bool is_whole(const struct executor_ops *e)
{
	return e->word && e->name && e->facts && e->refuse_event && e->refuse_call && e->load &&
	       e->source && e->attach && e->fire && e->step && e->poll_fd && e->free;
}

bool tracer_is_auto(const struct tracer *t)
{
	return string_equal(option_text(t->options, OPTION_executor), "auto");
}

/* Is the only process that of -c? */
static bool has_own_process(const struct tracer *t)
{
	return t->processes.list.count == 1 && process_is_created(t->processes.list.items[0]);
}

/* The kernel, if we may use it; else who does without it for the process of -c, or without any. */
static const struct executor_ops *executor_auto(const struct tracer *t)
{
	if (t->has_privileges || t->request.is_anonymous)
		return &kernel_executor;
	return has_own_process(t) ? &process_executor : &interpreter_executor;
}

void tracer_choose_executor(struct tracer *t)
{
	static const struct executor_ops *const executors[] = { &kernel_executor,
								&interpreter_executor,
								&process_executor };
	const char *word = option_text(t->options, OPTION_executor);
	if (tracer_is_auto(t))
		t->executor = executor_auto(t);
	for (size_t i = 0; i < ARRAY_SIZE(executors); i++)
		if (string_equal(executors[i]->word, word))
			t->executor = executors[i];
	assert(t->executor && is_whole(t->executor));
}

/* The words of the option pidret, in its order; auto means what insn does. */
enum returns { RETURNS_AUTO, RETURNS_KERNEL, RETURNS_EXITS };

bool tracer_kernel_returns(const struct tracer *t)
{
	return option_number(t->options, OPTION_pidret) == RETURNS_KERNEL &&
	       !t->executor->facts(0).returns_by_exits;
}

static struct error *permit_returns(const struct tracer *t)
{
	if (option_number(t->options, OPTION_pidret) != RETURNS_KERNEL || tracer_kernel_returns(t))
		return NULL;
	return error_new("%s has no return probes (pidret=insn traces returns at the instructions "
			 "that leave functions)",
			 t->executor->name);
}

struct error *tracer_permit(struct tracer *t)
{
	struct error *err = permit_cpu(t);
	if (!err)
		err = permit_returns(t);
	if (!err)
		err = tracer_check_about(t);
	if (!err)
		err = wings_try(permit, t);
	if (err)
		return err;
	const struct typed_program *typed = sema_result(t->sema);
	for (size_t i = 0; typed->impossible && i < ARRAY_SIZE(impossible); i++)
		if (string_equal(typed->impossible, impossible[i].action))
			return error_new("%s() is not supported on this system: %s",
					 impossible[i].action, impossible[i].why);
	if (typed->destructive && !option_number(t->options, OPTION_destructive))
		return error_new("Destructive actions not allowed (-w allows them)");
	return NULL;
}
