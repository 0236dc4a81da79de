/* SPDX-License-Identifier: BSD-2-Clause */
/* json - the lines of a stream, each with all that is known: what `-x oformat=json` had written */
#include "show/show.h"

static void begin(struct show *s)
{
	s->state = mem_zalloc(sizeof(struct strbuf));
}

static void line(struct show *s, const char *type, struct json_object *object)
{
	struct strbuf *lines = s->state;
	strbuf_puts(lines, json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE));
	strbuf_putc(lines, '\n');
}

static struct error *end(struct show *s, FILE *out)
{
	struct strbuf *lines = s->state;
	fwrite(lines->text, 1, lines->len, out);
	strbuf_deinit(lines);
	free(lines);
	return NULL;
}

const struct form form = { "json", begin, line, end };
