/* SPDX-License-Identifier: BSD-2-Clause */
/* Are the statements of output.h true so far?  The first that is not. */
#include <string.h>

#include "output/json/json.h"

#define DEPTH_MAX 64 /* of JSON values in one another */

/* --- is a line one JSON object (RFC 8259)? ---------------------------------------------------- */

struct scan {
	const char *at, *end;
	unsigned depth;
};

static bool scan_char(struct scan *s, char c)
{
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

static bool scan_word(struct scan *s, const char *word)
{
	size_t len = strlen(word);
	if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len) != 0)
		return false;
	s->at += len;
	return true;
}

static bool scan_string(struct scan *s)
{
	if (!scan_char(s, '"'))
		return false;
	while (s->at < s->end && *s->at != '"') {
		unsigned char c = (unsigned char)*s->at++;
		if (c < ' ' || c == 0x7f) /* a terminal may act on it */
			return false;
		if (c == '\\' && (s->at == s->end || !strchr("\"\\/bfnrtu", *s->at++)))
			return false;
	}
	return scan_char(s, '"');
}

static size_t scan_digits(struct scan *s)
{
	const char *begin = s->at;
	while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
		s->at++;
	return (size_t)(s->at - begin);
}

static bool scan_number(struct scan *s)
{
	scan_char(s, '-');
	bool zero = s->at < s->end && *s->at == '0';
	size_t digits = scan_digits(s);
	if (!digits || (zero && digits > 1) || (scan_char(s, '.') && !scan_digits(s)))
		return false;
	if (!scan_char(s, 'e') && !scan_char(s, 'E'))
		return true;
	if (!scan_char(s, '+'))
		scan_char(s, '-');
	return scan_digits(s) > 0;
}

static bool scan_value(struct scan *s);

/* Behind the opening bracket, up to CLOSE; NAMED: each value has a name. */
static bool scan_items(struct scan *s, char close, bool named)
{
	if (scan_char(s, close))
		return true;
	if (++s->depth > DEPTH_MAX)
		return false;
	do {
		if (named && !(scan_string(s) && scan_char(s, ':')))
			return false;
		if (!scan_value(s))
			return false;
	} while (scan_char(s, ','));
	s->depth--;
	return scan_char(s, close);
}

static bool scan_value(struct scan *s)
{
	if (scan_char(s, '{'))
		return scan_items(s, '}', true);
	if (scan_char(s, '['))
		return scan_items(s, ']', false);
	if (s->at < s->end && *s->at == '"')
		return scan_string(s);
	return scan_word(s, "true") || scan_word(s, "false") || scan_word(s, "null") ||
	       scan_number(s);
}

bool json_is_line(const char *text, size_t len)
{
	struct scan s = { .at = text, .end = text + len };
	return len && *text == '{' && scan_value(&s) && scan_char(&s, '\n') && s.at == s.end;
}

/* --- the output ------------------------------------------------------------------------------- */

struct error *output_verify(const struct output *o)
{
	const struct writer *w = &o->file;
	if (o->lines_not_json)
		return error_new("%u lines are not JSON", o->lines_not_json);
	if (o->messages_too_soon)
		return error_new("%u messages came before output that precedes them",
				 o->messages_too_soon);
	if (w->errnum && w->written != w->written_at_error)
		return error_new("output was written after an error");
	if (!w->errnum && w->lost)
		return error_new("output was lost without an error");
	return NULL;
}
