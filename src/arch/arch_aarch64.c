/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "arch/call.h"
#include "arch/internal.h"
#include "arch/operand.h"
#include "arch/site.h"

/* The last two are after the registers that user space may see (struct user_pt_regs). */
enum { X0, X29 = 29, X30, SP, PC, PSTATE, ORIG_X0, SYSCALLNO };

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

/* Of the hints: nop, landing pads (bti) and what signs pointers, or strips them. */
static bool is_harmless_hint(uint32_t i)
{
	static const unsigned char numbers[] = { 0, 7, 8, 10, 24, 25, 26, 27, 32, 34, 36, 38 };
	return memchr(numbers, (int)(i >> 5 & 127), sizeof(numbers)) != NULL;
}

/* msr, also with an immediate, and reading DAIF; barriers and other registers are fine. */
static bool is_refused_system(uint32_t i)
{
	return (i & 0xfff8f01f) == 0xd500401f || (i & 0xfff00000) == 0xd5100000 ||
	       (i & 0xffffffe0) == 0xd53b4220;
}

/*
 * The kernel refuses instructions that it can neither emulate nor run elsewhere: exclusive loads
 * and stores, exceptions (svc, brk, hlt), some system instructions, literal loads, and jumps with
 * authentication (arch/arm64/kernel/probes/decode-insn.c).  It runs SIMD's literal loads
 * elsewhere, where they load other data (6.1, 6.12).
 */
static bool aarch64_can_probe(const struct bytes *code)
{
	if (code->size < 4)
		return false;
	uint32_t i = instruction_at(code);
	bool exclusive = (i & 0x3f000000) == 0x08000000;
	bool exception = (i & 0xff000000) == 0xd4000000;
	bool hint = (i & 0xfffff01f) == 0xd503201f;
	bool literal = (i & 0x3b000000) == 0x18000000;
	bool authenticated = (i & 0xfe00f800) == 0xd6000800; /* braa, blraa, retaa ... */
	if (exclusive || exception || literal || authenticated)
		return false;
	return hint ? is_harmless_hint(i) : !is_refused_system(i);
}

/* What depends on its own address: jumps, calls, adr, literals (probes/decode-insn.c). */
static bool aarch64_is_emulated(const struct bytes *code)
{
	struct instruction i;
	return aarch64_decode(code, &i) &&
	       (i.flow != FLOW_NEXT || i.displacement_bits || i.literal_size);
}

/* mov x8, #139; svc #0: rt_sigreturn(), in the vdso. */
static bool aarch64_is_signal_return(const struct bytes *code)
{
	return code->size >= 8 && memcmp(code->data, "\x68\x11\x80\xd2\x01\0\0\xd4", 8) == 0;
}

/*
 * The bits of a signature (PAC) are those above the addresses of this machine, which are 48 or 52
 * bits long: xpaclri, an instruction that older machines take for a nop, clears them.
 */
static uint64_t aarch64_code_mask(void)
{
	uint64_t mask = UINT64_MAX >> 9; /* bit 55 would say that it is the kernel's */
#if defined(__aarch64__)
	register uint64_t x30 __asm__("x30") = mask;
	__asm__("hint #7" : "+r"(x30)); /* xpaclri */
	return x30;
#else
	return mask >> 7;
#endif
}

static const char *const cpp_symbols[] = { "-D__aarch64__", NULL };

/* DWARF for the Arm 64-bit Architecture (AADWARF64), 4.1: x0 to x30, sp, pc. */
static const uint16_t dwarf_registers[] = {
	0,   8,	  16,  24,  32,	 40,  48,  56,	64,  72,  80,  88,  96,	 104, 112, 120, 128,
	136, 144, 152, 160, 168, 176, 184, 192, 200, 208, 216, 224, 232, 240, 248, 256,
};

/*
 * struct rt_sigframe of the kernel: siginfo of 128 bytes, struct ucontext, in which struct
 * sigcontext is at its byte 176 and begins with the fault's address.
 */
#define SIGNAL_REGISTERS (128 + 176 + 8)

/* Go's cmd/compile/abi-internal.md */
static const uint16_t go_registers[] = { 0,  8,	 16, 24, 32, 40,  48,  56,
					 64, 72, 80, 88, 96, 104, 112, 120 };

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.sites = &sites_aarch64,
	.elf_machine = EM_AARCH64,
	.elf_machine_32 = EM_ARM,
	.word = 8,
	.uregs_count = PSTATE + 1,
	.uregs_names = PSTATE + 1,
	.thread_block = { .control_size = 16, .distance_relocation = R_AARCH64_TLS_TPREL },
	.user_bits = 48,
	.tracer_call_end = 12, /* bti; two instructions */
	.argument = { 0, 8, 16, 24, 32, 40, 48, 56 },
	.argument_count = 8,
	.result = X0 * 8,
	.go_registers = go_registers,
	.go_register_count = ARRAY_SIZE(go_registers),
	.stack_pointer = SP * 8,
	.frame_pointer = X29 * 8,
	.pc = PC * 8,
	.goroutine = 28 * 8,
	.stack_argument = 0,
	.return_address = X30 * 8,
	.dwarf_registers = dwarf_registers,
	.dwarf_count = ARRAY_SIZE(dwarf_registers),
	.dwarf_stack_pointer = 31,
	.dwarf_frame_pointer = 29,
	.dwarf_pc = 32,
	.dwarf_saved = 30,
	.code_mask = aarch64_code_mask,
	.signal_frame = {
		.name = "__kernel_rt_sigreturn",
		.before = 4, /* a nop, as the byte before a return address is looked up */
		.pc_at = SIGNAL_REGISTERS + PC * 8,
		.stack_at = SIGNAL_REGISTERS + SP * 8,
		.frame_at = SIGNAL_REGISTERS + X29 * 8,
		.link_at = SIGNAL_REGISTERS + X30 * 8,
	},
	.plt_push = 0xa9bf7bf0, /* stp x16, x30, [sp, #-16]! */
	/* The call's result overwrites x0; the kernel keeps the first argument separately. */
	.syscall_argument = { ORIG_X0 * 8, 8, 16, 24, 32, 40 },
	.compat_argument = { ORIG_X0 * 8, 8, 16, 24, 32, 40 },
	/* Not x8, which is the task's: execve clears it, rt_sigreturn puts an older one back. */
	.syscall_number = SYSCALLNO * 8,
	.syscall = { { 0x01, 0x00, 0x00, 0xd4 }, 4, 4, 8 * 8 },
	.calls = { calls, ARRAY_SIZE(calls) },
	.compat_calls = { compat_calls, ARRAY_SIZE(compat_calls) },
	.call_names = 428,
	.number_mask = 0xffffffff,
	.compat_field = "thread_info.flags",
	.compat_mask = 1 << 22, /* TIF_32BIT */
	.walker_frames = 1,	/* seen on 6.1 and 6.12 */
	.tracepoint_frames = 1, /* __bpf_trace_CLASS(), which jumps on others */
	.never_mapped = 0x0070d7ace0000000, /* above 52 bits; bit 55 would mean the kernel */
	.cpp_symbols = cpp_symbols,
	.mode = PSTATE * 8,
	.mode_mask = 0xf,
	.mode_user = 0,
	.mode_64_mask = 0x1f,
	.mode_64 = 0,
	/*
	 * The compiler goes over a program twice.  The first time it takes a jump's distance back
	 * for the one between the program's beginning and the target, and gives up if a conditional
	 * jump cannot go so far: 262,143 of its own instructions (6.1, 6.12).  It makes 1.2 of each
	 * of ours in programs so long; we count 4.
	 */
	.back_reach = 65536,
	.entry_site = aarch64_entry_site,
	.can_probe = aarch64_can_probe,
	.is_emulated = aarch64_is_emulated,
	.decode = aarch64_decode,
	.stub_pointer = aarch64_stub_pointer,
	.is_signal_return = aarch64_is_signal_return,
	.operand = operand_aarch64,
	.call_argument = call_argument_aarch64,
	.call_result = call_result_aarch64,
};
