/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * site - calls of probe functions in an object to be linked, and what dtrace -G makes of them
 *
 * Code compiled for the classic tool calls __dtrace_PROVIDER___NAME().  The call becomes a nop (a
 * call in a function's last place a return), where the arguments are as for a call.
 */
#ifndef ARCH_SITE_H
#define ARCH_SITE_H

#include "base/base.h"

struct site_call {
	size_t at, length; /* the instruction, in the section */
	bool is_tail;	   /* a jump: the function's return address is on the stack */
};

struct site_relocation {
	uint32_t at, type;
	int64_t addend;
};

struct arch_sites {
	/* The call whose target is the relocation of TYPE at offset AT of CODE; false: none. */
	bool (*find)(const struct bytes *code, uint64_t at, uint32_t type, struct site_call *ret);
	void (*clear)(unsigned char *code, const struct site_call *c);
	/* Where arguments are, in a note's syntax; those after them are on the stack. */
	const char *const *registers;
	unsigned register_count;
	const char *stack;    /* format, with an offset */
	unsigned tail_offset; /* the return address, which is above them after a jump */
	uint32_t address;     /* the relocation of a word */
	/* A function that returns the 16 bits at the relocations' symbol. */
	const unsigned char *reader;
	size_t reader_size;
	const struct site_relocation *reader_relocations;
	unsigned reader_relocation_count;
};

extern const struct arch_sites sites_x86_64, sites_aarch64;

#endif
