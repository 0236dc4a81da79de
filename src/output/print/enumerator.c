/* SPDX-License-Identifier: BSD-2-Clause */
/* enumerator - names of the values of an enum */
#include <inttypes.h>

#include "output/print/value_walker.h"

#define FLAGS_LEAST 3 /* enumerators, each a power of two: then values may be sums of them */

static bool is_flag(int64_t value)
{
	return value > 0 && !(value & (value - 1));
}

/* An enumerator 0 is the absence of flags. */
static bool enum_has_flags(struct types *t, const struct type *type)
{
	unsigned flags = 0, count = type_enumerator_count(t, type);
	for (unsigned i = 0; i < count; i++) {
		int64_t value = type_enumerator_at(t, type, i)->value;
		if (value && !is_flag(value))
			return false;
		flags += value != 0;
	}
	return flags >= FLAGS_LEAST;
}

/* A|B|0x40; false: no bit of VALUE has a name. */
static bool flags_name(struct types *t, const struct type *type, int64_t value, struct strbuf *out)
{
	size_t begin = out->len;
	for (unsigned i = 0; i < type_enumerator_count(t, type); i++) {
		const struct enumerator *e = type_enumerator_at(t, type, i);
		if (!(value & e->value))
			continue;
		strbuf_printf(out, "%s%s", out->len > begin ? "|" : "", e->name);
		value &= ~e->value;
	}
	if (value && out->len > begin)
		strbuf_printf(out, "|0x%" PRIx64, (uint64_t)value);
	return out->len > begin;
}

bool enumerator_name(struct types *t, const struct type *type, int64_t value, struct strbuf *out)
{
	if (type->kind != TYPE_ENUM)
		return false;
	for (unsigned i = 0; i < type_enumerator_count(t, type); i++) {
		const struct enumerator *e = type_enumerator_at(t, type, i);
		if (e->value == value) {
			strbuf_puts(out, e->name);
			return true;
		}
	}
	return enum_has_flags(t, type) && flags_name(t, type, value, out);
}

bool part_enumerator(struct types *t, const struct part *p, struct strbuf *out)
{
	strbuf_clear(out);
	return enumerator_name(t, p->resolved, part_number(p), out);
}
