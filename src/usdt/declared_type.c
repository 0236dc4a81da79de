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

/* Of each word, or the words that go together; the first row that fits counts. */
static const struct {
	unsigned words;
	const char *cast, *unsigned_cast;
} of_words[] = {
	{ WORD_CHAR | WORD_SIGNED, "(signed char)", NULL },
	{ WORD_CHAR, "(char)", "(unsigned char)" },
	{ WORD_SHORT, "(short)", "(unsigned short)" },
	{ WORD_DOUBLE | WORD_LONG, "", NULL },
	{ WORD_COMPLEX, "", NULL },
	{ WORD_INT128, "", NULL },
	{ WORD_LONG_LONG, "(long long)", "(unsigned long long)" },
	{ WORD_LONG, "(long)", "(unsigned long)" },
	{ WORD_INT, "(int)", "(unsigned int)" },
	{ WORD_FLOAT, "(float)", NULL },
	{ WORD_DOUBLE, "(double)", NULL },
	{ WORD_BOOL, "(unsigned char)!!", NULL },
	{ WORD_SIGNED, "(int)", NULL },
	{ WORD_UNSIGNED, NULL, "(unsigned int)" },
};

#define POINTER "(const volatile void *)"

/* Types of the standard's headers and of D. */
static const struct {
	const char *name, *cast;
} of_names[] = {
	{ "bool", "(unsigned char)!!" },
	{ "caddr_t", POINTER },
	{ "gid_t", "(unsigned int)" },
	{ "int16_t", "(short)" },
	{ "int32_t", "(int)" },
	{ "int64_t", "(long long)" },
	{ "int8_t", "(signed char)" },
	{ "intptr_t", "(long)" },
	{ "longlong_t", "(long long)" },
	{ "pid_t", "(int)" },
	{ "size_t", "(unsigned long)" },
	{ "ssize_t", "(long)" },
	{ "u_char", "(unsigned char)" },
	{ "u_int", "(unsigned int)" },
	{ "u_long", "(unsigned long)" },
	{ "u_longlong_t", "(unsigned long long)" },
	{ "u_short", "(unsigned short)" },
	{ "uchar_t", "(unsigned char)" },
	{ "uid_t", "(unsigned int)" },
	{ "uint16_t", "(unsigned short)" },
	{ "uint32_t", "(unsigned int)" },
	{ "uint64_t", "(unsigned long long)" },
	{ "uint8_t", "(unsigned char)" },
	{ "uint_t", "(unsigned int)" },
	{ "uintptr_t", "(unsigned long)" },
	{ "ulong_t", "(unsigned long)" },
	{ "ushort_t", "(unsigned short)" },
};

static const char *cast_of_words(unsigned words)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_words); i++) {
		if ((words & of_words[i].words) != of_words[i].words)
			continue;
		const char *cast =
			words & WORD_UNSIGNED ? of_words[i].unsigned_cast : of_words[i].cast;
		return cast ? cast : "";
	}
	return "";
}

static const char *cast_of_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_names); i++)
		if (string_equal(of_names[i].name, name))
			return of_names[i].cast;
	return "";
}

const char *declared_cast(const struct definition *d, const struct param_node *param,
			  bool *is_struct)
{
	struct declared_type type = { param->spec, param->declarator };
	for (unsigned deep = 0; deep < TYPEDEFS_DEEP; deep++) {
		unsigned words = type.spec->words;
		if (type.declarator->parts || words & WORD_STRING)
			return POINTER;
		*is_struct = words & (WORD_STRUCT | WORD_UNION);
		if (!(words & WORD_NAME))
			return cast_of_words(words);
		const struct declared_type *next = hash_get_string(d->typedefs, type.spec->name);
		if (!next)
			return cast_of_name(type.spec->name);
		type = *next;
	}
	return "";
}
