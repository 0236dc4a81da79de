/* SPDX-License-Identifier: BSD-2-Clause */
/* openmetrics - aggregations as metrics: a file, or answers to scrapes; see openmetrics/metrics.h
 */
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "show/openmetrics/http.h"
#include "show/openmetrics/metrics.h"
#include "show/request.h"

#define LISTENER_FD 3 /* src/tracer/reader/reader.h */
#define ANSWER_NS 5000000000ull
#define NS_PER_MS_OF_POLL 1000000ull

/* Has dtrace given us a socket on which engines connect? */
static bool is_live(void)
{
	int listens = 0;
	socklen_t len = sizeof(listens);
	return request_is_possible(STDIN_FILENO) &&
	       getsockopt(LISTENER_FD, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens;
}

static void begin(struct show *s)
{
	struct metrics *m = metrics_new();
	s->state = m;
	m->http = is_live() ? http_new(LISTENER_FD) : NULL;
}

/* --- scrapes --------------------------------------------------------------------------------- */

static void scrapes_answer(struct metrics *m, const struct show *s)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	if (out) {
		metrics_write(m, s, out);
		fclose(out);
	}
	http_answer(m->http, text, len, "There is no memory for the metrics.\n");
}

/* Request the snapshot that scrapes wait for; the result is how long they may wait, in ms. */
static int scrapes_wait(struct metrics *m, int stream)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!http_waits(m->http))
		return -1;
	if (!m->asked && request_snapshot(stream))
		m->asked = now;
	if (!m->asked || now - m->asked >= ANSWER_NS) {
		http_answer(m->http, NULL, 0, "dtrace has not answered in time.\n");
		m->asked = 0; /* the next scrape requests again, whatever comes until then */
		return -1;
	}
	return (int)((m->asked + ANSWER_NS - now) / NS_PER_MS_OF_POLL) + 1;
}

/* Serve until there is more of STREAM. */
static void wait(struct show *s, int stream)
{
	struct metrics *m = s->state;
	struct pollfd list[] = { { .fd = stream, .events = POLLIN }, { .events = POLLIN } };
	while (m->http && !list[0].revents) {
		http_run(m->http);
		int most = scrapes_wait(m, stream), timeout = http_timeout(m->http);
		if (most >= 0)
			timeout = timeout < 0 ? most : MIN(timeout, most);
		list[1].fd = http_poll_fd(m->http);
		poll(list, ARRAY_SIZE(list), timeout);
	}
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	struct metrics *m = s->state;
	metrics_add_line(m, s, type, line);
	if (!m->http || !string_equal(type, "end"))
		return;
	m->asked = 0;
	if (http_waits(m->http))
		scrapes_answer(m, s);
}

/* --- the end --------------------------------------------------------------------------------- */

static struct error *end(struct show *s, FILE *out)
{
	struct metrics *m = s->state;
	struct error *err = metrics_check(m, s);
	metrics_note(m, s);
	if (m->http)
		http_free(m->http);
	else if (!err)
		metrics_write(m, s, out);
	metrics_free(m);
	return err;
}

const struct form form = {
	.name = "openmetrics", .begin = begin, .line = line, .end = end, .wait = wait
};
