/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine - what differs by processor
 *
 * Each function is a site and a return, so that the arguments are where the calling convention puts
 * them.  x86_64: a nop of one byte, which kernels of all ages emulate, and one of five, where
 * tracers may set the faster probe of Linux 6.18: it overwrites the 8 bytes below the stack
 * pointer, which a function without a body does not use.
 */
#include <elf.h>
#include <stdio.h>

#include "internal.h"

/* --- x86_64 --- */

static const unsigned char x86_64_function[] = { 0x90, 0x0f, 0x1f, 0x44, 0, 0, 0xc3, 0xcc };

static int x86_64_operand(unsigned index, unsigned size, char *text, size_t room)
{
	static const char *const names[][4] = {
		{ "dil", "di", "edi", "rdi" }, { "sil", "si", "esi", "rsi" },
		{ "dl", "dx", "edx", "rdx" },  { "cl", "cx", "ecx", "rcx" },
		{ "r8b", "r8w", "r8d", "r8" }, { "r9b", "r9w", "r9d", "r9" },
	};
	const unsigned count = sizeof(names) / sizeof(names[0]);
	if (index < count)
		return snprintf(text, room, "%%%s", names[index][__builtin_ctz(size)]);
	return snprintf(text, room, "%u(%%rsp)",
			8 + 8 * (index - count)); /* after the return address */
}

/* Frames end 8 bytes above the stack pointer (r7), where the return address (r16) is. */
static const unsigned char x86_64_frames[] = {
	20,   0,    0,	 0,    0, 0,	0,  0, /* length, CIE */
	1,    'z',  'R', 0,    1, 0x78, 16,    /* version, augmentation, factors, return address */
	1,    0x1b,			       /* addresses relative to themselves, of four bytes */
	0x0c, 7,    8,	 0x90, 1, 0,	0,     /* def_cfa r7+8, offset r16 at cfa-8, nop, nop */
};

const struct machine machine_x86_64 = {
	.elf_number = EM_X86_64,
	.function = x86_64_function,
	.function_size = sizeof(x86_64_function),
	.code_size = 7,
	.site_size = 1,
	.frames = x86_64_frames,
	.frames_size = sizeof(x86_64_frames),
	.registers = 6,
	.operand = x86_64_operand,
};

/* --- aarch64 --- */

static const unsigned char aarch64_function[] = { 0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6 };

#define AARCH64_REGISTERS 8

static int aarch64_operand(unsigned index, unsigned size, char *text, size_t room)
{
	if (index < AARCH64_REGISTERS)
		return snprintf(text, room, "x%u", index);
	if (index == AARCH64_REGISTERS)
		return snprintf(text, room, "[sp]");
	return snprintf(text, room, "[sp, %u]", 8 * (index - AARCH64_REGISTERS));
}

/* Frames end at the stack pointer (r31); the return address is in r30. */
static const unsigned char aarch64_frames[] = {
	16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0,
};

const struct machine machine_aarch64 = {
	.elf_number = EM_AARCH64,
	.function = aarch64_function,
	.function_size = sizeof(aarch64_function),
	.code_size = sizeof(aarch64_function),
	.site_size = 4,
	.frames = aarch64_frames,
	.frames_size = sizeof(aarch64_frames),
	.registers = AARCH64_REGISTERS,
	.operand = aarch64_operand,
};

const struct machine *machine_host(void)
{
#if defined(__x86_64__)
	return &machine_x86_64;
#elif defined(__aarch64__)
	return &machine_aarch64;
#else
#error "no functions for this processor: lib/usdt/machine.c"
#endif
}
