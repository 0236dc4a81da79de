/* SPDX-License-Identifier: BSD-2-Clause */
/* enumerator - names of the values of an enum */
#include <inttypes.h>

#include "output/internal.h"
#include "output/print/value_walker.h"

/*
 * An enum of flags has at least so many powers of two, and at most a fourth as many values of
 * several bits, as O_SYNC is.  An enum that counts has more.
 */
#define FLAGS_LEAST 3
#define FLAGS_PER_SUM 4

static bool is_flag(uint64_t value)
{
	return !(value & (value - 1));
}

/* An enumerator 0 is the absence of flags. */
static bool enum_has_flags(struct types *t, const struct type *type)
{
	unsigned flags = 0, sums = 0, count = type_enumerator_count(t, type);
	for (unsigned i = 0; i < count; i++) {
		int64_t value = type_enumerator_at(t, type, i)->value;
		if (value < 0 && type->is_signed)
			return false;
		flags += value && is_flag((uint64_t)value);
		sums += !is_flag((uint64_t)value);
	}
	return flags >= FLAGS_LEAST && sums * FLAGS_PER_SUM <= flags;
}

/* Take the bits of enumerators from *VALUE: first of those of several bits. */
static void flags_take(struct types *t, const struct type *type, bool is_one, uint64_t *value,
		       struct strbuf *names)
{
	for (unsigned i = 0; i < type_enumerator_count(t, type); i++) {
		const struct enumerator *e = type_enumerator_at(t, type, i);
		uint64_t bits = (uint64_t)e->value;
		if (!bits || is_flag(bits) != is_one || (*value & bits) != bits)
			continue;
		strbuf_printf(names, "%s%s", names->len ? "|" : "", e->name);
		*value &= ~bits;
	}
}

/* A|B|0x40; false: no bit of VALUE has a name. */
static bool flags_name(struct types *t, const struct type *type, uint64_t value, struct strbuf *out)
{
	auto_strbuf struct strbuf names = { 0 };
	flags_take(t, type, false, &value, &names);
	flags_take(t, type, true, &value, &names);
	if (!names.len)
		return false;
	if (value)
		strbuf_printf(&names, "|0x%" PRIx64, value);
	strbuf_puts(out, strbuf_text(&names));
	return true;
}

bool enumerator_name(struct types *t, const struct type *type, int64_t value, struct strbuf *out)
{
	if (type->kind != TYPE_ENUM)
		return false;
	if (output_time_text(type, value, out))
		return true;
	for (unsigned i = 0; i < type_enumerator_count(t, type); i++) {
		const struct enumerator *e = type_enumerator_at(t, type, i);
		if (e->value == value) {
			strbuf_puts(out, e->name);
			return true;
		}
	}
	unsigned above = 64 - 8 * MIN(MAX(type_size(type), 1u), 8u);
	return enum_has_flags(t, type) &&
	       flags_name(t, type, (uint64_t)value << above >> above, out);
}

bool part_enumerator(struct types *t, const struct part *p, struct strbuf *out)
{
	strbuf_clear(out);
	return enumerator_name(t, p->resolved, part_number(p), out);
}
