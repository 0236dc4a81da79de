/* SPDX-License-Identifier: BSD-2-Clause */
/* Typed clauses to a running tracer: compile, load, attach, BEGIN */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracer/internal.h"

/* --- what code needs to know of the running kernel ----------------------------------------- */

/* Where MEMBER ("se.exec_start") lies in the kernel's struct TAG, or -1; for the loader. */
static int32_t offset_of(void *tracer, const char *tag, const char *member)
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

static bool traces(const struct typed_program *typed, enum event_kind kind)
{
	for (unsigned i = 0; i < typed->clause_count; i++)
		for (unsigned j = 0; j < typed->clauses[i]->probe_count; j++)
			if (probe_has_event(typed->clauses[i]->probes[j], kind))
				return true;
	return false;
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

struct plan_options tracer_plan_options(struct tracer *t)
{
	const struct options *o = t->options;
	const struct arch *arch = arch_host();
	const struct typed_program *typed = sema_result(t->sema);
	bool calls = traces(typed, EVENT_SYSCALL_ENTRY) || traces(typed, EVENT_SYSCALL_RETURN);
	bool compat = calls && arch->compat_field;
	bool numbers = compat && !kernel_pid_namespace();
	return (struct plan_options) {
		.arch = arch,
		.area_count = kernel_cpus_possible(),
		.cpu_count = kernel_cpus_possible(),
		.drops_by_clause = string_equal(option_text(o, OPTION_dropsby), "clause"),
		.string_size = (uint32_t)option_number(o, OPTION_strsize),
		.kernel_frames = MIN(kernel_frames(), STACK_FRAMES_MAX),
		.scratch_size = (uint32_t)option_number(o, OPTION_scratchsize),
		.dynamic_size = option_number(o, OPTION_dynvarsize),
		.aggregation_size = option_number(o, OPTION_aggsize),
		.cpu_parts = option_number(o, OPTION_aggpercpu),
		.thread_status_offset =
			compat ? offset_of(t, "task_struct", arch->compat_field) : -1,
		.task_tgid_offset = numbers ? offset_of(t, "task_struct", "tgid") : -1,
		.task_pid_offset = numbers ? offset_of(t, "task_struct", "pid") : -1,
		.only_cpu = tracer_only_cpu(t),
		.runtime_stack = loader_runtime_stack(),
		.can_sleep = !t->executor,
		.tracepoint_cookies =
			traces(typed, EVENT_TRACEPOINT) && kernel_has(FEATURE_COOKIE_RAW),
		.more_may_come = t->watched.count > 0,
#ifdef BUILD_asan
		.checks = true,
#endif
	};
}

/* What specsize is by default, all speculations share; but each has what Solaris gave it. */
#define SPECULATION_USUAL (32u << 10)

uint64_t tracer_speculation_size(const struct options *o)
{
	uint64_t size = option_number(o, OPTION_specsize);
	if (option_is_set(o, OPTION_specsize))
		return size;
	return MAX(size / option_number(o, OPTION_nspec), SPECULATION_USUAL);
}

struct loader_options tracer_loader_options(struct tracer *t)
{
	const struct options *o = t->options;
	struct loader_options ret = {
		.policy = tracer_policy(t),
		.buffer_size = option_number(o, OPTION_bufsize),
		.dynamic_size = option_number(o, OPTION_dynvarsize),
		.speculation_count = (unsigned)option_number(o, OPTION_nspec),
		.speculation_size = tracer_speculation_size(o),
		.halve = string_equal(option_text(o, OPTION_bufresize), "auto"),
		.walker_frames = arch_host()->walker_frames,
		.wall_offset = clock_wall_offset(),
		.log_size = (uint32_t)option_number(o, OPTION_bpflogsize),
		.watch = tracer_watch(t),
		.watched_processes = (uint32_t)t->watched.count,
		.offset = offset_of,
		.variable = variable_of,
		.tracepoint = tracepoint_of,
		.functions = functions_of,
		.function = function_of,
		.arg = t,
	};
	kernel_cpus_online(&ret.cpu_count);
	return ret;
}

/* --- compiling and loading -------------------------------------------------------------------- */

struct error *tracer_verify(const struct typed_program *typed, const struct program *p)
{
	if (!VERIFIES)
		return NULL;
	struct error *err = typed_verify(typed);
	if (err)
		return error_wrap(err, "a mistake of %s: the checked program", message_program());
	err = program_verify(p);
	if (err)
		return error_wrap(err, "a mistake of %s: the compiled program", message_program());
	return NULL;
}

struct error *tracer_generate(struct tracer *t)
{
	if (t->generated)
		return NULL;
	t->generated = true;
	tracer_choose_executor(t);
	tracer_choose_watched(t);
	struct diagnostics d = { 0 };
	struct plan_options options = tracer_plan_options(t);
	const struct plan *plan;
	bool fine =
		codegen_program(t->arena, sema_result(t->sema), &options, &d, &t->program, &plan);
	tracer_show_mistakes(t, &d);
	diagnostics_deinit(&d);
	if (!fine)
		return error_new("the program cannot be compiled");
	tracer_show_plan(t, plan);
	tracer_show_code(t);
	struct error *err = tracer_verify(sema_result(t->sema), &t->program);
	if (err)
		return err;
	uint64_t room = option_number(t->options, OPTION_bufsize);
	uint64_t largest = t->program.largest_record + 16, last = t->program.end_records;
	if (room < largest)
		return error_new("Enabling exceeds size of buffer: a record may need %llu bytes, "
				 "bufsize (-b) is %llu",
				 (unsigned long long)largest, (unsigned long long)room);
	if (tracer_policy(t) == POLICY_FILL && room < last)
		return error_new("END enablings exceed size of principal buffer: they may leave "
				 "%llu bytes, bufsize (-b) is %llu",
				 (unsigned long long)last, (unsigned long long)room);
	return NULL;
}

/* Which numbers are meant, where there are several (runtime/namespace.c). */
static void notice_namespace(const struct tracer *t)
{
	if (!kernel_pid_namespace() || option_number(t->options, OPTION_quiet))
		return;
	if (program_calls(&t->program, RT_pid_tgid) || program_calls(&t->program, RT_ppid))
		message("pid, tid and ppid are numbers of the PID namespace that %s is in: 0 for "
			"processes outside of it",
			message_program());
}

static struct error *load(struct tracer *t)
{
	if (t->executor)
		return tracer_executor_load(t);
	struct error *err = kernel_check_privileges();
	if (!err)
		err = tracer_permit_calls(t);
	if (err)
		return err;
	tracer_notice_options(t);
	struct loader_options options = tracer_loader_options(t);
	err = loader_load(&t->program, &options, &t->loaded);
	if (err)
		return err;
	struct running first = { &t->program, t->loaded.programs };
	vector_push(&t->running, first);
	notice_namespace(t);
	bool asked = option_is_set(t->options, OPTION_specsize);
	if (t->loaded.speculation_size && asked && !options.halve &&
	    options.speculation_size > options.buffer_size)
		return error_new("a speculation of specsize does not fit into a buffer of bufsize "
				 "(bufresize=auto lowers it)");
	tracer_notice_sizes(t, options.speculation_size);
	return NULL;
}

/* --- consumer and output --------------------------------------------------------------------- */

static const struct probe_names *names_of(void *arg, uint32_t id)
{
	struct tracer *t = arg;
	const struct probe *p = probe_db_get(t->probes, id);
	_Static_assert(sizeof(struct probe_names) == 4 * sizeof(char *), "a run of four names");
	_Static_assert(offsetof(struct probe, name) - offsetof(struct probe, provider) ==
			       offsetof(struct probe_names, name),
		       "probes hold the names in this order");
	return p ? (const struct probe_names *)&p->provider : NULL;
}

static uint64_t symbol_start(void *arg, uint32_t tgid, uint64_t address)
{
	return output_symbol_start(((struct tracer *)arg)->symbols, tgid, address);
}

static const char *module_name(void *arg, uint32_t tgid, uint64_t address)
{
	return output_module_name(((struct tracer *)arg)->symbols, tgid, address);
}

static struct error *make_consumer(struct tracer *t)
{
	struct consumer_setup setup = {
		.sources = &t->source,
		.source_count = 1,
		.cpu_count = kernel_cpus_possible(),
		.temporal = option_number(t->options, OPTION_temporal),
		.per_cpu = option_number(t->options, OPTION_aggpercpu),
		.names = {
			.arg = t,
			.probe = names_of,
			.symbol_start = symbol_start,
			.module_name = module_name,
		},
	};
	struct error *err = consumer_new(&setup, &t->consumer);
	if (!err)
		consumer_set_aggregation_rate(t->consumer,
					      option_number(t->options, OPTION_aggrate));
	return err;
}

/* Is the output UTF-8?  By the option, else as the locale says. */
static bool output_is_utf8(const struct options *o)
{
	if (option_is_set(o, OPTION_encoding))
		return string_equal(option_text(o, OPTION_encoding), "utf8");
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !(locale && *locale); i++)
		locale = getenv(names[i]);
	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

static struct percentiles percentiles_wanted(const struct options *o)
{
	struct percentiles list = { 0 };
	const char *text = option_text(o, OPTION_aggpercentiles);
	bool fine = text && percentiles_parse(text, &list); /* it was checked when it was set */
	return fine ? list : (struct percentiles) { 0 };
}

static struct output_options output_settings(const struct tracer *t)
{
	const struct options *o = t->options;
	return (struct output_options){
		.quiet = option_number(o, OPTION_quiet),
		.flowindent = option_number(o, OPTION_flowindent),
		.rawbytes = option_number(o, OPTION_rawbytes),
		.rawterminal = option_number(o, OPTION_rawterminal),
		.droptags = option_number(o, OPTION_droptags),
		.testing = t->testing,
		.noresolve = option_number(o, OPTION_noresolve),
		.agghist = option_number(o, OPTION_agghist),
		.aggpack = option_number(o, OPTION_aggpack),
		.aggzoom = option_number(o, OPTION_aggzoom),
		.utf8 = output_is_utf8(o),
		.percentiles = percentiles_wanted(o),
		.printsize = (uint32_t)ALIGN_UP(option_number(o, OPTION_printsize), 8),
		.stackindent = (int)option_number(o, OPTION_stackindent),
		.order = {
			.by_key = option_number(o, OPTION_aggsortkey),
			.reverse = option_number(o, OPTION_aggsortrev),
			.key_position = (unsigned)option_number(o, OPTION_aggsortkeypos),
			.value_position = (unsigned)option_number(o, OPTION_aggsortpos),
		},
	};
}

/* setopt(): what output reads, it reads anew; the main loop asks for its rates each round. */
static const char *set_dynamic(void *arg, const char *name, const char *value)
{
	struct tracer *t = arg;
	const char *why = options_set(t->options, name, value, OPTION_BY_SETOPT);
	if (!why)
		tracer_notice_option(t, option_by_name(name));
	*output_options(t->output) = output_settings(t);
	consumer_set_aggregation_rate(t->consumer, option_number(t->options, OPTION_aggrate));
	return why;
}

static struct error *make_output(struct tracer *t)
{
	/* the words of oformat, in their order */
	static const struct output_ops *const forms[] = { &output_text_ops, &output_json_ops,
							  &output_buffered_ops };
	struct output_setup setup = {
		.consumer = t->consumer,
		.symbols = t->symbols,
		.types = t->types,
		.target = t->processes.count ? (uint32_t)process_pid(t->processes.items[0]) : 0,
		.fd = t->output_fd,
		.fd_name = t->output_name,
		.message_fd = STDERR_FILENO,
		.interrupts = &t->interrupts,
		.options = output_settings(t),
		.ops = forms[option_number(t->options, OPTION_oformat)],
		.set_option = set_dynamic,
		.arg = t,
	};
	return output_new(&setup, &t->output);
}

/* --- the start
 * ------------------------------------------------------------------------------------ */

struct error *tracer_connect(struct tracer *t)
{
	struct error *err = t->executor ? t->executor->source(t->executing, &t->source)
					: loader_source(&t->loaded, &t->source);
	if (!err)
		err = make_consumer(t);
	return err ? err : make_output(t);
}

struct error *tracer_enable(struct tracer *t)
{
	struct error *err = tracer_permit(t);
	if (!err)
		err = tracer_generate(t);
	if (!err)
		tracer_prefetch_names(t);
	if (!err)
		err = load(t);
	if (!err)
		err = tracer_connect(t);
	if (!err)
		err = tracer_attach(t);
	if (err)
		return err;
	return tracer_fire(t, EVENT_BEGIN);
}

void tracer_activate(struct tracer *t)
{
	t->missed_before = tracer_missed(t);
	t->firing = t->source.control;
	uint32_t inactive = ACTIVITY_INACTIVE;
	__atomic_compare_exchange_n(&t->source.control->activity, &inactive, ACTIVITY_ACTIVE, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/*
 * Probes fire, and processes run, as soon as BEGIN's clauses have run: its output, which may take
 * long (system()), comes first, but nobody waits for it.
 */
static struct error *begin(struct tracer *t)
{
	struct error *err = NULL;
	bool empties = tracer_policy(t) == POLICY_SWITCH;
	if (empties)
		err = consumer_collect(t->consumer);
	if (err)
		return err;
	tracer_activate(t);
	err = tracer_release_processes(t);
	return err || !empties ? err
			       : consumer_visit_collected(t->consumer, output_record, t->output);
}

struct error *tracer_release_processes(struct tracer *t)
{
	tracer_learn_names(t);
	for (size_t i = 0; i < t->processes.count; i++) {
		struct error *err = process_run(t->processes.items[i]);
		if (err)
			return err;
	}
	return NULL;
}

struct error *tracer_go(struct tracer *t)
{
	struct error *err = tracer_enable(t);
	if (err)
		return error_wrap(err, "could not enable tracing");
	return tracer_unless_cancelled(t, begin(t));
}
