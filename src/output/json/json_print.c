/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json_print - print(): a value of a C type as a value of JSON
 *
 * Structs are objects, arrays are arrays, and text in an array of char is a
 * string.  Members of unnamed members belong to the struct around them, as in C.
 */
#include <string.h>

#include "output/json/json.h"
#include "output/print/value_walker.h"

struct printing {
	struct output *o;
	struct writer *w;
	bool is_truncated;
	struct strbuf absent; /* members that values do not contain: a line for each */
};

static bool is_unnamed_member(const struct part *p)
{
	return p->depth > 0 && !p->is_element && (!p->name || !*p->name);
}

static void printed_part_begin(struct printing *s, const struct part *p)
{
	if (p->depth == 0 || p->is_element) {
		json_separate(s->w);
		return;
	}
	json_member(s->w, p->name);
}

static void note_absent(struct printing *s, const struct part *p)
{
	if (s->absent.len)
		strbuf_puts(&s->absent, "\n");
	if (p->name)
		strbuf_puts(&s->absent, p->name);
	else
		part_type(p, &s->absent);
	strbuf_printf(&s->absent, " %s", p->absent);
}

static void printed_leaf(void *arg, const struct part *p)
{
	struct printing *s = arg;
	if (p->absent)
		note_absent(s, p);
	if (is_unnamed_member(p)) /* a bit-field that only fills, a base class */
		return;
	uint32_t len;
	printed_part_begin(s, p);
	if (p->absent)
		writer_puts(s->w, "null");
	else if (part_string(p, &len))
		json_text(s->w, p->bytes, len);
	else if (part_enumerator(s->o->setup.types, p, &s->o->scratch))
		json_string(s->w, strbuf_text(&s->o->scratch));
	else if (p->resolved->kind == TYPE_POINTER)
		json_address(s->w, part_bits(p));
	else if (p->resolved->kind == TYPE_FLOAT)
		json_float(s->w, part_float(p), p->size);
	else if (p->resolved->kind == TYPE_FORWARD)
		writer_puts(s->w, "null");
	else if (!p->bit_size && p->size > 8)
		json_bytes(s->w, p->bytes, p->there);
	else
		json_integer_value(s->w, (uint64_t)part_number(p), type_is_signed(p->resolved));
}

static bool printed_begin(void *arg, const struct part *p)
{
	struct printing *s = arg;
	uint32_t len;
	if (is_unnamed_member(p))
		return true;
	printed_part_begin(s, p);
	struct value text;
	if (part_text_of(s->o, p, &text)) {
		json_text(s->w, text.bytes, text.size);
		return false;
	}
	if (part_text(p, &len)) {
		json_text(s->w, p->bytes, len);
		return false;
	}
	writer_putc(s->w, type_is_struct(p->resolved) ? '{' : '[');
	return true;
}

static void printed_end(void *arg, const struct part *p)
{
	struct printing *s = arg;
	if (!is_unnamed_member(p))
		writer_putc(s->w, type_is_struct(p->resolved) ? '}' : ']');
}

static void printed_cut(void *arg, const struct part *whole)
{
	struct printing *s = arg;
	s->is_truncated = true;
	if (!type_is_struct(whole->resolved) && whole->resolved->kind != TYPE_ARRAY)
		writer_puts(s->w, "null");
}

void json_print(struct output *o, struct writer *w, const struct record *r,
		const struct action_layout *action)
{
	if (!action->field_count || !action->type || !o->setup.types)
		return;
	const struct value_field *at;
	struct value last = printed_value(o, r, action, &at);
	if (at) {
		struct value address = value_of_record(o, r, at);
		json_address_member(w, "address", value_unsigned(&address));
	}
	if (value_is_text(&last)) {
		json_member(w, "value");
		json_text(w, last.bytes, last.size);
		return;
	}
	struct printing s = { .o = o, .w = w };
	const struct value_walker visitor = { &s, printed_leaf, printed_begin, printed_end,
					      printed_cut };
	struct part whole = part_whole(action->type, last.bytes, last.size);
	auto_strbuf struct strbuf type = { 0 };
	part_type(&whole, &type);
	json_member(w, "type");
	json_text(w, strbuf_text(&type), type.len);
	json_member(w, "value");
	value_walk(o->setup.types, &whole, &visitor);
	if (s.is_truncated)
		json_true_member(w, "cut");
	if (s.absent.len) {
		json_member(w, "absent");
		json_text(w, strbuf_text(&s.absent), s.absent.len);
	}
	strbuf_deinit(&s.absent);
}
