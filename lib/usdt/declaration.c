/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declaration - "int64_t pence, char *article" to sizes and signs
 *
 * A pointer is a pointer, whatever it points to; a name without a star must be known.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "internal.h"

struct known {
	const char *name;
	uint8_t size;
	bool is_signed, is_float;
};

#define NUMBER(type)                                                                               \
	{                                                                                          \
#type, sizeof(type), (type)-1 < (type)1, false                                     \
	}

static const struct known typedefs[] = {
	NUMBER(int8_t),
	NUMBER(int16_t),
	NUMBER(int32_t),
	NUMBER(int64_t),
	NUMBER(uint8_t),
	NUMBER(uint16_t),
	NUMBER(uint32_t),
	NUMBER(uint64_t),
	NUMBER(size_t),
	NUMBER(ssize_t),
	NUMBER(intptr_t),
	NUMBER(uintptr_t),
	NUMBER(ptrdiff_t),
	NUMBER(off_t),
	NUMBER(pid_t),
	NUMBER(uid_t),
	NUMBER(gid_t),
	NUMBER(mode_t),
	NUMBER(time_t),
	NUMBER(dev_t),
	NUMBER(ino_t),
	NUMBER(id_t),
	NUMBER(clock_t),
	NUMBER(u_char),
	NUMBER(u_short),
	NUMBER(u_int),
	NUMBER(u_long),
	NUMBER(ushort),
	NUMBER(uint),
	NUMBER(ulong),
	{ "uchar_t", 1, false, false },
	{ "ushort_t", 2, false, false },
	{ "uint_t", 4, false, false },
	{ "ulong_t", sizeof(long), false, false },
	{ "longlong_t", 8, true, false },
	{ "u_longlong_t", 8, false, false },
	{ "hrtime_t", 8, true, false },
	{ "boolean_t", 4, true, false },
	{ "bool", 1, false, false },
	{ "_Bool", 1, false, false },
	{ "string", sizeof(char *), false, false }, /* D's: the address of one */
};

/* What is left of a parameter; words and stars. */
struct text {
	const char *at, *end;
};

/* How often each of C's own words was there. */
enum word { SIGNED, UNSIGNED, CHAR, SHORT, INT, LONG, FLOAT, DOUBLE, WORDS };
static const char *const words[WORDS] = { "signed", "unsigned", "char",	 "short",
					  "int",    "long",	"float", "double" };

static void skip_blanks(struct text *t)
{
	while (t->at < t->end && isspace((unsigned char)*t->at))
		t->at++;
}

static struct text word_next(struct text *t)
{
	skip_blanks(t);
	struct text word = { t->at, t->at };
	while (word.end < t->end && (isalnum((unsigned char)*word.end) || *word.end == '_'))
		word.end++;
	return word;
}

static bool is_word(struct text word, const char *name)
{
	size_t length = (size_t)(word.end - word.at);
	return strlen(name) == length && memcmp(word.at, name, length) == 0;
}

static bool is_one_of(struct text word, const char *const *list, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (is_word(word, list[i]))
			return true;
	return false;
}

static bool word_take(struct text *t, const char *const *list, unsigned count)
{
	struct text word = word_next(t);
	if (word.at == word.end || !is_one_of(word, list, count))
		return false;
	t->at = word.end;
	return true;
}

static void skip_qualifiers(struct text *t)
{
	static const char *const list[] = { "const",	  "volatile", "restrict",
					    "__restrict", "__const",  "register" };
	while (word_take(t, list, sizeof(list) / sizeof(list[0])))
		;
}

/* The words of C's own numbers.  False: there are none, or they do not fit together. */
static bool number_take(struct text *t, struct argument *ret)
{
	unsigned n[WORDS] = { 0 }, all = 0;
	for (bool taken = true; taken;) {
		taken = false;
		skip_qualifiers(t);
		for (unsigned i = 0; i < WORDS && !taken; i++)
			if ((taken = word_take(t, &words[i], 1)))
				n[i]++, all++;
	}
	unsigned size_words = n[CHAR] + n[SHORT] + (n[LONG] > 0) + n[FLOAT] + n[DOUBLE];
	bool is_float = n[FLOAT] || n[DOUBLE];
	if (!all || size_words > 1 || n[LONG] > 2 || n[SIGNED] + n[UNSIGNED] > 1 || n[INT] > 1 ||
	    (n[INT] && (n[CHAR] || is_float)) || (is_float && (n[SIGNED] || n[UNSIGNED])))
		return false;
	ret->size = n[CHAR]		   ? 1
		    : n[SHORT]		   ? 2
		    : n[FLOAT]		   ? 4
		    : n[LONG] == 1	   ? sizeof(long)
		    : n[LONG] || n[DOUBLE] ? 8
					   : 4;
	ret->is_signed = !n[UNSIGNED] && !is_float && (!n[CHAR] || n[SIGNED] || CHAR_MIN < 0);
	ret->is_float = is_float;
	return true;
}

static bool typedef_take(struct text *t, struct argument *ret)
{
	for (unsigned i = 0; i < sizeof(typedefs) / sizeof(typedefs[0]); i++)
		if (word_take(t, &typedefs[i].name, 1)) {
			ret->size = typedefs[i].size;
			ret->is_signed = typedefs[i].is_signed;
			return true;
		}
	return false;
}

/* What is before a star or brackets, without meaning for a pointer; or a number. */
static bool base_take(struct text *t, struct argument *ret, bool *is_aggregate)
{
	static const char *const tags[] = { "struct", "union", "enum" };
	skip_qualifiers(t);
	struct text tag = word_next(t);
	*is_aggregate = false;
	if (word_take(t, tags, 3)) {
		*is_aggregate = !is_word(tag, "enum");
		ret->size = 4;
		struct text name = word_next(t);
		t->at = name.end;
		return name.at != name.end;
	}
	if (number_take(t, ret) || typedef_take(t, ret))
		return true;
	struct text name = word_next(t);
	bool is_type = name.at != name.end && !is_one_of(name, words, WORDS);
	t->at = name.end;
	*is_aggregate = true; /* not known: only a pointer to it will do */
	return is_type;
}

static bool stars_take(struct text *t)
{
	bool any = false;
	for (;;) {
		skip_qualifiers(t);
		if (t->at == t->end || *t->at != '*')
			return any;
		any = true;
		t->at++;
	}
}

/* [], [10]: an array is passed as a pointer. */
static bool brackets_take(struct text *t)
{
	bool any = false;
	for (skip_blanks(t); t->at < t->end && *t->at == '['; skip_blanks(t)) {
		const char *close = memchr(t->at, ']', (size_t)(t->end - t->at));
		if (!close)
			break;
		t->at = close + 1;
		any = true;
	}
	return any;
}

/* T on one line. */
static char *line_of(struct text t, const char *after)
{
	while (t.end > t.at && isspace((unsigned char)t.end[-1]))
		t.end--;
	char *line;
	if (asprintf(&line, "%.*s%s", (int)(t.end - t.at), t.at, after) < 0)
		return NULL;
	for (char *c = line; *c; c++)
		if (isspace((unsigned char)*c))
			*c = ' ';
	return line;
}

/* One parameter with or without a name. */
static int parameter_parse(struct text t, struct argument *ret)
{
	const struct text all = t;
	bool is_aggregate;
	bool is_good = base_take(&t, ret, &is_aggregate);
	bool is_pointer = is_good && stars_take(&t);
	const struct text type = { all.at, t.at };
	t.at = word_next(&t).end;
	bool is_array = brackets_take(&t);
	skip_blanks(&t);
	is_pointer |= is_array;
	if (!is_good || t.at != t.end || (is_aggregate && !is_pointer))
		return fail(EINVAL, "not the type of a number or pointer: %.*s",
			    (int)(all.end - all.at), all.at);
	if (is_pointer)
		*ret = (struct argument) { .size = sizeof(void *) };
	ret->declaration = is_array ? line_of(type, " *") : line_of(all, "");
	return ret->declaration ? 0 : fail(ENOMEM, "out of memory");
}

static int parameter_add(struct arguments *to, struct text parameter)
{
	struct argument argument = { 0 };
	skip_blanks(&parameter);
	if (to->count == ARGUMENTS_MOST)
		return fail(E2BIG, "a probe has at most %d arguments", ARGUMENTS_MOST);
	if (parameter_parse(parameter, &argument) < 0)
		return -1;
	to->list[to->count++] = argument;
	return 0;
}

int declaration_add(struct arguments *to, const char *type)
{
	if (!type)
		return fail(EINVAL, "the type of an argument is missing");
	return parameter_add(to, (struct text) { type, type + strlen(type) });
}

static bool is_void(struct text t)
{
	struct text word = word_next(&t);
	t.at = word.end;
	skip_blanks(&t);
	return t.at == t.end && (word.at == word.end || is_word(word, "void"));
}

int declaration_parse(const char *text, struct arguments *ret)
{
	struct arguments list = { 0 };
	const char *at = text ? text : "", *end = at + strlen(at);
	bool is_over = is_void((struct text) { at, end });
	while (!is_over) {
		const char *comma = strchr(at, ',');
		struct text parameter = { at, comma ? comma : end };
		if (parameter_add(&list, parameter) < 0) {
			arguments_deinit(&list);
			return -1;
		}
		is_over = !comma;
		at = parameter.end + 1;
	}
	*ret = list;
	return 0;
}

void arguments_deinit(struct arguments *a)
{
	for (unsigned i = 0; i < a->count; i++)
		free(a->list[i].declaration);
	a->count = 0;
}
