/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/csv/cells.h"

#include <inttypes.h>
#include <string.h>

#include "show/frames.h"
#include "show/value.h"

void cells_deinit(struct cells *c)
{
	strbuf_deinit(&c->text);
}

static void cell_begin(struct cells *c)
{
	if (c->count++)
		strbuf_putc(&c->text, ',');
}

void cell_empty(struct cells *c)
{
	cell_begin(c);
}

void cell_signed(struct cells *c, int64_t number)
{
	cell_begin(c);
	strbuf_printf(&c->text, "%" PRId64, number);
}

void cell_unsigned(struct cells *c, uint64_t number)
{
	cell_begin(c);
	strbuf_printf(&c->text, "%" PRIu64, number);
}

void cell_name(struct cells *c, const char *name)
{
	cell_text(c, name, strlen(name));
}

/* As the first character of a cell, also of a quoted one. */
static bool begins_formula(char first)
{
	return first && strchr("=+-@\t\r", first) != NULL;
}

void cell_text(struct cells *c, const char *text, size_t len)
{
	bool is_guarded = len && begins_formula(*text);
	bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;
	cell_begin(c);
	strbuf_puts(&c->text, is_quoted ? "\"" : "");
	strbuf_puts(&c->text, is_guarded ? "'" : "");
	for (size_t i = 0; i < len; i++) {
		strbuf_putc(&c->text, text[i]);
		if (text[i] == '"')
			strbuf_putc(&c->text, '"');
	}
	strbuf_puts(&c->text, is_quoted ? "\"" : "");
	c->guarded += is_guarded;
}

static void frame_add(void *arg, const struct seen_frame *frame)
{
	struct strbuf *path = arg;
	if (path->len)
		strbuf_putc(path, ';');
	for (size_t i = 0; i < frame->len; i++)
		strbuf_putc(path, frame->name[i] == ';' ? ':' : frame->name[i]);
}

void cell_value(struct cells *c, struct json_object *v)
{
	auto_strbuf struct strbuf text = { 0 };
	int64_t number;
	uint64_t large;
	/* Digits in a string are a string: only integers that a double cannot hold are objects. */
	bool is_integer = json_object_is_type(v, json_type_int) || value_member(v, "integer");
	if (is_integer && value_signed(v, &number)) {
		cell_signed(c, number);
	} else if (is_integer && value_unsigned(v, &large)) {
		cell_unsigned(c, large);
	} else if (!v) {
		cell_empty(c);
	} else {
		if (value_is_stack(v))
			frames_visit(v, frame_add, &text);
		else
			value_lines(v, &text);
		cell_text(c, strbuf_text(&text), text.len);
	}
}

void cells_end(struct cells *c, size_t count)
{
	while (c->count < count)
		cell_empty(c);
	strbuf_puts(&c->text, "\r\n");
	c->count = 0;
}
