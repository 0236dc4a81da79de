/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_x86 - where probes can be placed in code of x86: what struct arch points to */
#ifndef ARCH_PROBE_X86_H
#define ARCH_PROBE_X86_H

#include "arch/arch.h"

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
