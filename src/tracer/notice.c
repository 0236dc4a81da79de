/* SPDX-License-Identifier: BSD-2-Clause */
/* What became of options that were set and cannot be had as asked */
#include <stdarg.h>
#include <string.h>

#include "inject/inject.h"
#include "tracer/internal.h"
#include "tracer/option/option_value.h"

void tracer_notice(const struct tracer *t, const char *fmt, ...)
{
	if (option_number(t->options, OPTION_quietresize))
		return;
	va_list ap;
	va_start(ap, fmt);
	message_va(MESSAGE_NOTE, fmt, ap);
	va_end(ap);
}

static void notice_lowered(const struct tracer *t, const char *what, uint64_t size)
{
	auto_strbuf struct strbuf text = { 0 };
	option_value_print(SIZE, size, &text);
	tracer_notice(t, "%s size lowered to %s", what, strbuf_text(&text));
}

/* Halve the size until it is at most the kernel's: a size that the user could have requested. */
static void notice_halved(const struct tracer *t, const char *what, enum option id, uint64_t given)
{
	uint64_t size = option_number(t->options, id);
	while (given && size > given)
		size /= 2;
	if (given)
		notice_lowered(t, what, size);
}

static void notice_moved(const struct tracer *t, enum option id, int direction)
{
	auto_strbuf struct strbuf value = { 0 };
	option_print(t->options, id, &value);
	if (id == OPTION_statusrate) /* a rate falls when its period grows */
		tracer_notice(t, "status rate %s to %s", direction < 0 ? "increased" : "reduced",
			      strbuf_text(&value));
	else
		tracer_notice(t, "option %s %s to %s, the %s", option_name(id),
			      direction < 0 ? "lowered" : "raised", strbuf_text(&value),
			      direction < 0 ? "maximum" : "minimum");
}

void tracer_notice_option(const struct tracer *t, enum option id)
{
	int direction = option_moved(t->options, id);
	if (direction)
		notice_moved(t, id, direction);
}

static void notice_idle(const struct tracer *t, enum option id)
{
	const char *why = option_idle(t->options, id);
	if (id == OPTION_aggpercpu && option_number(t->options, id) &&
	    t->executor == &process_executor)
		why = "in the process threads have parts of aggregations, not CPUs";
	if (why && !option_number(t->options, OPTION_quiet))
		message("option %s has no effect: %s", option_name(id), why);
}

void tracer_notice_options(const struct tracer *t)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		tracer_notice_option(t, (enum option)id);
		notice_idle(t, (enum option)id);
	}
}

static void notice_frames(const struct tracer *t)
{
	const struct typed_program *r = sema_result(t->sema);
	if (r->frames_asked)
		tracer_notice(t, "stacks of %u frames lowered to %u, the maximum", r->frames_asked,
			      r->frames_given);
	uint32_t deepest = t->executor->facts(0).kernel_frames;
	if (r->counts_frames && deepest < STACK_FRAMES_USUAL)
		tracer_notice(t, "stack depth ends at %u, kernel.perf_event_max_stack", deepest);
}

void tracer_notice_sizes(const struct tracer *t)
{
	notice_frames(t);
	if (!t->executor->outside)
		return;
	struct executor_sizes is = t->executor->outside->sizes(t->executing);
	if (is.buffer_lowered)
		notice_lowered(t, "buffer", is.buffer);
	bool asked = option_is_set(t->options, OPTION_specsize) &&
		     is.speculation + 64 < tracer_speculation_size(t->options);
	if (is.speculation && (asked || is.speculation_lowered))
		notice_lowered(t, "speculation", is.speculation);
	notice_halved(t, "aggregation", OPTION_aggsize, is.aggregation_lowered);
	notice_halved(t, "dynamic variable", OPTION_dynvarsize, is.dynamic_lowered);
}
