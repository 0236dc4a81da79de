/* SPDX-License-Identifier: BSD-2-Clause */
/* made_text - code of a test, as the kernel's text at BASE */
#ifndef TESTS_UNIT_PROVIDER_MADE_TEXT_H
#define TESTS_UNIT_PROVIDER_MADE_TEXT_H

#include <string.h>

#include "base/base.h"

#define BASE 0x1000

/* text_init()'s reader: ARG is the struct bytes of the code. */
static bool read_made(void *arg, uint64_t address, void *ret, size_t size)
{
	const struct bytes *code = arg;
	if (address < BASE || address - BASE > code->size || size > code->size - (address - BASE))
		return false;
	memcpy(ret, code->data + (address - BASE), size);
	return true;
}

#define NOP 0x90
#define RETURN 0xc3
/* From one offset to another one, before or (_ON) after it. */
#define CALL(from, to) 0xe8, (unsigned char)((to) - (from)-5), 0xff, 0xff, 0xff
#define CALL_ON(from, to) 0xe8, (unsigned char)((to) - (from)-5), 0, 0, 0
#define JUMP_ON(from, to) 0xe9, (unsigned char)((to) - (from)-5), 0, 0, 0

#endif
