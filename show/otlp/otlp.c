/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * otlp - aggregations as metrics of OpenTelemetry: OTLP over HTTP, in JSON
 *
 * What is counted is that of openmetrics/metrics.h.  With an endpoint a snapshot is requested each
 * ten seconds (-x pushrate), and posted after its last row; else the last one is a document.
 */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "show/otlp/body.h"
#include "show/otlp/post.h"
#include "show/request.h"

#define PUSH_NS 10000000000ull
#define LAST_MS 5000 /* for what is left at the end */

struct otlp {
	struct metrics *metrics;
	struct post *post; /* NULL: no endpoint */
	struct error *problem;
	uint64_t start, next; /* ns since 1970; of CLOCK_MONOTONIC */
	bool has_said;
};

static void begin(struct show *s)
{
	struct otlp *t = mem_zalloc(sizeof(*t));
	s->state = t;
	t->metrics = metrics_new();
	t->start = clock_ns(CLOCK_REALTIME);
	t->next = clock_ns(CLOCK_MONOTONIC);
	if (s->endpoint)
		t->problem = post_new(s->endpoint, &t->post);
}

/* --- while tracing --------------------------------------------------------------------------- */

static void snapshot_post(struct show *s)
{
	struct otlp *t = s->state;
	const struct body_times times = { t->start, clock_ns(CLOCK_REALTIME) };
	struct json_object *body = body_make(t->metrics, s, times, post_lost(t->post));
	size_t len;
	const char *text = json_object_to_json_string_length(body, JSON_C_TO_STRING_PLAIN, &len);
	post_add(t->post, text, len);
	json_object_put(body);
}

/* That an engine is gone is said once, and again at the end. */
static void problem_say(struct show *s)
{
	struct otlp *t = s->state;
	if (t->has_said || !post_problem(t->post))
		return;
	t->has_said = true;
	message_loss("%s: %s", s->endpoint, post_problem(t->post));
}

static void wait(struct show *s, int stream)
{
	struct otlp *t = s->state;
	if (t->problem) {
		request_end(stream);
		return;
	}
	if (!t->post)
		return;
	for (bool is_readable = false; !is_readable; problem_say(s)) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		if (now >= t->next) {
			t->next = now + (s->push_ns ? s->push_ns : PUSH_NS);
			request_snapshot(stream);
		}
		is_readable = post_wait(t->post, stream, (int)((t->next - now) / 1000000) + 1);
	}
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct otlp *t = s->state;
	metrics_add_line(t->metrics, s, type, line);
	if (t->post && string_equal(type, "end"))
		snapshot_post(s);
}

/* --- the end --------------------------------------------------------------------------------- */

static void last_post(struct show *s)
{
	struct otlp *t = s->state;
	snapshot_post(s);
	post_drain(t->post, LAST_MS);
	if (post_lost(t->post))
		show_note(s, "%s: %" PRIu64 " batches were thrown away: %s", s->endpoint,
			  post_lost(t->post),
			  post_problem(t->post) ? post_problem(t->post) : "it is too slow");
	if (post_rejected(t->post))
		show_note(s, "%s: %" PRIu64 " points were refused: %s", s->endpoint,
			  post_rejected(t->post), post_problem(t->post));
}

static void document_body_write(const struct show *s, FILE *out)
{
	const struct otlp *t = s->state;
	uint64_t wall = (uint64_t)s->wall_offset;
	const struct body_times times = { s->first_time + wall, s->last_time + wall };
	struct json_object *body = body_make(t->metrics, s, times, 0);
	fprintf(out, "%s\n", json_object_to_json_string_ext(body, JSON_C_TO_STRING_PLAIN));
	json_object_put(body);
}

static struct error *end(struct show *s, FILE *out)
{
	struct otlp *t = s->state;
	struct error *err = t->problem ? t->problem : metrics_check(t->metrics, s);
	metrics_note(t->metrics, s);
	if (t->post)
		last_post(s);
	else if (!err)
		document_body_write(s, out);
	post_free(t->post);
	metrics_free(t->metrics);
	free(t);
	return err;
}

const struct form form = { .name = "otlp", .begin = begin, .line = line, .end = end, .wait = wait };
