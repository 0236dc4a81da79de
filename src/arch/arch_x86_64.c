/* SPDX-License-Identifier: BSD-2-Clause */
#include <elf.h>
#include <sys/ptrace.h>

#include "arch/call.h"
#include "arch/internal.h"
#include "arch/operand.h"
#include "arch/site.h"

/* clang-format off */
enum {
	R15, R14, R13, R12, RBP, RBX, R11, R10, R9, R8, RAX, RCX, RDX, RSI, RDI,
	ORIG_RAX, RIP, CS, EFLAGS, RSP, SS, REGISTERS
};
/* clang-format on */

static const char *const calls[] = {
#define SYSCALL(number, name) [number] = #name,
#include "arch/syscalls_x86_64.def"
};

static const char *const compat_calls[] = {
#include "arch/syscalls_i386.def"
#undef SYSCALL
};

/* --- the red zone --- */

#ifdef __x86_64__
/* In one page, or the kernel would leave the nop alone. */
__asm__(".pushsection .text\n"
	".balign 64\n"
	".type x86_64_red_zone_keeps, @function\n"
	"x86_64_red_zone_keeps:\n"
	"mov %rdi, -8(%rsp)\n"
	".type x86_64_red_zone_site, @object\n"
	"x86_64_red_zone_site:\n"
	".byte 0x0f, 0x1f, 0x44, 0, 0\n"
	"mov -8(%rsp), %rax\n"
	"ret\n"
	".size x86_64_red_zone_keeps, . - x86_64_red_zone_keeps\n"
	".popsection\n");
uint64_t x86_64_red_zone_keeps(uint64_t value) __attribute__((visibility("hidden")));
extern const char x86_64_red_zone_site[] __attribute__((visibility("hidden")));
#else
#define x86_64_red_zone_keeps NULL
#define x86_64_red_zone_site NULL
#endif

static uint64_t x86_64_code_mask(void)
{
	return UINT64_MAX;
}

static const char *const cpp_symbols[] = { "-D__amd64", "-D__x86_64__", NULL };

/* System V ABI, AMD64 supplement, figure 3.36. */
static const uint16_t dwarf_registers[] = {
	RAX * 8, RDX * 8, RCX * 8, RBX * 8, RSI * 8, RDI * 8, RBP * 8, RSP * 8, R8 * 8,
	R9 * 8,	 R10 * 8, R11 * 8, R12 * 8, R13 * 8, R14 * 8, R15 * 8, RIP * 8,
};

/* Go's cmd/compile/abi-internal.md */
static const uint16_t go_registers[] = { RAX * 8, RBX * 8, RCX * 8, RDI * 8, RSI * 8,
					 R8 * 8,  R9 * 8,  R10 * 8, R11 * 8 };

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.sites = &sites_x86_64,
	.elf_machine = EM_X86_64,
	.elf_machine_32 = EM_386,
	.narrow = &arch_i386,
	.word = 8,
	.uregs_count = REGISTERS,
	.uregs_names = 26, /* R_TRAPNO is the last */
	.thread_pointer = 26,
	.thread_block = { .distance_relocation = R_X86_64_TPOFF64 },
	.user_bits = 47,
	.tracer_call_end = 9, /* endbr64; call */
	.argument = { RDI * 8, RSI * 8, RDX * 8, RCX * 8, R8 * 8, R9 * 8 },
	.argument_count = 6,
	.result = RAX * 8,
	.go_registers = go_registers,
	.go_register_count = ARRAY_SIZE(go_registers),
	.stack_pointer = RSP * 8,
	.frame_pointer = RBP * 8,
	.pc = RIP * 8,
	.flags = EFLAGS * 8,
	.goroutine = R14 * 8,
	.stack_argument = 8, /* above the return address */
	.return_address = ARCH_ON_STACK,
	.dwarf_registers = dwarf_registers,
	.dwarf_count = ARRAY_SIZE(dwarf_registers),
	.dwarf_stack_pointer = 7,
	.dwarf_frame_pointer = 6,
	.dwarf_pc = 16,
	.dwarf_saved = 3, /* rbx: _dl_runtime_resolve() of glibc */
	.code_mask = x86_64_code_mask,
	.syscall_argument = { RDI * 8, RSI * 8, RDX * 8, R10 * 8, R8 * 8, R9 * 8 },
	.compat_argument = { RBX * 8, RCX * 8, RDX * 8, RSI * 8, RDI * 8, RBP * 8 },
	.syscall_number = ORIG_RAX * 8,
	.syscall = { { 0x0f, 0x05 }, 2, 8, RAX * 8 },
	.calls = { calls, ARRAY_SIZE(calls) },
	.compat_calls = { compat_calls, ARRAY_SIZE(compat_calls) },
	.call_names = 470,
	.number_mask = 0xbfffffff,
	.compat_field = "thread_info.status",
	.compat_mask = 2, /* TS_COMPAT */
	.never_mapped =
		0x7ffffffffd7a, /* in the last page below bit 47: left free (TASK_SIZE_MAX) */
	.cpp_symbols = cpp_symbols,
	.mode = CS * 8,
	.mode_mask = 3,
	.mode_user = 3,
	.mode_narrow = 0x23, /* __USER32_CS */
	.mode_64_mask = 0xffff,
	.mode_64 = 0x33,
	.entry_site = x86_64_entry_site,
	.can_probe = x86_64_can_probe,
	.is_emulated = x86_64_is_emulated,
	.may_become_call = x86_64_may_become_call,
	.red_zone_keeps = x86_64_red_zone_keeps,
	.red_zone_site = x86_64_red_zone_site,
	.emulated_cost = "0.6 us",
	.stepped_cost = "4 to 12 us",
	.return_cost = "0.5 us",
	.decode = x86_64_decode,
	.find_per_cpu_add = x86_64_find_per_cpu_add,
	.is_signal_return = x86_64_is_signal_return,
	.start_push = x86_64_start_push,
	.start_functions = x86_64_start_functions,
	.operand = operand_x86_64,
	.call_argument = call_argument_x86_64,
	.call_result = call_result_x86_64,
};
