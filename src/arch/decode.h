/* SPDX-License-Identifier: BSD-2-Clause */
/* decode - lengths and jumps of instructions: what arch->decode points to */
#ifndef ARCH_DECODE_H
#define ARCH_DECODE_H

#include "arch/arch.h"

bool x86_64_decode(const struct bytes *code, struct instruction *ret);
bool x86_64_find_per_cpu_add(const struct bytes *code, uint64_t address, size_t *at,
			     struct per_cpu_add *ret);
bool i386_decode(const struct bytes *code, struct instruction *ret);
bool aarch64_decode(const struct bytes *code, struct instruction *ret);
bool aarch64_stub_pointer(const struct bytes *code, uint64_t address, uint64_t *ret);

#endif
