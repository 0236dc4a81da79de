/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print_pointed - print() of a pointer's target
 *
 *   0x7ffd1c = *
 *                                               (struct pt) {
 *                                                .x = (int)3,
 *                                               }
 *
 * Members that are all zero are left out, because kernel structs are large and
 * mostly empty; elements are not, because their place is their only name.
 */
#include <ctype.h>
#include <inttypes.h>

#include "output/internal.h"
#include "output/print/value_walker.h"

#define MARGIN 44
#define DEPTH_MAX 10  /* deeper levels are not printed */
#define ZERO_MAX 4096 /* larger members are shown, be they zero or not */

static void pointed_line_begin(struct output *o, unsigned depth)
{
	writer_fill(o->out, ' ', MARGIN + depth);
}

/* `.name = (type)` */
static void pointed_put_prefix(struct output *o, const struct part *p)
{
	pointed_line_begin(o, p->depth);
	if (p->name) {
		writer_putc(o->out, '.');
		put_name(o, p->name);
		writer_puts(o->out, " = ");
	}
	struct strbuf *text = &o->scratch;
	strbuf_clear(text);
	part_type(p, text);
	writer_putc(o->out, '(');
	put_name(o, strbuf_text(text));
	writer_putc(o->out, ')');
}

static bool is_left_out(const struct part *p)
{
	return p->depth && !p->is_element && !p->absent && p->size <= ZERO_MAX && part_is_zero(p);
}

/* --- leaves --- */

static void pointed_put_integer(struct writer *w, const struct part *p)
{
	uint64_t bits = part_bits(p);
	bool is_character = type_is_character(p->resolved) && !p->bit_size;
	if (is_character && isprint((int)bits))
		writer_printf(w, "'%c'", (int)bits);
	else if (p->size > 8)
		part_hexadecimal(p, w);
	else if (type_is_signed(p->resolved))
		writer_signed(w, part_number(p), 0);
	else
		writer_unsigned(w, bits, 0);
}

static void pointed_put_leaf(struct output *o, const struct part *p)
{
	uint32_t len;
	if (p->absent)
		writer_printf(o->out, "<%s>", p->absent);
	else if (part_string(p, &len))
		put_quoted(o, p->bytes, len);
	else if (part_enumerator(o->setup.types, p, &o->scratch))
		put_name(o, strbuf_text(&o->scratch));
	else if (p->resolved->kind == TYPE_POINTER)
		writer_printf(o->out, "0x%" PRIx64, part_bits(p));
	else if (p->resolved->kind == TYPE_FLOAT)
		writer_printf(o->out, "%Lg", part_float(p));
	else
		pointed_put_integer(o->out, p);
}

static void pointed_leaf(void *arg, const struct part *p)
{
	struct output *o = arg;
	if (is_left_out(p))
		return;
	pointed_put_prefix(o, p);
	pointed_put_leaf(o, p);
	writer_puts(o->out, ",\n");
}

/* --- structs, unions, arrays --- */

static void put_rest(struct output *o, unsigned depth)
{
	pointed_line_begin(o, depth);
	writer_puts(o->out, "...\n");
}

/* A char array's elements, up to the NUL. */
static void put_characters(struct output *o, const struct part *p)
{
	for (uint32_t i = 0; i < p->there && p->bytes[i]; i++) {
		struct part c = part_whole(p->resolved->target, p->bytes + i, 1);
		c.depth = p->depth + 1;
		c.is_element = true;
		pointed_leaf(o, &c);
	}
}

static void pointed_end(void *arg, const struct part *p)
{
	struct output *o = arg;
	pointed_line_begin(o, p->depth);
	if (p->resolved->kind == TYPE_ARRAY)
		writer_puts(o->out, "],\n");
	else
		writer_puts(o->out, p->depth ? "},\n" : "}\n");
}

static bool pointed_begin(void *arg, const struct part *p)
{
	struct output *o = arg;
	if (is_left_out(p))
		return false;
	pointed_put_prefix(o, p);
	struct value text;
	if (part_text_of(o, p, &text)) {
		put_quoted(o, text.bytes, text.size);
		writer_puts(o->out, p->depth ? ",\n" : "\n");
		return false;
	}
	writer_puts(o->out, p->resolved->kind == TYPE_ARRAY ? " [\n" : " {\n");
	if (p->depth < DEPTH_MAX &&
	    !(p->resolved->kind == TYPE_ARRAY && type_resolve(p->resolved->target)->is_char))
		return true;
	if (p->depth >= DEPTH_MAX)
		put_rest(o, p->depth + 1);
	else
		put_characters(o, p);
	pointed_end(o, p);
	return false;
}

static void pointed_cut(void *arg, const struct part *whole)
{
	put_rest(arg, whole->depth + 1);
}

void print_pointed(struct output *o, const struct type *type, uint64_t address,
		   const struct value *v)
{
	const struct value_walker visitor = { o, pointed_leaf, pointed_begin, pointed_end,
					      pointed_cut };
	struct part whole = part_whole(type, v->bytes, v->size);
	writer_printf(o->out, "0x%" PRIx64 " = *\n", address);
	value_walk(o->setup.types, &whole, &visitor);
}
