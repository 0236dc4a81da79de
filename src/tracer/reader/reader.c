/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the wing of readers; see reader.h */
#include "tracer/reader/reader.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"

#define SNAPSHOTS_APART_NS 100000000ull

static const char *reader_form(const struct tracer *t)
{
	return option_text(t->options, OPTION_oformat);
}

static bool reader_is_wanted(const struct tracer *t)
{
	return option_number(t->options, OPTION_oformat) >= FORM_READER;
}

static bool reader_shows(const char *form)
{
	return string_equal(form, "top");
}

/* Options of metrics, and the forms that have them. */
static const struct metrics_option {
	enum option option;
	const char *form; /* NULL: each of metrics */
} metrics_options[] = {
	{ OPTION_labels, NULL },     { OPTION_series, NULL },	  { OPTION_listen, "openmetrics" },
	{ OPTION_endpoint, "otlp" }, { OPTION_pushrate, "otlp" },
};

static bool reader_has_metrics(const struct options *o)
{
	const char *form = option_text(o, OPTION_oformat);
	return string_equal(form, "openmetrics") || string_equal(form, "otlp");
}

/* Options of metrics without metrics, or with mistakes. */
static struct error *metrics_check(const struct options *o)
{
	const char *form = option_text(o, OPTION_oformat);
	for (size_t i = 0; i < ARRAY_SIZE(metrics_options); i++) {
		const struct metrics_option *own = &metrics_options[i];
		bool fits = own->form ? string_equal(form, own->form) : reader_has_metrics(o);
		if (!fits && option_is_set(o, own->option))
			return error_new("-x %s is for metrics: it needs -x oformat=%s",
					 option_name(own->option),
					 own->form ? own->form : "openmetrics or otlp");
	}
	size_t count;
	const char *const *names = option_list(o, OPTION_labels, &count);
	for (size_t i = 0; i < count; i++) {
		const char *why = labels_mistake(names[i]);
		if (why)
			return error_new("-x labels=%s: %s", names[i], why);
	}
	return NULL;
}

static bool is_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

/* Where metrics go while tracing; the socket on which the reader will be scraped. */
static struct error *metrics_prepare(struct tracer *t)
{
	const char *address = option_text(t->options, OPTION_listen);
	const char *endpoint = option_text(t->options, OPTION_endpoint);
	struct error *err = metrics_check(t->options);
	if (err || (!address && !endpoint))
		return err;
	if (endpoint && !is_url(endpoint))
		return error_new("-x endpoint=%s does not begin with http:// or https://",
				 endpoint);
	if (t->request.output_fd != STDOUT_FILENO)
		return error_new("-x %s=%s serves the metrics: -o %s would stay empty",
				 address ? "listen" : "endpoint", address ? address : endpoint,
				 t->request.output_name);
	return address ? listener_open(&t->reader->listener, address) : NULL;
}

/* What a reader that shows its data on the terminal needs, before anything is started. */
static struct error *screen_prepare(struct tracer *t)
{
	if (!reader_is_wanted(t) || !reader_shows(reader_form(t)))
		return NULL;
	if (t->request.output_fd != STDOUT_FILENO)
		return error_new("-x oformat=top is shown on the terminal: -o %s would stay empty",
				 t->request.output_name);
	struct error *err = terminal_open(&t->reader->terminal);
	return err ? err : terminal_share(&t->reader->terminal);
}

static struct error *reader_prepare(struct tracer *t)
{
	struct error *err = metrics_prepare(t);
	return err ? err : screen_prepare(t);
}

static struct error *reader_command(struct tracer *t, struct process_start *start)
{
	struct error *err = reader_prepare(t);
	if (!err && t->reader->terminal.is_open)
		terminal_set_streams(&t->reader->terminal, start);
	return err;
}

/* The file of -o; NULL: the document goes to standard output. */
static const char *document_path(const struct tracer *t)
{
	return t->request.output_fd == STDOUT_FILENO ? NULL : t->request.output_name;
}

/* Our lines go to the reader instead of the output. */
static struct error *reader_connect(struct tracer *t, struct consumer_setup *consumer,
				    struct output_setup *output)
{
	if (!reader_is_wanted(t))
		return NULL;
	struct error *err = reader_start(t->options, -1, document_path(t) != NULL, t->reader);
	output->shows_cleared = reader_has_metrics(t->options);
	output->fd = t->reader->stream;
	output->fd_name = reader_form(t);
	if (!err)
		terminal_take_messages(&t->reader->terminal);
	return err;
}

/* That the reader has ended is seen at once, as are its requests. */
static int reader_poll_fd(const struct tracer *t)
{
	return t->reader->pid ? t->reader->stream : -1;
}

/* A signal handler calls tracer_interrupt(), too. */
static void tracing_end(struct tracer *t)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	tracer_interrupt(t, false);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void reader_serve(struct tracer *t, unsigned requests)
{
	struct reader *r = t->reader;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	r->wants_snapshot |= requests & REQUEST_SNAPSHOT;
	if (r->wants_snapshot && now >= r->next_snapshot) {
		r->wants_snapshot = false;
		r->next_snapshot = now + SNAPSHOTS_APART_NS;
		tracer_show_now(t);
	}
	if (requests & REQUEST_END && !r->has_ended_tracing) {
		r->has_ended_tracing = true;
		tracing_end(t);
	}
}

static struct error *reader_step(struct tracer *t, bool status)
{
	unsigned requests;
	if (!t->reader->pid)
		return NULL;
	struct error *err = reader_requests(t->reader, &requests);
	if (err)
		return error_wrap(err, "%s", reader_form(t));
	reader_serve(t, requests);
	return NULL;
}

static bool reader_is_gone(const struct error *err)
{
	return error_errno(err) == EPIPE || error_errno(err) == ECONNRESET;
}

/* That the reader is gone is the reader's mistake: what it says is the reason. */
static struct error *reader_written(struct tracer *t, struct error *err)
{
	struct reader *r = t->reader;
	if (!r->pid || (err && !reader_is_gone(err) && !r->terminal.is_open))
		return err;
	struct error *end =
		reader_finish(r, reader_form(t), document_path(t), &t->signals.interrupts);
	if (err && !reader_is_gone(err)) { /* what has failed is said on the terminal, as it was */
		error_free(end);
		return err;
	}
	error_free(err);
	return end;
}

/* Tracing has failed, or has not begun. */
static void reader_free(struct tracer *t)
{
	if (t->reader->pid) {
		kill(t->reader->pid, SIGKILL);
		error_free(reader_finish(t->reader, reader_form(t), NULL, NULL));
	}
	listener_close(&t->reader->listener);
	terminal_return_messages(&t->reader->terminal);
	terminal_close(&t->reader->terminal, true);
}

/* May what was traced be drawn as O says? */
static struct error *saved_check(const struct options *o, const char *output)
{
	const char *form = option_text(o, OPTION_oformat);
	uint64_t number = option_number(o, OPTION_oformat);
	if (number < FORM_READER && number != FORM_JSON)
		return error_new("--show=%s: it is no picture", form);
	if (reader_shows(form) && output)
		return error_new("--show=%s is shown on the terminal: -o %s would stay empty", form,
				 output);
	return metrics_check(o);
}

struct error *tracer_show(const struct options *options, int input, const char *output)
{
	struct reader reader = { 0 };
	const char *form = option_text(options, OPTION_oformat);
	struct error *err = saved_check(options, output);
	if (!err && reader_shows(form))
		err = terminal_open(&reader.terminal);
	if (!err)
		err = reader_start(options, input, output != NULL, &reader);
	return err ? err : reader_finish(&reader, form, output, NULL);
}

const struct wing reader_wing = {
	.size = sizeof(struct reader),
	.command = reader_command,
	.permit = reader_prepare,
	.connect = reader_connect,
	.poll_fd = reader_poll_fd,
	.step = reader_step,
	.written = reader_written,
	.free = reader_free,
};
