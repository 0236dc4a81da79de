/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "arch/decode.h"

/* orig_x0 stands behind the registers that user space may see (struct user_pt_regs). */
enum { X0, X8 = 8, X29 = 29, X30, SP, PC, PSTATE, ORIG_X0 };

static const char *const calls[] = {
#define SYSCALL(number, name) [number] = #name,
#include "arch/syscalls_aarch64.def"
};

static const char *const compat_calls[] = {
#include "arch/syscalls_arm.def"
#undef SYSCALL
};

/* Landing pads (bti) and nops are emulated alike: the first instruction is as good as any. */
static unsigned aarch64_entry_site(const struct bytes *code)
{
	return 0;
}

static uint32_t instruction_at(const struct bytes *code)
{
	struct bytes b = *code;
	return bytes_u32(&b);
}

/*
 * The kernel refuses what it can neither emulate nor run elsewhere: exclusive
 * loads and stores, exceptions (svc, brk, hlt), and system instructions but hints.
 */
static bool aarch64_can_probe(const struct bytes *code)
{
	if (code->size < 4)
		return false;
	uint32_t i = instruction_at(code);
	bool exclusive = (i & 0x3f000000) == 0x08000000;
	bool exception = (i & 0xff000000) == 0xd4000000;
	bool hint = (i & 0xfffff01f) == 0xd503201f;
	bool system = (i & 0xffc00000) == 0xd5000000;
	return !exclusive && !exception && (!system || hint);
}

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.uregs_count = PSTATE + 1,
	.uregs_names = PSTATE + 1,
	.argument = { 0, 8, 16, 24, 32, 40, 48, 56 },
	.argument_count = 8,
	.result = X0 * 8,
	.stack_pointer = SP * 8,
	.frame_pointer = X29 * 8,
	.pc = PC * 8,
	.stack_argument = 0,
	.return_address = X30 * 8,
	/* The call's result overwrites x0; the kernel keeps the first argument beside it. */
	.syscall_argument = { ORIG_X0 * 8, 8, 16, 24, 32, 40 },
	.compat_argument = { ORIG_X0 * 8, 8, 16, 24, 32, 40 },
	.syscall_number = X8 * 8,
	.calls = { calls, ARRAY_SIZE(calls) },
	.compat_calls = { compat_calls, ARRAY_SIZE(compat_calls) },
	.number_mask = 0xffffffff,
	.compat_field = "thread_info.flags",
	.compat_mask = 1 << 22, /* TIF_32BIT */
	.mode = PSTATE * 8,
	.mode_mask = 0xf,
	.mode_user = 0,
	/*
	 * The compiler goes over a program twice.  The first time it takes a jump's distance back
	 * for the one between the program's beginning and the target, and gives up if a conditional
	 * jump cannot go so far: 262,143 of its own instructions (6.1, 6.12).  It makes 1.2 of each
	 * of ours in programs so long; we count 4.
	 */
	.back_reach = 65536,
	.entry_site = aarch64_entry_site,
	.can_probe = aarch64_can_probe,
	.decode = aarch64_decode,
};
