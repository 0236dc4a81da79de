/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector - types that attributes of GNU C make: mode and vector_size
 *
 * A mode is a size, whatever the words of the type say.  A vector is to D an array of its
 * elements that is aligned as a whole.
 */
#include <ctype.h>

#include "sema/declare.h"

static const struct {
	const char *name;
	uint32_t size;
	enum { INTEGER, FLOATING, COMPLEX } kind;
} modes[] = {
	/* clang-format off */
	{ "QI", 1, INTEGER }, { "HI", 2, INTEGER }, { "SI", 4, INTEGER }, { "DI", 8, INTEGER }, { "TI", 16, INTEGER },
	{ "byte", 1, INTEGER }, { "word", 8, INTEGER }, { "pointer", 8, INTEGER }, { "unwind_word", 8, INTEGER },
	{ "SF", 4, FLOATING }, { "DF", 8, FLOATING }, { "XF", 16, FLOATING }, { "TF", 16, FLOATING },
	{ "SC", 4, COMPLEX }, { "DC", 8, COMPLEX }, { "XC", 16, COMPLEX }, { "TC", 16, COMPLEX },
	/* clang-format on */
};

static const struct type *number_type(struct sema *s, uint32_t size, bool is_float, bool is_signed)
{
	static const enum type_intrinsic types[] = {
		INTRINSIC_SCHAR,       INTRINSIC_SHORT,	  INTRINSIC_INT,    INTRINSIC_LONG,
		INTRINSIC_INT128,      INTRINSIC_UCHAR,	  INTRINSIC_USHORT, INTRINSIC_UINT,
		INTRINSIC_ULONG,       INTRINSIC_UINT128, INTRINSIC_FLOAT,  INTRINSIC_DOUBLE,
		INTRINSIC_LONG_DOUBLE,
	};
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		const struct type *t = intrinsic(s, types[i]);
		if (t->size == size && (t->kind == TYPE_FLOAT) == is_float &&
		    (is_float || t->is_signed == is_signed))
			return t;
	}
	return NULL;
}

/* "V4SF" of "__V4SF__". */
static const char *mode_name(struct sema *s, const char *mode)
{
	size_t len = strlen(mode);
	bool padded =
		len > 4 && strncmp(mode, "__", 2) == 0 && strncmp(mode + len - 2, "__", 2) == 0;
	return padded ? arena_strndup(s->arena, mode + 2, len - 4) : mode;
}

static bool is_vector_mode(const char *name)
{
	name += strspn(name, "_");
	return name[0] == 'V' && isdigit((unsigned char)name[1]);
}

/* MODE as its element's type, and in *COUNT how many there are, 0: it is a plain number. */
static const struct type *mode_type(struct sema *s, const char *mode, bool is_signed,
				    uint32_t *count)
{
	char *name = (char *)mode_name(s, mode);
	*count = is_vector_mode(name) ? (uint32_t)strtoul(name + 1, &name, 10) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (!string_equal(modes[i].name, name))
			continue;
		if (modes[i].kind == COMPLEX)
			*count = 2;
		return number_type(s, modes[i].size, modes[i].kind != INTEGER, is_signed);
	}
	return NULL;
}

static const struct type *applied(struct sema *s, const struct layout_attributes *a,
				  const struct type *type, struct range range)
{
	uint32_t count = 0;
	if (a->mode) {
		const struct type *element = mode_type(s, a->mode, type_is_signed(type), &count);
		if (!element)
			return type_mistake(s, range, D_DECL_COMBO, "D has no type of mode %s",
					    a->mode);
		type = element;
	}
	if (a->vector) {
		int64_t bytes = 0;
		bool poison = false;
		uint32_t size = type_size(type);
		if (expression_constant(s, a->vector, &bytes, &poison) && size && bytes > 0 &&
		    bytes <= 1 << 20 && bytes % size == 0)
			count = (uint32_t)bytes / size;
		else
			return type_mistake(s, range, D_DECL_ARRSUB,
					    "the size of a vector must be a constant and a "
					    "multiple of its elements'");
	}
	return count ? types_array(s->types, type, count) : type;
}

const struct type *attributed_type(struct sema *s, const struct type_spec *spec,
				   const struct declarator *d, const struct type *base)
{
	const struct type *type =
		base->kind == TYPE_POISON ? base : applied(s, &spec->attributes, base, spec->range);
	return type->kind == TYPE_POISON ? type : applied(s, &d->attributes, type, d->range);
}

static bool makes_vector(const struct layout_attributes *a)
{
	return a->vector || (a->mode && is_vector_mode(a->mode));
}

uint32_t vector_align(const struct type_spec *spec, const struct declarator *d,
		      const struct type *type)
{
	bool is_vector = makes_vector(&spec->attributes) || makes_vector(&d->attributes);
	return is_vector && !d->parts ? type_size(type) : 0;
}
