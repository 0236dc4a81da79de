/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declared_type - what C makes of a parameter's type, as far as the words say so
 *
 * A site's note has the size and the sign of each argument's expression.  Cast to the declared
 * type the argument has those of the declaration.  Types that only the program's own headers know
 * are left as they are; pointers become const volatile void *, which every pointer converts to.
 */
#include <string.h>

#include "usdt/internal.h"

#define TYPEDEFS_DEEP 32 /* typedef a a; ends here */

void declared_types_add(struct definition *d, const struct program_node *program)
{
	for (const struct node *n = program->items; n; n = n->next) {
		if (n->kind != NODE_DECLARATION ||
		    !(n->declaration->spec->storage & STORAGE_TYPEDEF))
			continue;
		for (const struct declarator *t = n->declaration->declarators; t; t = t->next) {
			struct declared_type *type = ARENA_NEW(d->arena, struct declared_type);
			*type = (struct declared_type) { n->declaration->spec, t };
			if (t->name)
				hash_put_string(d->typedefs, t->name, type);
		}
	}
}

/* A type's cast, and what a note has of it. */
struct known_type {
	const char *cast;
	int size;
};

#define WORD ((int)sizeof(long))
static const struct known_type other_type = { "", WORD };
static const struct known_type pointer_type = { "(const volatile void *)", WORD };
static const struct known_type char_type = { "(char)", (char)-1 < 0 ? -1 : 1 };
static const struct known_type schar_type = { "(signed char)", -1 };
static const struct known_type uchar_type = { "(unsigned char)", 1 };
static const struct known_type bool_type = { "(unsigned char)!!", 1 };
static const struct known_type short_type = { "(short)", -2 };
static const struct known_type ushort_type = { "(unsigned short)", 2 };
static const struct known_type int_type = { "(int)", -4 };
static const struct known_type uint_type = { "(unsigned int)", 4 };
static const struct known_type long_type = { "(long)", -WORD };
static const struct known_type ulong_type = { "(unsigned long)", WORD };
static const struct known_type longlong_type = { "(long long)", -8 };
static const struct known_type ulonglong_type = { "(unsigned long long)", 8 };
static const struct known_type float_type = { "(float)", 0 };
static const struct known_type double_type = { "(double)", 0 };
static const struct known_type wide_type = { "", 0 };

/* Of each word, or the words that go together; the first row that fits counts. */
static const struct {
	unsigned words;
	const struct known_type *type, *unsigned_type;
} of_words[] = {
	{ WORD_CHAR | WORD_SIGNED, &schar_type, NULL },
	{ WORD_CHAR, &char_type, &uchar_type },
	{ WORD_SHORT, &short_type, &ushort_type },
	{ WORD_DOUBLE | WORD_LONG, &wide_type, NULL },
	{ WORD_COMPLEX, &wide_type, NULL },
	{ WORD_INT128, &wide_type, NULL },
	{ WORD_LONG_LONG, &longlong_type, &ulonglong_type },
	{ WORD_LONG, &long_type, &ulong_type },
	{ WORD_INT, &int_type, &uint_type },
	{ WORD_FLOAT, &float_type, NULL },
	{ WORD_DOUBLE, &double_type, NULL },
	{ WORD_BOOL, &bool_type, NULL },
	{ WORD_SIGNED, &int_type, NULL },
	{ WORD_UNSIGNED, NULL, &uint_type },
};

/* Types of the standard's headers and of D. */
static const struct {
	const char *name;
	const struct known_type *type;
} of_names[] = {
	{ "bool", &bool_type },		  { "caddr_t", &pointer_type },
	{ "gid_t", &uint_type },	  { "int16_t", &short_type },
	{ "int32_t", &int_type },	  { "int64_t", &longlong_type },
	{ "int8_t", &schar_type },	  { "intptr_t", &long_type },
	{ "longlong_t", &longlong_type }, { "pid_t", &int_type },
	{ "size_t", &ulong_type },	  { "ssize_t", &long_type },
	{ "u_char", &uchar_type },	  { "u_int", &uint_type },
	{ "u_long", &ulong_type },	  { "u_longlong_t", &ulonglong_type },
	{ "u_short", &ushort_type },	  { "uchar_t", &uchar_type },
	{ "uid_t", &uint_type },	  { "uint16_t", &ushort_type },
	{ "uint32_t", &uint_type },	  { "uint64_t", &ulonglong_type },
	{ "uint8_t", &uchar_type },	  { "uint_t", &uint_type },
	{ "uintptr_t", &ulong_type },	  { "ulong_t", &ulong_type },
	{ "ushort_t", &ushort_type },
};

static const struct known_type *type_of_words(unsigned words)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_words); i++) {
		if ((words & of_words[i].words) != of_words[i].words)
			continue;
		const struct known_type *type =
			words & WORD_UNSIGNED ? of_words[i].unsigned_type : of_words[i].type;
		return type ? type : &other_type;
	}
	return &other_type;
}

static const struct known_type *type_of_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_names); i++)
		if (string_equal(of_names[i].name, name))
			return of_names[i].type;
	return &other_type;
}

static const struct known_type *
parameter_known_type(const struct definition *d, const struct param_node *param, bool *is_struct)
{
	struct declared_type type = { param->spec, param->declarator };
	for (unsigned deep = 0; deep < TYPEDEFS_DEEP; deep++) {
		unsigned words = type.spec->words;
		if (type.declarator->parts || words & WORD_STRING)
			return &pointer_type;
		*is_struct = words & (WORD_STRUCT | WORD_UNION);
		if (words & WORD_ENUM)
			return &other_type;
		if (!(words & WORD_NAME))
			return type_of_words(words);
		const struct declared_type *next = hash_get_string(d->typedefs, type.spec->name);
		if (!next)
			return type_of_name(type.spec->name);
		type = *next;
	}
	return &other_type;
}

void declared_parameter(const struct definition *d, const struct param_node *param,
			struct definition_parameter *ret, bool *is_struct)
{
	const struct known_type *type = parameter_known_type(d, param, is_struct);
	ret->cast = type->cast;
	ret->size = type->size;
}
