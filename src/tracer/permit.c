/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Destructive actions: allowed by -w only, and only those that the kernel lets us do
 *
 * All is known before anything is attached, so nothing half-destructive ever runs.
 */
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

/* The words of the option pidret, in its order; auto means what insn does. */
enum returns { RETURNS_AUTO, RETURNS_KERNEL, RETURNS_EXITS };

bool tracer_kernel_returns(const struct tracer *t)
{
	return option_number(t->options, OPTION_pidret) == RETURNS_KERNEL;
}

struct error *tracer_permit(struct tracer *t)
{
	struct error *err = permit_cpu(t);
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
