/* SPDX-License-Identifier: BSD-2-Clause */
#include "arch/site.h"

#include <elf.h>

/* --- x86_64 ----------------------------------------------------------------------------------- */

static const char *const registers_x86_64[] = { "%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9" };

/* movzwl counter(%rip), %eax; ret */
static const unsigned char reader_x86_64[] = { 0x0f, 0xb7, 0x05, 0, 0, 0, 0, 0xc3 };
static const struct site_relocation reader_relocations_x86_64[] = { { 3, R_X86_64_PC32, -4 } };

/* call and jmp rel32; with -fno-plt through the table of addresses. */
static bool find_x86_64(const struct bytes *code, uint64_t at, uint32_t type, struct site_call *ret)
{
	if (at < 2 || code->size < 4 || at > code->size - 4)
		return false;
	const unsigned char *p = code->data + at;
	bool direct = type == R_X86_64_PLT32 || type == R_X86_64_PC32;
	bool indirect = type == R_X86_64_GOTPCRELX || type == R_X86_64_GOTPCREL;
	if (direct && (p[-1] == 0xe8 || p[-1] == 0xe9))
		*ret = (struct site_call) { at - 1, 5, p[-1] == 0xe9 };
	else if (indirect && p[-2] == 0xff && (p[-1] == 0x15 || p[-1] == 0x25))
		*ret = (struct site_call) { at - 2, 6, p[-1] == 0x25 };
	else
		return false;
	return true;
}

static void clear_x86_64(unsigned char *code, const struct site_call *c)
{
	memset(code + c->at, 0x90, c->length); /* nop */
	if (c->is_tail)
		code[c->at] = 0xc3; /* ret */
}

const struct arch_sites sites_x86_64 = {
	.find = find_x86_64,
	.clear = clear_x86_64,
	.registers = registers_x86_64,
	.register_count = ARRAY_SIZE(registers_x86_64),
	.stack = "%u(%%rsp)",
	.tail_offset = 8,
	.address = R_X86_64_64,
	.reader = reader_x86_64,
	.reader_size = sizeof(reader_x86_64),
	.reader_relocations = reader_relocations_x86_64,
	.reader_relocation_count = ARRAY_SIZE(reader_relocations_x86_64),
};

/* --- aarch64 ---------------------------------------------------------------------------------- */

static const char *const registers_aarch64[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };

/* adrp x0, counter; ldrh w0, [x0, :lo12:counter]; ret */
static const unsigned char reader_aarch64[] = { 0x00, 0x00, 0x00, 0x90, 0x00, 0x00,
						0x40, 0x79, 0xc0, 0x03, 0x5f, 0xd6 };
static const struct site_relocation reader_relocations_aarch64[] = {
	{ 0, R_AARCH64_ADR_PREL_PG_HI21, 0 },
	{ 4, R_AARCH64_LDST16_ABS_LO12_NC, 0 },
};

static bool find_aarch64(const struct bytes *code, uint64_t at, uint32_t type,
			 struct site_call *ret)
{
	if (code->size < 4 || at > code->size - 4 ||
	    (type != R_AARCH64_CALL26 && type != R_AARCH64_JUMP26))
		return false;
	unsigned char operation = code->data[at + 3] & 0xfc;
	*ret = (struct site_call) { at, 4, operation == 0x14 };
	return operation == 0x14 || operation == 0x94; /* b, bl */
}

static void clear_aarch64(unsigned char *code, const struct site_call *c)
{
	uint32_t instruction = c->is_tail ? 0xd65f03c0 : 0xd503201f; /* ret, nop */
	memcpy(code + c->at, &instruction, sizeof(instruction));
}

const struct arch_sites sites_aarch64 = {
	.find = find_aarch64,
	.clear = clear_aarch64,
	.registers = registers_aarch64,
	.register_count = ARRAY_SIZE(registers_aarch64),
	.stack = "[sp, %u]",
	.address = R_AARCH64_ABS64,
	.reader = reader_aarch64,
	.reader_size = sizeof(reader_aarch64),
	.reader_relocations = reader_relocations_aarch64,
	.reader_relocation_count = ARRAY_SIZE(reader_relocations_aarch64),
};
