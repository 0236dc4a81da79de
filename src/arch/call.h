/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call - where C functions get their arguments and leave their results
 *
 * In:   values: their sizes and the scalars that they consist of.
 * Out:  registers, by their places in struct pt_regs, or a place on the stack.
 *
 * x86_64: System V ABI, AMD64 supplement, 3.2.3; its programs of 32 bits: Intel386 supplement, 2.2.
 * aarch64: Procedure Call Standard (AAPCS64), 6.8. C++ adds one rule: an object with a copy
 * constructor is passed by its address (Itanium C++ ABI, 3.1.2).  Go: abi-internal.md of its
 * compiler, the same for arguments and results.  Floating-point registers are not in struct
 * pt_regs, so such values cannot be read.
 */
#ifndef ARCH_CALL_H
#define ARCH_CALL_H

#include "arch/arch.h"

enum call_scalar {
	CALL_INTEGER, /* pointers, too */
	CALL_FLOAT,   /* also vectors and complex numbers */
	CALL_LONG_DOUBLE,
};

struct call_part {
	uint32_t offset, size;
	enum call_scalar kind;
};

struct call_value {
	uint32_t size, align;
	bool by_address;
	bool is_aggregate; /* a struct, union or array */
	bool has_array;	   /* of several elements */
	const struct call_part *parts;
	unsigned count;
};

enum call_kind {
	CALL_NOWHERE, /* it has no bytes */
	CALL_IN_REGISTERS,
	CALL_IN_FLOATS, /* some of it is in floating-point registers */
	CALL_ON_STACK,
	CALL_UNKNOWN,
};

#define CALL_REGISTERS_MAX 4

struct call_place {
	enum call_kind kind;
	bool is_address; /* the value's address is there */
	unsigned count;	 /* of registers, a word of the value (struct arch) in each */
	uint16_t registers[CALL_REGISTERS_MAX];
	uint32_t offset; /* from the first argument on the stack */
};

/* The arguments so far: all zeros before the first. */
struct call {
	unsigned integers, floats; /* registers in use */
	uint32_t stack;		   /* bytes */
};

void call_argument_x86_64(struct call *c, const struct call_value *v, struct call_place *ret);
void call_result_x86_64(const struct call_value *v, struct call_place *ret, bool *takes_argument);
void call_argument_aarch64(struct call *c, const struct call_value *v, struct call_place *ret);
void call_result_aarch64(const struct call_value *v, struct call_place *ret, bool *takes_argument);
void call_argument_i386(struct call *c, const struct call_value *v, struct call_place *ret);
void call_result_i386(const struct call_value *v, struct call_place *ret, bool *takes_argument);

/*
 * Go's rule: each scalar has a register, or all of the value is on the stack, after words that
 * nobody counts here (CALL_UNKNOWN), as a value with an array of several elements always is.
 */
void call_go(const struct arch *a, struct call *c, const struct call_value *v,
	     struct call_place *ret);

/* For the files of machines. */
extern const struct call_value call_pointer;
void call_on_stack(struct call *c, const struct call_value *v, struct call_place *ret);

#endif
