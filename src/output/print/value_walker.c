/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/print/value_walker.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "output/internal.h"

struct part part_whole(const struct type *type, const void *bytes, uint32_t there)
{
	uint32_t size = type_size(type);
	return (struct part) {
		.type = type,
		.resolved = type_resolve(type),
		.bytes = bytes,
		.size = size,
		.there = MIN(size, there),
	};
}

/* SIZE bytes at OFFSET of WHOLE, as far as they are there. */
static struct part part_inside(const struct part *whole, const struct type *type, uint32_t offset,
			       uint32_t size)
{
	uint32_t left = offset < whole->there ? whole->there - offset : 0;
	return (struct part) {
		.type = type,
		.resolved = type_resolve(type),
		.bytes = whole->bytes + MIN(offset, whole->there),
		.size = size,
		.there = MIN(size, left),
		.depth = whole->depth + 1,
	};
}

static struct part member_of(const struct part *whole, const struct member *m)
{
	uint32_t first = m->bit_offset / 8, bit = m->bit_offset % 8;
	uint32_t size = m->bit_size ? (bit + m->bit_size + 7) / 8 : type_size(m->type);
	struct part p = part_inside(whole, m->type, first, size);
	p.name = m->name;
	p.bit_offset = (uint8_t)bit;
	p.bit_size = (uint8_t)m->bit_size;
	p.absent = m->absent;
	return p;
}

static struct part part_element(const struct part *whole, uint32_t index)
{
	const struct type *type = whole->resolved->target;
	uint32_t size = type_size(type);
	struct part p = part_inside(whole, type, index * size, size);
	p.is_element = true;
	p.is_last = index + 1 == whole->resolved->count;
	return p;
}

static bool has_parts(const struct part *p)
{
	return type_is_struct(p->resolved) || p->resolved->kind == TYPE_ARRAY;
}

bool part_string(const struct part *p, uint32_t *len)
{
	if (!type_is_string(p->resolved))
		return false;
	*len = (uint32_t)strnlen((const char *)p->bytes, p->there);
	return true;
}

/* A leaf must be there as a whole, a string to its end; of a struct or array, its beginning will
 * do. */
static bool part_is_truncated(const struct part *p)
{
	uint32_t len;
	if (p->absent)
		return false;
	if (part_string(p, &len))
		return len == p->there && p->there < p->size;
	return has_parts(p) ? p->size && !p->there : p->there < p->size;
}

/* Has the value WHOLE the member M, a variant?  Without its tag it is not known to. */
static bool has_variant(const struct part *whole, const struct member *m)
{
	const struct variant *v = m->variant;
	uint64_t tag = 0;
	if (v->tag_offset > whole->there || v->tag_size > whole->there - v->tag_offset)
		return false;
	memcpy(&tag, whole->bytes + v->tag_offset, v->tag_size);
	bool is_listed = false;
	for (unsigned i = 0; i < v->count && !is_listed; i++)
		is_listed = v->numbers[i] == tag;
	return is_listed != v->is_other;
}

static bool visit_parts(struct types *t, const struct part *p, const struct value_walker *v)
{
	bool is_array = p->resolved->kind == TYPE_ARRAY;
	unsigned count = is_array ? p->resolved->count : type_member_count(t, p->resolved);
	for (unsigned i = 0; i < count; i++) {
		const struct member *m = is_array ? NULL : type_member_at(t, p->resolved, i);
		if (m && m->variant && !has_variant(p, m))
			continue;
		struct part part = m ? member_of(p, m) : part_element(p, i);
		if (part_is_truncated(&part)) {
			v->cut(v->arg, p);
			return false;
		}
		if (!value_walk(t, &part, v))
			return false;
	}
	return true;
}

bool value_walk(struct types *t, const struct part *p, const struct value_walker *v)
{
	if (p->absent || !has_parts(p)) {
		bool is_whole = !part_is_truncated(p);
		(is_whole ? v->leaf : v->cut)(v->arg, p);
		return is_whole;
	}
	if (!v->begin(v->arg, p))
		return true;
	bool complete = visit_parts(t, p, v);
	v->end(v->arg, p);
	return complete;
}

/* --- the values of leaves --- */

uint64_t part_bits(const struct part *p)
{
	uint64_t x = 0;
	memcpy(&x, p->bytes, MIN(p->there, 8));
	if (!p->bit_size)
		return x;
	x >>= p->bit_offset;
	if (p->there > 8) /* 64 bits that begin inside a byte */
		x |= (uint64_t)p->bytes[8] << (64 - p->bit_offset);
	return p->bit_size < 64 ? x & ((1ull << p->bit_size) - 1) : x;
}

int64_t part_number(const struct part *p)
{
	uint64_t x = part_bits(p);
	unsigned bits = p->bit_size ? p->bit_size : 8 * MIN(p->there, 8u);
	if (!type_is_integer(p->resolved) || !type_is_signed(p->resolved) || bits == 0)
		return (int64_t)x;
	return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

long double part_float(const struct part *p)
{
	return float_read(p->bytes, p->there, p->size);
}

bool part_is_zero(const struct part *p)
{
	if (p->bit_size)
		return part_bits(p) == 0;
	for (uint32_t i = 0; i < p->there; i++)
		if (p->bytes[i])
			return false;
	return true;
}

void part_hexadecimal(const struct part *p, struct writer *w)
{
	uint64_t high = 0;
	if (!p->bit_size && p->size > 8)
		memcpy(&high, p->bytes + 8, MIN(p->there - 8, 8u));
	if (high)
		writer_printf(w, "%#" PRIx64 "%016" PRIx64, high, part_bits(p));
	else
		writer_printf(w, "%#" PRIx64, part_bits(p));
}

bool part_text(const struct part *p, uint32_t *len)
{
	if (p->resolved->kind != TYPE_ARRAY)
		return false;
	const struct type *element = type_resolve(p->resolved->target);
	if (!element->is_char || element->size != 1)
		return false;
	uint32_t n = 0;
	while (n < p->there && p->bytes[n]) {
		unsigned char c = p->bytes[n];
		if (!isprint(c) && !isspace(c))
			return false;
		n++;
	}
	*len = n;
	return n < p->there;
}

struct value printed_value(struct output *o, const struct record *r,
			   const struct action_layout *action, const struct value_field **address)
{
	unsigned fields = action->field_count - action->text_count;
	struct value ret = value_of_record(o, r, &action->fields[fields - 1]);
	*address = fields > 1 ? &action->fields[0] : NULL;
	o->printed = (struct printed) { r, action, ret.bytes };
	return ret;
}

bool part_text_of(struct output *o, const struct part *p, struct value *ret)
{
	const struct action_layout *a = o->printed.action;
	const struct value_field *fields = a->fields + a->field_count - a->text_count;
	for (unsigned i = 0; i < a->text_count; i++) {
		struct record_ref ref;
		if (p->bytes != o->printed.bytes + a->texts[i].offset ||
		    p->depth != a->texts[i].depth)
			continue;
		memcpy(&ref, (const char *)o->printed.record->header + fields[i].offset,
		       sizeof(ref));
		*ret = value_of_record(o, o->printed.record, &fields[i]);
		return ref.offset > 0;
	}
	return false;
}

/* Remove all WORDs from the text after BEGIN. */
static void take_out(struct strbuf *out, size_t begin, const char *word)
{
	size_t len = strlen(word);
	char *found = out->text + begin;
	while ((found = strstr(found, word))) {
		memmove(found, found + len, strlen(found + len) + 1);
		out->len -= len;
	}
}

void part_type(const struct part *p, struct strbuf *out)
{
	size_t begin = out->len;
	type_print(p->type, out);
	take_out(out, begin, " <anonymous>");
	take_out(out, begin, "userland "); /* concerns the place of a value, not its type */
}
