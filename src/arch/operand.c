/* SPDX-License-Identifier: BSD-2-Clause */
/* operand - an argument string to its arguments; one operand: operand_x86_64.c, operand_aarch64.c
 */
#include "arch/operand.h"

#include <ctype.h>
#include <string.h>

/* --- pieces --- */

bool operand_take(struct operand_text *t, char c)
{
	if (t->at == t->end || *t->at != c)
		return false;
	t->at++;
	return true;
}

static int operand_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool operand_number(struct operand_text *t, int64_t *ret)
{
	struct operand_text rest = *t;
	bool is_negative = operand_take(&rest, '-');
	if (!is_negative)
		operand_take(&rest, '+');
	struct operand_text hex = rest;
	int base = operand_take(&hex, '0') && operand_take(&hex, 'x') ? 16 : 10;
	if (base == 16)
		rest = hex;
	const char *first = rest.at;
	uint64_t value = 0;
	for (; rest.at < rest.end && operand_digit(*rest.at) < base; rest.at++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)operand_digit(*rest.at), &value))
			return false;
	if (rest.at == first)
		return false;
	*ret = (int64_t)(is_negative ? 0 - value : value);
	*t = rest;
	return true;
}

struct operand_text operand_word(struct operand_text *t)
{
	struct operand_text word = { t->at, t->at };
	while (t->at < t->end && *t->at &&
	       (isalnum((unsigned char)*t->at) || strchr("_.$", *t->at)))
		t->at++;
	word.end = t->at;
	return word;
}

bool operand_is(struct operand_text word, const char *name)
{
	size_t len = (size_t)(word.end - word.at);
	return strlen(name) == len && memcmp(word.at, name, len) == 0;
}

/* --- one argument --- */

/* "-4f@" at the front of T: taken, its meaning into RET.  No size at all: an unsigned word. */
static bool size_take(struct operand_text *t, struct operand *ret)
{
	struct operand_text rest = *t;
	int64_t size;
	if (!isdigit((unsigned char)(*rest.at == '-' ? rest.at[rest.at + 1 < rest.end]
						     : *rest.at)) ||
	    !operand_number(&rest, &size))
		return false;
	bool is_float = operand_take(&rest, 'f');
	if (!operand_take(&rest, '@'))
		return false;
	ret->is_signed = size < 0;
	ret->is_float = is_float;
	size = size < 0 ? -size : size;
	ret->size = size == 1 || size == 2 || size == 4 || size == 8 ? (uint8_t)size : 0;
	*t = rest;
	return true;
}

static int64_t extended(const struct operand *o)
{
	unsigned unused = 64 - 8u * o->size;
	uint64_t bits = (uint64_t)o->value << unused;
	return o->is_signed ? (int64_t)bits >> unused : (int64_t)(bits >> unused);
}

static struct operand operand_of(const struct arch *a, struct operand_text t)
{
	struct operand ret = { .size = (uint8_t)a->word,
			       .base = OPERAND_NO_REGISTER,
			       .index = OPERAND_NO_REGISTER };
	size_take(&t, &ret);
	ret.text = t.at;
	ret.text_length = (size_t)(t.end - t.at);
	if (!ret.size || !a->operand(t, &ret)) {
		ret.kind = OPERAND_UNREADABLE;
		ret.size = ret.size ? ret.size : (uint8_t)a->word;
	} else if (ret.kind == OPERAND_CONSTANT) {
		ret.value = extended(&ret);
	}
	return ret;
}

/* --- the string --- */

/* Where the argument that begins at T ends: at a blank that no bracket is around. */
static struct operand_text argument_take(struct operand_text *t)
{
	struct operand_text argument = *t;
	int depth = 0;
	for (; t->at < t->end && (depth > 0 || *t->at != ' '); t->at++)
		depth += (*t->at == '[' || *t->at == '(') - (*t->at == ']' || *t->at == ')');
	argument.end = t->at;
	return argument;
}

unsigned operands_parse(const struct arch *a, const char *text, struct operand ret[OPERANDS_MOST])
{
	struct operand_text t = { text, text + strlen(text) };
	unsigned count = 0;
	while (count < OPERANDS_MOST) {
		while (operand_take(&t, ' '))
			;
		if (t.at == t.end)
			break;
		ret[count++] = operand_of(a, argument_take(&t));
	}
	return count;
}
