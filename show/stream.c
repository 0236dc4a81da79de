/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/stream.h"

#include <errno.h>
#include <string.h>

#define LINE_MOST (64u << 20)
#define DEPTH_MOST 256 /* of values in values: print() shows structures of structures */

struct stream {
	int fd, errnum;
	void (*wait)(void *arg, int fd);
	void *wait_arg;
	struct json_tokener *parser;
	struct strbuf line;
	bool is_too_long; /* the rest of the line is skipped */
	uint64_t damaged;
	size_t used, begin; /* bytes in the buffer, and where those begin that are not read */
	char buffer[1 << 16];
};

struct stream *stream_new(int fd)
{
	struct stream *s = mem_zalloc(sizeof(*s));
	s->fd = fd;
	s->parser = json_tokener_new_ex(DEPTH_MOST);
	json_tokener_set_flags(s->parser, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	return s;
}

void stream_set_wait(struct stream *s, void (*wait)(void *arg, int fd), void *arg)
{
	s->wait = wait;
	s->wait_arg = arg;
}

void stream_free(struct stream *s)
{
	json_tokener_free(s->parser);
	strbuf_deinit(&s->line);
	free(s);
}

uint64_t stream_damaged(const struct stream *s)
{
	return s->damaged;
}

int stream_errno(const struct stream *s)
{
	return s->errnum;
}

/* Fill the empty buffer.  False: there is no more. */
static bool stream_fill(struct stream *s)
{
	ssize_t got;
	if (s->wait)
		s->wait(s->wait_arg, s->fd);
	do
		got = read(s->fd, s->buffer, sizeof(s->buffer));
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno != ECONNRESET) /* dtrace was killed: its stream ends */
		s->errnum = errno;
	s->begin = 0;
	s->used = got > 0 ? (size_t)got : 0;
	return got > 0;
}

static void line_add(struct stream *s, size_t len)
{
	if (s->line.len + len > LINE_MOST)
		s->is_too_long = true;
	else if (!s->is_too_long)
		strbuf_add(&s->line, s->buffer + s->begin, len);
	s->begin += len;
}

/* Read a line.  False: there is none; a line without its newline is a line. */
static bool line_read(struct stream *s)
{
	strbuf_clear(&s->line);
	s->is_too_long = false;
	for (;;) {
		if (s->begin == s->used && !stream_fill(s))
			return s->line.len > 0 || s->is_too_long;
		const char *end = memchr(s->buffer + s->begin, '\n', s->used - s->begin);
		line_add(s, end ? (size_t)(end - s->buffer) - s->begin : s->used - s->begin);
		if (end) {
			s->begin++;
			return true;
		}
	}
}

/* The line as an object; NULL: it is none. */
static struct json_object *line_parse(struct stream *s, const char **type)
{
	json_tokener_reset(s->parser);
	struct json_object *line =
		json_tokener_parse_ex(s->parser, strbuf_text(&s->line), (int)s->line.len);
	struct json_object *member;
	if (line && json_tokener_get_parse_end(s->parser) == s->line.len &&
	    json_object_is_type(line, json_type_object) &&
	    json_object_object_get_ex(line, "type", &member) &&
	    json_object_is_type(member, json_type_string)) {
		*type = json_object_get_string(member);
		return line;
	}
	json_object_put(line);
	return NULL;
}

struct json_object *stream_next(struct stream *s, const char **type)
{
	while (line_read(s)) {
		if (!s->line.len && !s->is_too_long)
			continue;
		struct json_object *line = s->is_too_long ? NULL : line_parse(s, type);
		if (line)
			return line;
		s->damaged++;
	}
	return NULL;
}
