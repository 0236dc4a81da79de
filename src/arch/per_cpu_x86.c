/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Additions to per-CPU variables of an x86_64 kernel (Intel SDM volume 2, INC and ADD)
 *
 *   65 48 ff 04 25 d32       incq %gs:d32             65 48 ff 05 r32     ... r32(%rip)
 *   65 48 83 04 25 d32 i8    addq $i8, %gs:d32        65 48 83 05 r32 i8
 *   65 48 81 04 25 d32 i32   addq $i32, %gs:d32       65 48 81 05 r32 i32
 *   65 48 01 ?4 25 d32       addq %reg, %gs:d32       65 48 01 ?5 r32     (4c: of r8 to r15)
 *
 * A kernel has 20 MB of code, so the first of these bytes is looked for by memchr().
 */
#include <string.h>

#include "arch/internal.h"

#define GS 0x65
#define REX_W 0x48
#define REX_R 0x04

/* uregs[]'s number of each register as instructions count them: ax cx dx bx sp bp si di r8 ... */
static const signed char ureg_of[16] = { 10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0 };

static int32_t four_bytes(const unsigned char *at)
{
	int32_t ret;
	memcpy(&ret, at, sizeof(ret));
	return ret;
}

/* What is added: by the opcode, the ModRM byte and the bytes AFTER the address.  False: nothing, or
 * something negative. */
static bool take_amount(unsigned char opcode, unsigned number, const struct bytes *after,
			unsigned *size, struct per_cpu_add *ret)
{
	*size = opcode == 0x83 ? 1 : opcode == 0x81 ? 4 : 0;
	ret->ureg = -1;
	if (after->size < *size)
		return false;
	switch (opcode) {
	case 0xff:
		ret->amount = 1;
		return number == 0;
	case 0x83:
		ret->amount = (signed char)after->data[0];
		return number == 0 && ret->amount > 0;
	case 0x81:
		ret->amount = four_bytes(after->data);
		return number == 0 && ret->amount > 0;
	case 0x01:
		ret->ureg = ureg_of[number];
		return true;
	default:
		return false;
	}
}

static bool adds_per_cpu(const struct bytes *code, uint64_t address, struct per_cpu_add *ret)
{
	const unsigned char *c = code->data;
	if (code->size < 8 || c[0] != GS || (c[1] & 0xf8) != REX_W || c[3] >> 6)
		return false;
	bool is_absolute = (c[3] & 7) == 4 && c[4] == 0x25, is_relative = (c[3] & 7) == 5;
	unsigned begin = is_absolute ? 5 : 4, size;
	if ((!is_absolute && !is_relative) || code->size < begin + 4)
		return false;
	unsigned number = (c[3] >> 3 & 7) | (c[2] == 0x01 && c[1] & REX_R ? 8 : 0);
	const struct bytes after = bytes_of(c + begin + 4, code->size - begin - 4);
	if (!take_amount(c[2], number, &after, &size, ret))
		return false;
	ret->variable = (uint64_t)(int64_t)four_bytes(c + begin);
	if (is_relative)
		ret->variable += address + begin + 4 + size;
	return true;
}

bool x86_64_find_per_cpu_add(const struct bytes *code, uint64_t address, size_t *at,
			     struct per_cpu_add *ret)
{
	const unsigned char *c = code->data + *at, *end = code->data + code->size;
	for (; c < end && (c = memchr(c, GS, (size_t)(end - c))); c++) {
		const struct bytes rest = bytes_of(c, (size_t)(end - c));
		*at = (size_t)(c - code->data);
		if (adds_per_cpu(&rest, address + *at, ret))
			return true;
	}
	return false;
}
