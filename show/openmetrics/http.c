/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/openmetrics/http.h"

#include <microhttpd.h>
#include <sys/resource.h>

#include "base/clock.h"

#define FRESH_NS 100000000ull

struct http {
	struct MHD_Daemon *daemon;
	VECTOR(struct MHD_Connection *) waiting; /* suspended until there is a text */
	struct MHD_Response *text, *not_found, *not_allowed, *too_many;
	unsigned status; /* with `text` */
	uint64_t until;	 /* `text` is new enough for further requests, ns of CLOCK_MONOTONIC */
	unsigned texts;	 /* that are not freed */
};

/* A text that is freed: the last client has it. */
struct body {
	struct http *http;
	char *text;
};

static void body_free(void *arg)
{
	struct body *b = arg;
	b->http->texts--;
	free(b->text);
	free(b);
}

static struct MHD_Response *sentence(const char *text)
{
	return MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text,
					       MHD_RESPMEM_MUST_COPY);
}

/* --- requests -------------------------------------------------------------------------------- */

static enum MHD_Result text_send(const struct http *h, struct MHD_Connection *c)
{
	return MHD_queue_response(c, h->status, h->text);
}

static enum MHD_Result metrics_request(struct http *h, struct MHD_Connection *c)
{
	if (h->text && clock_ns(CLOCK_MONOTONIC) < h->until)
		return text_send(h, c);
	if (h->texts >= TEXTS_MOST)
		return MHD_queue_response(c, MHD_HTTP_SERVICE_UNAVAILABLE, h->too_many);
	MHD_suspend_connection(c);
	vector_push(&h->waiting, c);
	return MHD_YES;
}

/* *STATE is NULL in the first call of a request; the second one comes when it was resumed. */
static enum MHD_Result request_serve(void *arg, struct MHD_Connection *c, const char *url,
				     const char *method, const char *version, const char *upload,
				     size_t *upload_size, void **state)
{
	struct http *h = arg;
	if (*state)
		return text_send(h, c);
	*state = h;
	if (strcmp(url, "/metrics") != 0)
		return MHD_queue_response(c, MHD_HTTP_NOT_FOUND, h->not_found);
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return MHD_queue_response(c, MHD_HTTP_METHOD_NOT_ALLOWED, h->not_allowed);
	return metrics_request(h, c);
}

/* --- answers --------------------------------------------------------------------------------- */

static struct MHD_Response *text_response(struct http *h, char *text, size_t len)
{
	struct body *body = mem_alloc(sizeof(*body));
	*body = (struct body) { h, text };
	h->texts++;
	struct MHD_Response *ret =
		MHD_create_response_from_buffer_with_free_callback_cls(len, text, body_free, body);
	if (ret)
		MHD_add_response_header(ret, MHD_HTTP_HEADER_CONTENT_TYPE,
					"text/plain; version=0.0.4; charset=utf-8");
	return ret;
}

void http_answer(struct http *h, char *text, size_t len, const char *why)
{
	if (h->text)
		MHD_destroy_response(h->text); /* those that are being sent have it still */
	h->status = text ? MHD_HTTP_OK : MHD_HTTP_SERVICE_UNAVAILABLE;
	h->text = text ? text_response(h, text, len) : sentence(why);
	h->until = text ? clock_ns(CLOCK_MONOTONIC) + FRESH_NS : 0;
	for (size_t i = 0; i < h->waiting.count; i++)
		MHD_resume_connection(h->waiting.items[i]);
	h->waiting.count = 0;
	http_run(h);
}

bool http_waits(const struct http *h)
{
	return h->waiting.count > 0;
}

/* --- the server ------------------------------------------------------------------------------ */

/* Messages of the library are for its users. */
static void log_nothing(void *arg, const char *fmt, va_list ap)
{
}

/* Each connection is a descriptor. */
static void raise_descriptors(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

struct http *http_new(int listener)
{
	struct http *h = mem_zalloc(sizeof(*h));
	raise_descriptors();
	h->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
		request_serve, h, MHD_OPTION_EXTERNAL_LOGGER, log_nothing, NULL,
		MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS_MOST,
		MHD_OPTION_CONNECTION_TIMEOUT, CONNECTION_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_END);
	if (!h->daemon) {
		free(h);
		return NULL;
	}
	h->not_found = sentence("Metrics are at /metrics.\n");
	h->too_many = sentence("Too many clients have not read their answers.\n");
	h->not_allowed = sentence("Only GET and HEAD are allowed.\n");
	MHD_add_response_header(h->not_allowed, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	return h;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	http_answer(h, NULL, 0, "Tracing has ended.\n");
	MHD_stop_daemon(h->daemon);
	MHD_destroy_response(h->text);
	MHD_destroy_response(h->not_found);
	MHD_destroy_response(h->not_allowed);
	MHD_destroy_response(h->too_many);
	vector_free(&h->waiting);
	free(h);
}

int http_poll_fd(const struct http *h)
{
	return MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int http_timeout(const struct http *h)
{
	MHD_UNSIGNED_LONG_LONG ms;
	return MHD_get_timeout(h->daemon, &ms) == MHD_YES ? (int)MIN(ms, 1000000ull) : -1;
}

void http_run(struct http *h)
{
	MHD_run(h->daemon);
}
