/* SPDX-License-Identifier: BSD-2-Clause */
/* What a reader requests */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "tracer/reader/reader.h"

struct request_line {
	const char *text;
	enum reader_request request;
};

static const struct request_line request_lines[] = {
	{ "{\"request\":\"snapshot\"}\n", REQUEST_SNAPSHOT },
	{ "{\"request\":\"end\"}\n", REQUEST_END },
};

/* The line that the LEN bytes at TEXT are, or begin with, or are the begin of; NULL: none. */
static const struct request_line *request_line_of(const char *text, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(request_lines); i++)
		if (memcmp(text, request_lines[i].text, MIN(len, strlen(request_lines[i].text))) ==
		    0)
			return &request_lines[i];
	return NULL;
}

/* The requests of the bytes that have arrived; the begin of one is kept. */
static struct error *requests_parse(struct reader *r, unsigned *requests)
{
	const char *next = r->received;
	for (size_t left = r->received_len; left;) {
		const struct request_line *line = request_line_of(next, left);
		if (!line)
			return error_new("what the reader has sent is not a request");
		size_t len = strlen(line->text);
		if (len > left)
			break;
		*requests |= line->request;
		next += len;
		left -= len;
	}
	r->received_len -= (size_t)(next - r->received);
	memmove(r->received, next, r->received_len);
	return NULL;
}

/* The next bytes; *GOT 0: there are none. */
static struct error *requests_receive(struct reader *r, size_t *got)
{
	ssize_t n = recv(r->stream, r->received + r->received_len,
			 sizeof(r->received) - r->received_len, MSG_DONTWAIT);
	*got = n > 0 ? (size_t)n : 0;
	r->received_len += *got;
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return NULL;
	return error_sys(n < 0 ? errno : EPIPE, "the reader has ended");
}

struct error *reader_requests(struct reader *r, unsigned *ret)
{
	size_t got = 1;
	*ret = 0;
	for (unsigned i = 0; got && i < REQUEST_READS; i++) {
		struct error *err = requests_receive(r, &got);
		if (!err)
			err = requests_parse(r, ret);
		if (err)
			return err;
	}
	return NULL;
}
