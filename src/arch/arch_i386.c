/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs of 32 bits on x86_64.  The kernel saves their registers as those of any other task, the
 * upper halves zero.  Arguments are on the stack (System V ABI, Intel386 supplement, 2.2).
 */
#include <elf.h>

#include "arch/call.h"
#include "arch/internal.h"
#include "arch/operand.h"

/* Offsets in struct pt_regs of x86_64. */
/* clang-format off */
enum {
	EBP = 32, EBX = 40, EAX = 80, ECX = 88, EDX = 96, ESI = 104, EDI = 112,
	ORIG_EAX = 120, EIP = 128, CS = 136, EFLAGS = 144, ESP = 152, SS = 160,
};
/* clang-format on */

/* The same, figure 2.14: eip is their number 8. */
static const uint16_t dwarf_registers[] = { EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, EIP };

/* struct user_regs_struct of 32-bit programs: ds, es, fs, gs are not in pt_regs. */
static const uint16_t saved_registers[] = {
	EBX,
	ECX,
	EDX,
	ESI,
	EDI,
	EBP,
	EAX,
	ARCH_ON_STACK,
	ARCH_ON_STACK,
	ARCH_ON_STACK,
	ARCH_ON_STACK,
	ORIG_EAX,
	EIP,
	CS,
	EFLAGS,
	ESP,
	SS,
};

const struct arch arch_i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word = 4,
	.result = EAX,
	.stack_pointer = ESP,
	.frame_pointer = EBP,
	.pc = EIP,
	.stack_argument = 4, /* above the return address */
	.return_address = ARCH_ON_STACK,
	.dwarf_registers = dwarf_registers,
	.dwarf_count = ARRAY_SIZE(dwarf_registers),
	.dwarf_stack_pointer = 4,
	.dwarf_frame_pointer = 5,
	.dwarf_pc = 8,
	.dwarf_saved = 3,	    /* ebx */
	.never_mapped = 0xfffffd7a, /* above the highest stack (IA32_PAGE_OFFSET) */
	.saved_registers = saved_registers,
	.saved_count = ARRAY_SIZE(saved_registers),
	.entry_site = i386_entry_site,
	.can_probe = i386_can_probe,
	.is_emulated = i386_is_emulated,
	.returns_its_place = i386_returns_its_place,
	.decode = i386_decode,
	.is_signal_return = i386_is_signal_return,
	.operand = operand_x86_64,
	.call_argument = call_argument_i386,
	.call_result = call_result_i386,
};
