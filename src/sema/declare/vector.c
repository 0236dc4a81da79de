/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector - types that attributes of GNU C make: mode and vector_size
 *
 * A mode is a size, whatever the words of the type say.  Vectors and complex numbers are bytes to
 * D, of the size and alignment that C gives them.
 */
#include <ctype.h>

#include "sema/declare/declare.h"

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
	return name[0] == 'V' && isdigit((unsigned char)name[1]);
}

static const struct type *vector_type(struct sema *s, uint32_t size)
{
	return types_opaque(s->types, size, size);
}

/* NULL: there is no such type. */
static const struct type *mode_type(struct sema *s, const char *mode, bool is_signed)
{
	char *name = (char *)mode_name(s, mode);
	bool is_vector = is_vector_mode(name);
	uint32_t count = is_vector ? (uint32_t)strtoul(name + 1, &name, 10) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		uint32_t size = modes[i].size;
		if (!string_equal(modes[i].name, name))
			continue;
		if (is_vector)
			return vector_type(s, count * size);
		return modes[i].kind == COMPLEX
			       ? types_opaque(s->types, 2 * size, size)
			       : number_type(s, size, modes[i].kind == FLOATING, is_signed);
	}
	return NULL;
}

static const struct type *applied(struct sema *s, const struct layout_attributes *a,
				  const struct type *type, struct range range)
{
	int64_t bytes;
	bool poison;
	if (a->mode)
		type = mode_type(s, a->mode, type_is_signed(type));
	if (!type)
		return type_mistake(s, range, D_DECL_COMBO, "D has no type of mode %s", a->mode);
	if (!a->vector)
		return type;
	uint32_t size = type_size(type);
	if (!expression_constant(s, a->vector, &bytes, &poison) || !size || bytes <= 0 ||
	    bytes > 1 << 20 || bytes % size != 0)
		return type_mistake(s, range, D_DECL_ARRSUB,
				    "the size of a vector must be a constant and a multiple of its "
				    "elements'");
	return vector_type(s, (uint32_t)bytes);
}

const struct type *attributed_type(struct sema *s, const struct type_spec *spec,
				   const struct declarator *d, const struct type *base)
{
	const struct type *type =
		base->kind == TYPE_POISON ? base : applied(s, &spec->attributes, base, spec->range);
	return type->kind == TYPE_POISON ? type : applied(s, &d->attributes, type, d->range);
}
