/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * facts - what plan and executors are given: the options, the kernel's types and symbols
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracer/internal.h"

/* --- the running kernel ---------------------------------------------------------------------- */

int32_t tracer_kernel_offset(void *tracer, const char *tag, const char *member)
{
	struct tracer *t = tracer;
	/* The script may have a struct of this name: the kernel's is meant. */
	auto_free char *name_of_type = mem_printf("vmlinux`struct %s", tag);
	const struct type *type = types_find(t->types, name_of_type);
	uint32_t offset = 0;
	auto_free char *copy = mem_strdup(member);
	char *save;
	for (char *name = strtok_r(copy, ".", &save); name; name = strtok_r(NULL, ".", &save)) {
		struct member m;
		if (!type || !type_member(t->types, type_resolve(type), name, &m))
			return -1;
		offset += m.bit_offset / 8;
		type = m.type;
	}
	return (int32_t)offset;
}

static struct error *tracepoint_of(void *arg, const char *name, uint32_t *ret)
{
	struct types *types = ((struct tracer *)arg)->types;
	auto_free char *name_of_type = mem_printf("vmlinux`btf_trace_%s", name);
	const struct type *type = types_find(types, name_of_type);
	const char *problem = types_kernel_problem(types);
	if (problem)
		return error_new("%s", problem);
	if (!type)
		return error_new("the kernel's type data has no tracepoint %s", name);
	*ret = type->btf_id;
	return NULL;
}

static int64_t variable_of(void *t, const char *name)
{
	return types_kernel_variable_offset(((struct tracer *)t)->types, name);
}

static int32_t function_of(void *t, const char *name)
{
	return types_kernel_function_id(((struct tracer *)t)->types, name);
}

static void functions_of(void *t, const char *const *names, unsigned count,
			 struct address_range *ret)
{
	symbols_kernel_functions(symbols_kernel(((struct tracer *)t)->symbols), names, count, ret);
}

static struct executor_kernel kernel_of(struct tracer *t)
{
	return (struct executor_kernel) {
		.arg = t,
		.offset = tracer_kernel_offset,
		.variable = variable_of,
		.tracepoint = tracepoint_of,
		.functions = functions_of,
		.function = function_of,
		.walker_frames = arch_host()->walker_frames,
		.tracepoint_frames = arch_host()->tracepoint_frames,
	};
}

/* --- for the plan ---------------------------------------------------------------------------- */

static const struct event *exits_of(void *tracer, const struct event *e)
{
	struct tracer *t = tracer;
	const char *problem;
	const struct event *exits = function_exits(t->probes, e, &problem);
	if (exits)
		return exits;
	t->left_out.exits_unknown += problem != NULL;
	if (problem)
		log_debug("arg0 of the return of %s`%s is -1: %s", e->function.module,
			  e->function.name, problem);
	return NULL;
}

static void exits_dropped(void *tracer, unsigned returns)
{
	((struct tracer *)tracer)->left_out.exits_dropped = returns;
}

/* A bit for each enum event_kind that clauses are for. */
static uint32_t kinds_of(const struct typed_program *typed)
{
	uint32_t kinds = 0;
	_Static_assert(EVENT_COUNT <= 32, "a bit for each");
	for (unsigned i = 0; i < typed->clause_count; i++)
		for (unsigned j = 0; j < typed->clauses[i]->probe_count; j++)
			for (const struct probe_event *e = typed->clauses[i]->probes[j]->events; e;
			     e = e->next)
				kinds |= 1u << e->event.kind;
	return kinds;
}

static struct plan_options plan_options_of_session(struct tracer *t,
						   const struct executor_ops *executor)
{
	const struct options *o = t->options;
	const struct arch *arch = arch_host();
	const struct typed_program *typed = sema_result(t->sema);
	uint32_t kinds = kinds_of(typed);
	struct executor_facts facts = executor->facts(kinds);
	bool calls = kinds & (1u << EVENT_SYSCALL_ENTRY | 1u << EVENT_SYSCALL_RETURN);
	bool compat = calls && arch->compat_field;
	bool numbers = compat && !kernel_pid_namespace();
	bool returns = kinds & 1u << EVENT_FUNCTION_RETURN;
	int32_t task_probes = returns ? tracer_kernel_offset(t, "task_struct", "utask") : -1;
	int32_t unfinished = returns ? tracer_kernel_offset(t, "uprobe_task", "depth") : -1;
	return (struct plan_options) {
		.arch = arch,
		.area_count = tracer_follows(t) && facts.tree_area_count ? facts.tree_area_count
									 : facts.area_count,
		.cpu_count = kernel_cpus_possible(),
		.drops_by_clause = string_equal(option_text(o, OPTION_dropsby), "clause"),
		.is_for_programs = (tracer_is_for_programs(t) || t->request.names_threads) &&
				   !t->request.is_anonymous,
		.string_size = (uint32_t)option_number(o, OPTION_strsize),
		.kernel_frames = MIN(facts.kernel_frames, t->sema_env.max_frames),
		.user_frames = MAX(t->sema_env.max_user_frames,
				   MIN(facts.kernel_frames, t->sema_env.max_frames)),
		.frames_chosen = t->sema_env.max_frames_chosen,
		.scratch_size = (uint32_t)option_number(o, OPTION_scratchsize),
		.dynamic_size = option_number(o, OPTION_dynvarsize),
		.aggregation_size = option_number(o, OPTION_aggsize),
		.cpu_parts = option_number(o, OPTION_aggpercpu),
		.thread_status_offset =
			compat ? tracer_kernel_offset(t, "task_struct", arch->compat_field) : -1,
		.task_tgid_offset = numbers ? tracer_kernel_offset(t, "task_struct", "tgid") : -1,
		.task_pid_offset = numbers ? tracer_kernel_offset(t, "task_struct", "pid") : -1,
		.task_probes_offset = unfinished > 0 ? MAX(task_probes, 0) : 0,
		.unfinished_calls_offset = MAX(unfinished, 0),
		.tests_tree = t->processes.pids.count > 0,
		.only_cpu = tracer_only_cpu(t),
		.runtime_stack = facts.runtime_stack,
		.can_sleep = facts.can_sleep && !t->refusals.never_sleeps,
		.part_size = facts.never_splits ? NULL : t->refusals.part_size,
		.loop_passes = (uint32_t)option_number(t->options, OPTION_maxloop),
		.this_in_slot = t->refusals.this_in_slot,
		.tracepoint_cookies = facts.tracepoint_cookies,
		.tracepoints_alone = TRACEPOINTS_ALONE,
		.returns_of_others = facts.returns_of_others,
		.never_starves = facts.never_starves,
		.exits = exits_of,
		.exits_most = (unsigned)option_number(o, OPTION_fbtmax),
		.exits_dropped = exits_dropped,
		.trampoline = tracer_trampoline_of,
		.exits_arg = t,
		.more_may_come = t->watched.list.count > 0 || t->watched.every,
#ifdef BUILD_asan
		.checks = true,
#endif
	};
}

struct plan_options tracer_plan_options(struct tracer *t, const struct executor_ops *executor)
{
	struct plan_options o = plan_options_of_session(t, executor);
	wings_do(plan, t, &o);
	return o;
}

/* --- for the executor ------------------------------------------------------------------------ */

/* What specsize is by default, all speculations share; but each has what Solaris gave it. */
#define SPECULATION_USUAL (32u << 10)

uint64_t tracer_speculation_size(const struct options *o)
{
	uint64_t size = option_number(o, OPTION_specsize);
	if (option_is_set(o, OPTION_specsize))
		return size;
	return MAX(size / option_number(o, OPTION_nspec), SPECULATION_USUAL);
}

struct executor_options tracer_executor_options(struct tracer *t)
{
	const struct options *o = t->options;
	return (struct executor_options) {
		.policy = tracer_policy(t),
		.buffer_size = option_number(o, OPTION_bufsize),
		.dynamic_size = option_number(o, OPTION_dynvarsize),
		.speculation_count = (unsigned)option_number(o, OPTION_nspec),
		.speculation_size = tracer_speculation_size(o),
		.halve = string_equal(option_text(o, OPTION_bufresize), "auto"),
		.wall_offset = clock_wall_offset(),
		.only_cpu = tracer_only_cpu(t),
		.stays = t->request.is_anonymous,
		/* New files are requests, too, though nobody waits for them. */
		.watched_processes = (uint32_t)t->watched.list.count + t->watched.every,
		.log_size = (uint32_t)option_number(o, OPTION_bpflogsize),
		.quiet = option_number(o, OPTION_quiet),
		.images = t->images,
		.all_sites = string_equal(option_text(o, OPTION_processsites), "all"),
		.viewer = tracer_viewer(t),
		.kernel = kernel_of(t),
	};
}
