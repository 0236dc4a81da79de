/* SPDX-License-Identifier: BSD-2-Clause */
/* lost - data discarded at a second signal; the output is not written any more */
#include <inttypes.h>
#include <poll.h>

#include "tracer/internal.h"

/* Standard error may be the same pipe without a reader that caused the interruption. */
static bool message_would_wait(void)
{
	struct pollfd f = { .fd = STDERR_FILENO, .events = POLLOUT };
	return poll(&f, 1, 0) == 0;
}

static unsigned aggregations_left(const struct tracer *t)
{
	unsigned left = 0;
	for (unsigned i = 0; i < t->program.aggregation_count && !t->progress.aggregations_shown;
	     i++)
		left += !consumer_was_printed(t->consumer, i);
	return left;
}

static bool has_end(const struct tracer *t)
{
	bool any = false;
	for (unsigned n = 0; n < tracer_halves(t); n++)
		any |= program_has_event(tracer_half(t, n).program, EVENT_END);
	return any;
}

static void add_lost(struct strbuf *list, uint64_t count, const char *what)
{
	if (count)
		strbuf_printf(list, "%s%" PRIu64 " %s%s", list->len ? ", " : "", count, what,
			      count == 1 ? "" : "s");
}

static void say_drop(void *tracer, const struct drop *drop)
{
	struct tracer *t = tracer;
	auto_free char *text = drop_text(drop);
	if (option_number(t->options, OPTION_droptags))
		message_loss("[%s] %s", drop_tag(drop->kind), text);
	else
		message_loss("%s", text);
}

void tracer_report_lost(struct tracer *t)
{
	auto_error struct error *enough = consumer_flush(t->consumer, output_skip, t->output);
	if (message_would_wait())
		return;
	uint64_t records, bytes;
	output_abandon(t->output, &records, &bytes);
	auto_strbuf struct strbuf list = { 0 };
	add_lost(&list, records, enough ? "or more record" : "record");
	add_lost(&list, aggregations_left(t), "aggregation");
	add_lost(&list, bytes, "byte");
	if (has_end(t) && !t->progress.end_has_run)
		message_loss("left at once: END has not run");
	if (list.len)
		message_loss("left at once: not printed: %s", strbuf_text(&list));
	consumer_drops(t->consumer, tracer_missed(t) - t->progress.missed_before, say_drop, t);
}
