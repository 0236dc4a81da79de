/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aarch64:
 *
 *	12   #12   x0   w0   sp   [x0]   [sp, 12]   [x0, #-8]   [x0, x1]   [x0, x1, lsl 3]
 */
#include "arch/operand.h"

#define SP 31

/* x0 ... x30, w0 ... w30, sp, fp, lr; not xzr, which is not a register. */
static bool aarch64_register_take(struct operand_text *t, uint16_t *ret)
{
	static const struct {
		const char *name;
		uint16_t number;
	} names[] = { { "sp", SP }, { "wsp", SP }, { "fp", 29 }, { "lr", 30 } };
	struct operand_text word = operand_word(t);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (operand_is(word, names[i].name)) {
			*ret = names[i].number * 8;
			return true;
		}
	int64_t number;
	if (!operand_take(&word, 'x') && !operand_take(&word, 'w'))
		return false;
	if (word.at == word.end || *word.at < '0' || *word.at > '9' ||
	    !operand_number(&word, &number) || word.at != word.end || number < 0 || number > 30)
		return false;
	*ret = (uint16_t)(number * 8);
	return true;
}

static void blanks_take(struct operand_text *t)
{
	while (operand_take(t, ' '))
		;
}

static bool immediate_take(struct operand_text *t, int64_t *ret)
{
	operand_take(t, '#');
	return operand_number(t, ret);
}

/* After the index: ", lsl 3" or nothing. */
static bool shift_take(struct operand_text *t, uint8_t *ret)
{
	int64_t shift;
	if (!operand_take(t, ','))
		return true;
	blanks_take(t);
	if (!operand_is(operand_word(t), "lsl"))
		return false;
	blanks_take(t);
	if (!immediate_take(t, &shift) || shift < 0 || shift > 4)
		return false;
	*ret = (uint8_t)shift;
	return true;
}

/* What follows [BASE */
static bool rest_take(struct operand_text *t, struct operand *ret)
{
	if (operand_take(t, ',')) {
		blanks_take(t);
		if (!immediate_take(t, &ret->value) &&
		    (!aarch64_register_take(t, &ret->index) || !shift_take(t, &ret->shift)))
			return false;
	}
	return operand_take(t, ']');
}

bool operand_aarch64(struct operand_text t, struct operand *ret)
{
	if (operand_take(&t, '[')) {
		ret->kind = OPERAND_MEMORY;
		return aarch64_register_take(&t, &ret->base) && rest_take(&t, ret) && t.at == t.end;
	}
	ret->kind = OPERAND_CONSTANT;
	if (immediate_take(&t, &ret->value))
		return t.at == t.end;
	ret->kind = OPERAND_REGISTER;
	return aarch64_register_take(&t, &ret->base) && t.at == t.end;
}
