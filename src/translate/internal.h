/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of translate/; see translate.h */
#ifndef TRANSLATE_INTERNAL_H
#define TRANSLATE_INTERNAL_H

#include "translate/translate.h"

/* --- x86_64.c: encodings --- */

/* By their numbers in instructions. */
enum machine_register {
	RAX,
	RCX,
	RDX,
	RBX,
	RSP,
	RBP,
	RSI,
	RDI,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
};

/* Where the code goes; bytes after its end are counted, not written. */
struct assembler {
	unsigned char *bytes;
	size_t size, used;
	uint64_t address;
	uint32_t changed; /* registers: a bit each */
};

/* A register; in memory: the bytes at base + offset. */
struct machine_operand {
	enum machine_register base;
	bool is_memory;
	int32_t offset;
};

static inline struct machine_operand operand_in_register(enum machine_register r)
{
	return (struct machine_operand) { r, false, 0 };
}

static inline struct machine_operand operand_in_memory(enum machine_register base, int32_t offset)
{
	return (struct machine_operand) { base, true, offset };
}

/*
 * Operations of two operands, as opcodes; 0x0f..: those of two bytes.
 * STORE forms write the operand, LOAD forms the register.
 */
enum operation {
	STORE_ADD = 0x01,
	STORE_OR = 0x09,
	STORE_AND = 0x21,
	STORE_SUB = 0x29,
	STORE_XOR = 0x31,
	STORE_CMP = 0x39, /* the flags only, as TEST */
	STORE_TEST = 0x85,
	STORE_BYTE = 0x88,
	STORE = 0x89,
	STORE_CMPXCHG = 0x0fb1, /* compares with rax */
	STORE_XADD = 0x0fc1,
	LOAD = 0x8b,
	LOAD_ADDRESS = 0x8d,
	LOAD_MUL = 0x0faf,
	LOAD_1 = 0x0fb6,
	LOAD_2 = 0x0fb7,
};

/* The same with a number; the digit that is in the register's field, here with the opcode. */
enum digit_operation {
	NUMBER_ADD = 0x810,
	NUMBER_OR = 0x811,
	NUMBER_AND = 0x814,
	NUMBER_SUB = 0x815,
	NUMBER_XOR = 0x816,
	NUMBER_CMP = 0x817,
	NUMBER_TEST = 0xf70,
	NUMBER_STORE = 0xc70,
	NUMBER_STORE_BYTE = 0xc60,
	NUMBER_ROTATE = 0xc10, /* a number of one byte, as the next three */
	NUMBER_SHL = 0xc14,
	NUMBER_SHR = 0xc15,
	NUMBER_SAR = 0xc17,
	/* without a number: */
	CL_SHL = 0xd34, /* by cl */
	CL_SHR = 0xd35,
	CL_SAR = 0xd37,
	ONE_NEG = 0xf73,
	ONE_DIV = 0xf76, /* rdx:rax by the operand: rax, the rest is in rdx */
	ONE_CALL = 0xff2,
};

/* After a comparison of A with B: the low half of the opcode of a conditional jump. */
enum condition {
	IF_BELOW = 2,
	IF_NOT_BELOW,
	IF_EQUAL,
	IF_NOT_EQUAL,
	IF_NOT_ABOVE,
	IF_ABOVE,
	IF_LESS = 12,
	IF_NOT_LESS,
	IF_NOT_GREATER,
	IF_GREATER,
	ALWAYS,
};

/* C functions may change these. */
#define CHANGED_BY_CALLS                                                                           \
	(1u << RAX | 1u << RCX | 1u << RDX | 1u << RSI | 1u << RDI | 1u << R8 | 1u << R9 |         \
	 1u << R10 | 1u << R11)

void put(struct assembler *a, uint64_t value, unsigned bytes);
/* WIDTH: bytes, 1 to 8. */
void put_operation(struct assembler *a, enum operation op, unsigned width, enum machine_register r,
		   struct machine_operand o);
void put_locked(struct assembler *a, enum operation op, unsigned width, enum machine_register r,
		struct machine_operand o);
void put_number(struct assembler *a, enum digit_operation op, unsigned width,
		struct machine_operand o, int32_t number);
void put_one(struct assembler *a, enum digit_operation op, unsigned width,
	     struct machine_operand o);
void put_multiply(struct assembler *a, unsigned width, enum machine_register r, int32_t number);
void put_move(struct assembler *a, unsigned width, enum machine_register to,
	      enum machine_register from);
/* All 64 bits of it, in as few bytes as the place allows. */
void put_constant(struct assembler *a, enum machine_register r, uint64_t value);
void put_swap(struct assembler *a, unsigned bits, enum machine_register r);
void put_push(struct assembler *a, enum machine_register r);
void put_pop(struct assembler *a, enum machine_register r);
void put_leave(struct assembler *a);
void put_return(struct assembler *a);
void put_call(struct assembler *a, uint64_t address);

/* To the offset TO of the code, in 2 bytes if IS_SHORT. */
void put_jump(struct assembler *a, enum condition when, int64_t to, bool is_short);
void put_near_call(struct assembler *a, int64_t to);
void put_near_address(struct assembler *a, enum machine_register r, int64_t to);
/* A jump over what comes next, as far as land(). */
size_t put_hop(struct assembler *a, enum condition when);
void land(struct assembler *a, size_t hop);

/* --- pointers.c --- */

#define FRAME_MOST 512

struct function {
	uint32_t begin, end; /* instructions */
	uint32_t entry;	     /* offset of the code */
	bool is_body;	     /* of a loop: its address is loaded */
	bool calls;
	uint16_t names; /* registers of BPF: a bit each */
	/* Bytes below FP, below the pointer to a caller's frame that is an argument. */
	int frame, below_argument;
	/* The lowest places of the frame and of the caller's that other functions get. */
	bool passes_frame, passes_argument;
	int passed_frame, passed_argument;
	uint32_t stack; /* bytes, with the functions that it calls */
};

struct walk {
	const struct group_code *group;
	const struct translate_owner *owner;
	struct assembler code;
	VECTOR(struct function) functions;
	const struct function *function; /* that AT is in */
	uint32_t *offsets;		 /* of this pass up to AT, then of the last one */
	const bool *begins;		 /* by instruction: not the second half of one */
	bool *is_dead;			 /* by instruction: it is left out */
	/* By instruction: a load of the context that is made from r12 + this; 0: it is none. */
	int32_t *context_loads;
	uint32_t at;
	uint64_t context_words;
	bool has_pointers; /* find_pointers() was called */
	bool takes_context;
	uint32_t owner_words;
	const char *problem; /* NULL: none so far */
	const char *missing; /* the problem: the owner lacks this function */
};

/* The frames of all functions, the words of the context that are read; a second time, without the
 * instructions that are left out. */
void find_pointers(struct walk *w);

/* --- live.c --- */

/* Sets is_dead and takes_context. */
void find_dead(struct walk *w);

/* --- translate.c --- */

const struct function *walk_function(const struct walk *w, uint32_t begin);
void put_prologue(struct walk *w);
void put_epilogue(struct walk *w);
/* Stop with this problem, if it is the first; false. */
bool walk_stop(struct walk *w, const char *problem);

/* --- instruction.c --- */

bool put_instruction(struct walk *w);

#endif
