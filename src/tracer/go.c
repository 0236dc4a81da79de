/* SPDX-License-Identifier: BSD-2-Clause */
/* Typed clauses to a running tracer: compile, load, attach, BEGIN */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracer/internal.h"

/* --- compiling ------------------------------------------------------------------------------ */

static struct error *check_room(const struct tracer *t, const struct program *p)
{
	uint64_t room =
		MAX(option_number(t->options, OPTION_bufsize), (uint64_t)sysconf(_SC_PAGESIZE));
	uint64_t largest = p->largest_record + 16, last = p->end_records;
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

struct error *tracer_generate(struct tracer *t)
{
	if (t->plan)
		return NULL;
	tracer_choose_watched(t);
	struct error *err = wings_try(prepare, t);
	if (!err)
		err = tracer_compile_program(t);
	if (err)
		return err;
	for (unsigned n = 0; n < tracer_halves(t) && !err; n++)
		err = check_room(t, tracer_half(t, n).program);
	return err;
}

/* --- consumer and output --------------------------------------------------------------------- */

static const struct probe_names *names_of(void *arg, uint32_t id)
{
	struct tracer *t = arg;
	const struct probe *p = probe_db_get(t->probes, id);
	_Static_assert(sizeof(struct probe_names) == 5 * sizeof(char *), "a run of five names");
	_Static_assert(offsetof(struct probe, written) - offsetof(struct probe, provider) ==
			       offsetof(struct probe_names, written),
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

static unsigned stack_frames(void *arg, uint32_t tgid, const void *pcs, unsigned count)
{
	return output_stack_frames(((struct tracer *)arg)->symbols, tgid, pcs, count);
}

static bool place_identity(void *arg, uint32_t tgid, uint64_t address, bool file_alone,
			   struct strbuf *key)
{
	struct tracer *t = arg;
	return output_place_identity(t->symbols, tgid, address, file_alone, key);
}

static struct consumer_setup consumer_settings(struct tracer *t,
					       const struct record_source *sources)
{
	bool merges = option_number(t->options, OPTION_ustackmerge);
	return (struct consumer_setup) {
		.sources = sources,
		.source_count = tracer_halves(t),
		.cpu_count = kernel_cpus_possible(),
		.temporal = option_number(t->options, OPTION_temporal),
		.per_cpu = option_number(t->options, OPTION_aggpercpu),
		.names = {
			.arg = t,
			.probe = names_of,
			.symbol_start = symbol_start,
			.module_name = module_name,
			.time_text = output_time_text,
			.stack_frames = stack_frames,
			.place_identity = merges ? place_identity : NULL,
		},
	};
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
		.testing = t->request.testing,
		.noresolve = option_number(o, OPTION_noresolve),
		.enumnames = option_number(o, OPTION_enumnames),
		.ustacklines = option_number(o, OPTION_ustacklines),
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

/* The programs record as many bytes of print() as were asked for when they were compiled. */
static const char *print_size_check(struct tracer *t, uint64_t before)
{
	char text[32];
	if (option_number(t->options, OPTION_printsize) <= t->sema_env.print_size)
		return NULL;
	snprintf(text, sizeof(text), "%" PRIu64, before);
	const char *why = options_set(t->options, "printsize", text, OPTION_BY_SETOPT);
	return why ? why : "more bytes of print() than at the start cannot be recorded";
}

/* setopt(): the output reads its options again; the main loop reads its rates in each round. */
static const char *set_dynamic(void *arg, const char *name, const char *value)
{
	struct tracer *t = arg;
	uint64_t print_size = (uint64_t)option_number(t->options, OPTION_printsize);
	const char *why = options_set(t->options, name, value, OPTION_BY_SETOPT);
	if (!why)
		why = print_size_check(t, print_size);
	if (!why)
		tracer_notice_option(t, option_by_name(name));
	tracer_refresh_output(t);
	return why;
}

const char *tracer_foreign_setopt(void *tracer, const char *name, const char *value)
{
	struct tracer *t = tracer;
	const char *why = options_set_foreign(t->options, name, value);
	tracer_refresh_output(t);
	return why;
}

void tracer_refresh_output(struct tracer *t)
{
	*output_options(t->output) = output_settings(t);
	consumer_set_aggregation_rate(t->consumer, option_number(t->options, OPTION_aggrate));
}

/* While system() waits: its command may run programs whose probes we want. */
static struct error *follow_meanwhile(void *arg)
{
	struct tracer *t = arg;
	return tracer_activity(t) == ACTIVITY_ACTIVE ? tracer_step_wings(t, false) : NULL;
}

static struct output_setup output_setup_of_session(struct tracer *t)
{
	static const struct output_ops *const forms[] = { [FORM_TEXT] = &output_text_ops,
							  [FORM_JSON] = &output_json_ops,
							  [FORM_BUFFERED] = &output_buffered_ops,
							  [FORM_STREAM] = &output_stream_ops,
							  [FORM_READER] = &output_stream_ops };
	return (struct output_setup) {
		.symbols = t->symbols,
		.types = t->types,
		.target = t->processes.list.count
				  ? (uint32_t)process_pid(t->processes.list.items[0])
				  : 0,
		.fd = t->request.output_fd,
		.fd_name = t->request.output_name,
		.message_fd = STDERR_FILENO,
		.command_fd = tracer_command_output(t),
		.interrupts = &t->signals.interrupts,
		.options = output_settings(t),
		.began = t->request.is_anonymous ? 0 : clock_ns(CLOCK_MONOTONIC),
		.has_texts = option_number(t->options, OPTION_oformat) >= FORM_READER,
		.about = tracer_is_for_programs(t) ? tracer_about(t) : NULL,
		.ops = forms[MIN(option_number(t->options, OPTION_oformat), (uint64_t)FORM_READER)],
		.set_option = set_dynamic,
		.go_on = t->watched.every ? follow_meanwhile : NULL,
		.arg = t,
	};
}

/* --- the start ------------------------------------------------------------------------------ */

struct error *tracer_connect(struct tracer *t)
{
	struct error *err = t->executor->source(t->executing, &t->source);
	if (!err && t->beside.executing)
		err = t->beside.executor->source(t->beside.executing, &t->beside.source);
	if (err)
		return err;
	const struct record_source sources[] = { t->source, t->beside.source };
	symbols_set_names(t->symbols, tracer_name_form(t));
	struct consumer_setup consumer = consumer_settings(t, sources);
	struct output_setup output = output_setup_of_session(t);
	err = wings_try(connect, t, &consumer, &output);
	if (!err)
		err = consumer_new(&consumer, &t->consumer);
	if (err)
		return err;
	consumer_set_aggregation_rate(t->consumer, option_number(t->options, OPTION_aggrate));
	output.consumer = t->consumer;
	return output_new(&output, &t->output);
}

static struct error *prepare(struct tracer *t)
{
	if (t->executing)
		return NULL;
	struct error *err = tracer_permit(t);
	if (!err)
		err = tracer_generate(t);
	if (err)
		return err;
	return tracer_load(t);
}

struct error *tracer_enable(struct tracer *t)
{
	struct error *err = prepare(t);
	if (!err)
		err = tracer_connect(t);
	if (!err)
		err = wings_try(enable, t);
	if (!err)
		err = tracer_attach_program(t, 0);
	if (err)
		return err;
	return tracer_fire(t, EVENT_BEGIN);
}

void tracer_activate(struct tracer *t)
{
	t->progress.missed_before = tracer_missed(t);
	for (unsigned n = 0; n < tracer_halves(t); n++)
		t->signals.firing[n] = tracer_half(t, n).source->control;
	for (unsigned n = 0; n < tracer_halves(t) && tracer_activity(t) < ACTIVITY_DRAINING; n++) {
		uint32_t inactive = ACTIVITY_INACTIVE;
		__atomic_compare_exchange_n(&t->signals.firing[n]->activity, &inactive,
					    ACTIVITY_ACTIVE, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
	}
}

/*
 * Probes fire, and processes run, as soon as BEGIN's clauses have run: BEGIN's output comes first,
 * but does not delay them, because it may take long (system()).
 */
static struct error *begin(struct tracer *t)
{
	bool empties = tracer_policy(t) == POLICY_SWITCH;
	struct error *err = output_start(t->output);
	if (!err && empties)
		err = consumer_collect(t->consumer);
	if (err)
		return err;
	wings_do(begin, t);
	tracer_copy_variables(t);
	tracer_activate(t);
	err = tracer_release_processes(t);
	if (!err)
		err = wings_try(serve, t);
	return err || !empties ? err
			       : consumer_visit_collected(t->consumer, output_record, t->output);
}

struct error *tracer_release_processes(struct tracer *t)
{
	for (size_t i = 0; i < t->processes.list.count; i++) {
		struct error *err = process_run(t->processes.list.items[i]);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *not_enabled(struct error *err)
{
	return error_wrap(err, "could not enable tracing");
}

struct error *tracer_prepare(struct tracer *t)
{
	struct error *err = prepare(t);
	return err ? not_enabled(err) : NULL;
}

struct error *tracer_go(struct tracer *t)
{
	struct error *err = tracer_enable(t);
	err = err ? not_enabled(err) : tracer_unless_cancelled(t, begin(t));
	return err ? tracer_written(t, err) : NULL;
}
