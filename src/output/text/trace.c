/* SPDX-License-Identifier: BSD-2-Clause */
/* trace - data of trace(), and keys and values in automatic layout
 */
#include <ctype.h>
#include <string.h>

#include "output/internal.h"

static void padded(struct output *o, struct shown s, size_t width)
{
	writer_puts(o->out, "  ");
	writer_pad_right(o->out, s.text, s.len, width);
}

static bool byte_is_printable(unsigned char c)
{
	return isprint(c) || isspace(c) || c == '\b' || c == '\a';
}

/*
 * Do bytes look like a string?  Printable ones, then nothing or only NULs.
 * *LEN is the length of the text.
 */
static bool bytes_look_like_text(const struct value *v, size_t *len)
{
	size_t n = 0;
	if (v->size == 1 && !v->field->is_text) /* one byte of a struct says nothing */
		return false;
	while (n < v->size && v->bytes[n] && byte_is_printable(v->bytes[n]))
		n++;
	for (size_t i = n; i < v->size; i++)
		if (v->bytes[i])
			return false;
	*len = n;
	return n > 0;
}

static void bytes_trace(struct output *o, const struct value *v)
{
	size_t len;
	if (!bytes_look_like_text(v, &len))
		dump_print(o, v->bytes, v->size);
	else if (o->options.quiet && len < v->size)
		writer_add_shown(o->out, show_value(o, v, len, SHOW_LINES));
	else
		padded(o, show_value(o, v, len, SHOW_IN_LINE), 33);
}

static struct shown show_scratch(struct output *o)
{
	return show_text(o, strbuf_text(&o->scratch), o->scratch.len, SHOW_IN_LINE);
}

static struct shown show_symbol(struct output *o, const struct value *v)
{
	strbuf_clear(&o->scratch);
	address_text(o, v, false, &o->scratch);
	return show_scratch(o);
}

/* Of an enum: the name, or the number as text. */
static struct shown show_enum(struct output *o, const struct value *v)
{
	value_enum_text(o, v);
	return show_scratch(o);
}

/* All bytes of a string, including those after its end. */
static void string_dump(struct output *o, const struct value *v)
{
	uint32_t size = MAX(consumer_program(o->setup.consumer)->string_size + 1, v->size);
	auto_free unsigned char *bytes = mem_zalloc(size);
	memcpy(bytes, v->bytes, v->size);
	dump_print(o, bytes, size);
}

/* --- trace() ---------------------------------------------------------------------------- */

static void integer_trace(struct output *o, const struct value *v)
{
	static const unsigned char widths[] = { [1] = 3, [2] = 5, [4] = 10, [8] = 19 };
	size_t width = 0;
	if (!o->options.quiet) {
		writer_putc(o->out, ' ');
		width = v->size < sizeof(widths) ? widths[v->size] : 0;
		if (v->size == 8 && !v->field->is_signed)
			width = 20;
	}
	if (v->field->is_signed)
		writer_signed(o->out, value_integer(v), width);
	else
		writer_unsigned(o->out, value_unsigned(v), width);
}

void trace_print(struct output *o, const struct value *v)
{
	if (value_enumerator(o, v)) {
		if (o->options.quiet)
			writer_add_shown(o->out, show_scratch(o));
		else
			padded(o, show_scratch(o), 33);
		return;
	}
	if (v->field->kind == VALUE_INTEGER || (v->field->kind == VALUE_FLOAT && v->size <= 8))
		integer_trace(o, v);
	else if (value_is_stack(v))
		stack_print(o, v, o->options.stackindent, 0);
	else if (value_is_symbol(v))
		padded(o, show_symbol(o, v), 50);
	else if (o->options.rawbytes && value_is_text(v))
		string_dump(o, v);
	else if (o->options.rawbytes)
		dump_print(o, v->bytes, v->size);
	else if (!value_is_text(v))
		bytes_trace(o, v);
	else if (o->options.quiet)
		writer_add_shown(o->out, show_value(o, v, v->size, SHOW_LINES));
	else
		padded(o, show_value(o, v, v->size, SHOW_IN_LINE), 33);
}

/* --- keys ----------------------------------------------------------------------------------- */

unsigned key_width(const struct value *v)
{
	static const unsigned char widths[] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };
	uint32_t size = v->field->column_size ? v->field->column_size : v->size;
	return size < sizeof(widths) ? widths[size] : 16;
}

static void integer_key(struct output *o, const struct value *v)
{
	uint64_t x = value_unsigned(v);
	writer_putc(o->out, ' ');
	writer_signed(o->out, v->size == 4 ? (int32_t)x : (int64_t)x, key_width(v));
}

bool key_text(struct output *o, const struct value *v, struct shown *ret)
{
	size_t len = v->size;
	if (value_is_number(o, v) || value_is_stack(v))
		return false;
	if (v->field->kind == VALUE_INTEGER)
		*ret = show_enum(o, v);
	else if (value_is_symbol(v))
		*ret = show_symbol(o, v);
	else if (value_is_text(v) || bytes_look_like_text(v, &len))
		*ret = show_value(o, v, len, SHOW_IN_LINE);
	else
		return false;
	return true;
}

static void key_print_text(struct output *o, struct shown s, const struct table_column *column)
{
	auto_strbuf struct strbuf cut = { 0 };
	if (!column) {
		padded(o, s, KEY_WIDTH);
		return;
	}
	text_add_cut(&cut, s.text, s.len, column->most);
	padded(o, (struct shown) { strbuf_text(&cut), cut.len }, column->width);
}

void key_print(struct output *o, const struct value *v, const struct table_column *column)
{
	struct shown s;
	if (value_is_number(o, v))
		integer_key(o, v);
	else if (value_is_stack(v))
		stack_print(o, v, o->options.stackindent, 0);
	else if (key_text(o, v, &s))
		key_print_text(o, s, column);
	else
		dump_print(o, v->bytes, v->size);
}
