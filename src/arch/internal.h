/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - what the tables of architectures (struct arch) point to */
#ifndef ARCH_INTERNAL_H
#define ARCH_INTERNAL_H

#include "arch/arch.h"

/* --- decode_*.c: lengths and jumps of instructions --- */

bool x86_64_decode(const struct bytes *code, struct instruction *ret);
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
