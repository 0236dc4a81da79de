/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* code_texts - the memory for names of interpreted code (abi/interpreted.h), from user memory */
#ifndef RUNTIME_STACK_CODE_TEXTS_H
#define RUNTIME_STACK_CODE_TEXTS_H

#include "abi/interpreted.h"
#include "runtime/string/text.h"

/* 0: it cannot be read. */
static always_inline uint64_t user_word(uint64_t address)
{
	uint64_t word = 0;
	port_read_user(&word, sizeof(word), (void *)address);
	return word;
}

static always_inline struct code_texts *texts_head(void)
{
	return (struct code_texts *)rt_code_texts;
}

static always_inline char *text_at(uint64_t place)
{
	OPAQUE(place);
	place &= CODE_TEXTS_SIZE - 1;
	return rt_code_texts + place;
}

/* SIZE bytes; 0: there is no room. */
static always_inline uint64_t claim_text(uint64_t size)
{
	if (texts_head()->used > CODE_TEXTS_SIZE)
		return 0;
	uint64_t place = __sync_fetch_and_add(&texts_head()->used, size);
	return place + size > CODE_TEXTS_SIZE ? 0 : place;
}

static always_inline long copy_text(uint64_t place, uint64_t size, uint64_t most, uint64_t from)
{
	OPAQUE(size);
	if (size > most)
		return -1;
	return size ? port_read_user(text_at(place), size, (void *)from) : 0;
}

#define PADDED(size) (((uint64_t)(size) + 7) & ~7ull)

#endif
