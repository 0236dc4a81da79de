/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - what the tables of architectures (struct arch) point to */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include "arch/arch.h"

/* --- decode_*.c: lengths and jumps of instructions; effects_x86_64.c: what they change --- */

/* The parts of an instruction, for what is read from them. */
struct decoder {
	struct bytes b;
	bool is_narrow; /* 32-bit code */
	bool operand16, address32, segment, notrack;
	unsigned char rex; /* its low bits: W, R, X, B; of VEX and EVEX not read */
	unsigned map;	   /* 0: one byte; 1: 0f; 2: 0f38; 3: 0f3a; 5 and 6: EVEX only */
	bool vector;	   /* VEX or EVEX */
	unsigned char opcode, modrm, sib;
	bool below_stack;
	size_t relative_at;   /* of a displacement from the pc; 0: it has none */
	int32_t displacement; /* of memory */
};

enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

/* Numbers in struct pt_regs of registers by their numbers in instructions. */
extern const uint8_t x86_64_words[16];

/* The instruction at CODE to D, which is 0 but for is_narrow; false: unknown, or cut off. */
bool x86_take_instruction(struct decoder *d, const struct bytes *code, unsigned *form);

bool x86_64_decode(const struct bytes *code, struct instruction *ret);
bool x86_64_effects(const struct bytes *code, struct instruction_effects *ret);
bool x86_64_find_per_cpu_add(const struct bytes *code, uint64_t address, size_t *at,
			     struct per_cpu_add *ret);
bool i386_decode(const struct bytes *code, struct instruction *ret);
bool aarch64_decode(const struct bytes *code, struct instruction *ret);
bool aarch64_stub_pointer(const struct bytes *code, uint64_t address, uint64_t *ret);

/* --- probe_x86.c: where probes can be placed --- */

unsigned x86_64_entry_site(const struct bytes *code);
bool x86_64_can_probe(const struct bytes *code);
bool x86_64_is_emulated(const struct bytes *code);
bool x86_64_may_become_call(const struct bytes *code);
bool x86_64_is_signal_return(const struct bytes *code);
unsigned x86_64_start_push(const struct bytes *code);
bool x86_64_start_functions(const struct bytes *code, struct start_functions *ret);

unsigned i386_entry_site(const struct bytes *code);
bool i386_can_probe(const struct bytes *code);
bool i386_is_emulated(const struct bytes *code);
bool i386_returns_its_place(const struct bytes *code);
bool i386_is_signal_return(const struct bytes *code);

#endif
