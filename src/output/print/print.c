/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print - print() of a value
 *
 *   struct timespec {
 *       time_t tv_sec = 0x5e
 *       long tv_nsec = 0x1f4
 *   }
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "output/internal.h"
#include "output/print/value_walker.h"

#define INDENT 4

void put_name(struct output *o, const char *name)
{
	writer_add_shown(o->out, show_text(o, name, strlen(name), SHOW_IN_LINE));
}

void put_quoted(struct output *o, const unsigned char *text, uint32_t len)
{
	writer_putc(o->out, '"');
	writer_add_shown(o->out, show_text(o, text, len, SHOW_IN_LINE));
	writer_putc(o->out, '"');
}

/* --- leaves --- */

static void put_character(struct writer *w, unsigned char c)
{
	if (c == 0)
		writer_puts(w, "'\\0'");
	else if (isprint(c))
		writer_printf(w, "'%c'", c);
	else
		writer_printf(w, "'\\%03o'", c);
}

static void put_pointer(struct output *o, const struct part *p)
{
	if (type_resolve(p->resolved->target)->kind == TYPE_FUNCTION && o->setup.symbols &&
	    part_bits(p)) {
		strbuf_clear(&o->scratch);
		address_text_kernel(o, part_bits(p), &o->scratch);
		put_name(o, strbuf_text(&o->scratch));
	} else {
		part_hexadecimal(p, o->out);
	}
}

static void put_enum(struct output *o, const struct part *p)
{
	if (part_enumerator(o->setup.types, p, &o->scratch))
		put_name(o, strbuf_text(&o->scratch));
	else if (type_is_signed(p->resolved))
		writer_signed(o->out, part_number(p), 0);
	else
		writer_unsigned(o->out, part_bits(p), 0);
}

static void put_leaf(struct output *o, const struct part *p)
{
	const struct type *type = p->resolved;
	uint32_t len;
	if (p->absent) {
		writer_printf(o->out, "<%s>", p->absent);
		return;
	}
	if (part_string(p, &len)) {
		put_quoted(o, p->bytes, len);
		return;
	}
	switch (type->kind) {
	case TYPE_ENUM:
		put_enum(o, p);
		return;
	case TYPE_POINTER:
		put_pointer(o, p);
		return;
	case TYPE_FLOAT:
		if (p->size <= sizeof(double))
			writer_printf(o->out, "%+.7e", (double)part_float(p));
		else
			writer_printf(o->out, "%+.16LE", part_float(p));
		return;
	case TYPE_FORWARD:
		writer_puts(o->out, "<forward decl>");
		return;
	default:
		break;
	}
	if (type_is_character(type) && !p->bit_size)
		put_character(o->out, p->bytes[0]);
	else
		part_hexadecimal(p, o->out);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* The type, and for members the name.  There is no blank after a *. */
static void put_prefix(struct output *o, const struct part *p)
{
	struct strbuf *text = &o->scratch;
	strbuf_clear(text);
	part_type(p, text);
	put_name(o, strbuf_text(text));
	if (!text->len || text->text[text->len - 1] != '*')
		writer_putc(o->out, ' ');
	if (!p->name)
		return;
	put_name(o, p->name);
	if (p->bit_size)
		writer_printf(o->out, " :%u", p->bit_size);
	writer_puts(o->out, " = ");
}

static void put_indent(struct output *o, unsigned depth)
{
	writer_fill(o->out, ' ', (size_t)depth * INDENT);
}

/* Is it printed on several lines? Elements without parts are printed on one line. */
static bool is_block(const struct part *p)
{
	return type_is_struct(p->resolved) || (p->resolved->kind == TYPE_ARRAY &&
					       type_is_struct(type_resolve(p->resolved->target)));
}

static void begin_part(struct output *o, const struct part *p)
{
	if (p->is_element && !type_is_struct(p->resolved))
		return;
	put_indent(o, p->depth);
	put_prefix(o, p);
}

static void end_part(struct output *o, const struct part *p)
{
	if (!p->is_element)
		writer_putc(o->out, '\n');
	else if (!p->is_last)
		writer_puts(o->out, is_block(p) ? ",\n" : ", ");
	else
		writer_putc(o->out, is_block(p) ? '\n' : ' ');
}

static void value_leaf(void *arg, const struct part *p)
{
	struct output *o = arg;
	begin_part(o, p);
	put_leaf(o, p);
	end_part(o, p);
}

/*
 * Characters are printed as a string; "[ ]" distinguishes an array that is part of something from
 * a string.
 */
static bool value_begin(void *arg, const struct part *p)
{
	struct output *o = arg;
	struct value text;
	uint32_t len;
	begin_part(o, p);
	if (part_text_of(o, p, &text)) {
		put_quoted(o, text.bytes, text.size);
		end_part(o, p);
		return false;
	}
	if (!part_text(p, &len)) {
		writer_putc(o->out, type_is_struct(p->resolved) ? '{' : '[');
		writer_putc(o->out, is_block(p) ? '\n' : ' ');
		return true;
	}
	writer_puts(o->out, p->depth ? "[ " : "");
	put_quoted(o, p->bytes, len);
	writer_puts(o->out, p->depth ? " ]" : "");
	end_part(o, p);
	return false;
}

static void value_end(void *arg, const struct part *p)
{
	struct output *o = arg;
	if (is_block(p))
		put_indent(o, p->depth);
	writer_putc(o->out, type_is_struct(p->resolved) ? '}' : ']');
	end_part(o, p);
}

static void value_cut(void *arg, const struct part *whole)
{
	struct output *o = arg;
	if (!is_block(whole) && whole->resolved->kind != TYPE_ARRAY) {
		begin_part(o, whole);
		writer_puts(o->out, "...\n");
		return;
	}
	if (!is_block(whole)) {
		writer_puts(o->out, "... ");
		return;
	}
	put_indent(o, whole->depth + 1);
	writer_puts(o->out, "...\n");
}

/* --- the whole --- */

static void print_value(struct output *o, const struct type *type, const struct value *v)
{
	if (value_is_text(v)) {
		writer_puts(o->out, "string ");
		put_quoted(o, v->bytes, v->size);
		writer_putc(o->out, '\n');
		return;
	}
	const struct value_walker visitor = { o, value_leaf, value_begin, value_end, value_cut };
	struct part whole = part_whole(type, v->bytes, v->size);
	value_walk(o->setup.types, &whole, &visitor);
}

void print_print(struct output *o, const struct record *r, const struct action_layout *action)
{
	if (!action->field_count || !action->type || !o->setup.types)
		return;
	const struct value_field *at;
	struct value last = printed_value(o, r, action, &at);
	if (!value_is_text(&last) && o->options.printsize)
		last.size = MIN(last.size, o->options.printsize);
	if (!at) {
		print_value(o, action->type, &last);
		return;
	}
	struct value address = value_of_record(o, r, at);
	print_pointed(o, action->type, value_unsigned(&address), &last);
}
