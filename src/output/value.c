/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value - finds the bytes of a datum
 *
 * The consumer has checked that they are inside the record or the key.
 */
#include <inttypes.h>
#include <string.h>

#include "output/internal.h"
#include "output/print/value_walker.h"

static struct value value_of_text(const struct value_field *f, const char *text)
{
	return (struct value) { f, (const unsigned char *)text, (uint32_t)strlen(text) };
}

/* The bytes at P; strings end at their NUL. */
static struct value value_at(const struct value_field *f, const unsigned char *p, uint32_t size)
{
	bool ends = f->kind == VALUE_STRING || f->kind == VALUE_STRING_INLINE;
	return (struct value) { f, p, ends ? (uint32_t)strnlen((const char *)p, size) : size };
}

/* A name is a string like others: strsize truncates it. */
static struct value value_of_name(const struct output *o, const struct value_field *f,
				  const struct probe_names *names)
{
	struct value v = value_of_text(f, names ? probe_name_part(names, f->kind) : "");
	uint32_t most = consumer_program(o->setup.consumer)->string_size;
	if (most)
		v.size = MIN(v.size, most);
	return v;
}

static uint32_t fixed_size(const struct value_field *f)
{
	return value_kind_is_symbol(f->kind) ? value_symbol_size(f->kind) : f->size;
}

struct value value_of_record(const struct output *o, const struct record *r,
			     const struct value_field *f)
{
	const unsigned char *begin = (const unsigned char *)r->header;
	switch (f->kind) {
	case VALUE_STRING_CONST:
		return value_of_text(f, f->text);
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		return value_of_name(o, f, r->probe);
	case VALUE_STRING:
	case VALUE_STACK:
	case VALUE_MEMORY:
	case VALUE_USTACK: {
		struct record_ref ref;
		memcpy(&ref, begin + f->offset, sizeof(ref));
		return value_at(f, begin + ref.offset, ref.size);
	}
	default:
		return value_at(f, begin + f->offset, fixed_size(f));
	}
}

const struct probe_names *value_names_of_key(const struct output *o, const unsigned char *key,
					     const struct value_field *f)
{
	uint32_t id;
	memcpy(&id, key + f->offset, sizeof(id));
	return consumer_probe(o->setup.consumer, id);
}

struct value value_of_key(const struct output *o, const unsigned char *key,
			  const struct value_field *f)
{
	if (f->kind == VALUE_STRING_CONST)
		return value_of_text(f, f->text);
	if (!value_kind_is_probe_name(f->kind))
		return value_at(f, key + f->offset, fixed_size(f));
	return value_of_name(o, f, value_names_of_key(o, key, f));
}

bool value_is_text(const struct value *v)
{
	return value_kind_is_text(v->field->kind);
}

bool value_is_stack(const struct value *v)
{
	return value_kind_is_stack(v->field->kind);
}

bool value_is_symbol(const struct value *v)
{
	return value_kind_is_symbol(v->field->kind);
}

bool value_is_user(const struct value *v)
{
	return value_kind_is_user(v->field->kind);
}

int64_t value_integer(const struct value *v)
{
	uint64_t x = value_unsigned(v);
	if (!v->field->is_signed || v->size >= 8 || v->size == 0)
		return (int64_t)x;
	unsigned shift = 64 - 8 * v->size;
	return (int64_t)(x << shift) >> shift;
}

uint64_t value_unsigned(const struct value *v)
{
	uint64_t x = 0;
	if (v->size == 8)
		memcpy(&x, v->bytes, 8);
	else if (v->size == 4)
		memcpy(&x, v->bytes, 4);
	else
		memcpy(&x, v->bytes, MIN(v->size, 8));
	return x;
}

/* The enum, or format of times, by which V is shown; NULL: it is a number. */
static const struct type *value_shown_type(const struct output *o, const struct value *v)
{
	const struct type *type = v->field->type;
	return type && (type->is_time || o->options.enumnames) ? type : NULL;
}

bool value_is_number(const struct output *o, const struct value *v)
{
	return v->field->kind == VALUE_INTEGER && !value_shown_type(o, v);
}

bool value_enumerator(struct output *o, const struct value *v)
{
	const struct type *type = value_shown_type(o, v);
	strbuf_clear(&o->scratch);
	return type && enumerator_name(o->setup.types, type, value_integer(v), &o->scratch);
}

void value_enum_text(struct output *o, const struct value *v)
{
	if (!value_enumerator(o, v))
		strbuf_printf(&o->scratch, v->field->is_signed ? "%" PRId64 : "%" PRIu64,
			      value_integer(v));
}

long double float_read(const void *bytes, uint32_t there, uint32_t size)
{
	union {
		float f;
		double d;
		long double ld;
	} x = { .ld = 0 };
	memcpy(&x, bytes, MIN(there, sizeof(x)));
	return size == sizeof(x.f)   ? (long double)x.f
	       : size == sizeof(x.d) ? (long double)x.d
				     : x.ld;
}

uint64_t value_word(const struct value *v, uint32_t index)
{
	uint64_t word;
	memcpy(&word, v->bytes + 8 * (size_t)index, sizeof(word));
	return word;
}

uint64_t value_address(const struct value *v, uint32_t *tgid)
{
	uint64_t words[2] = { 0 };
	memcpy(words, v->bytes, MIN(v->size, 16));
	if (!value_is_user(v))
		return words[0];
	*tgid = (uint32_t)words[0];
	return words[1];
}
