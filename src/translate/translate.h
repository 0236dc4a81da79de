/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * translate - the bytecode of a group to machine code of x86_64, one instruction after the other
 *
 * In:   struct group_code; what its references mean (struct translate_owner); the place where the
 *       code will run (struct translate_place).
 * Out:  the code, in the place's bytes; struct translation: what an owner has to know of it.
 *
 * For an executor that runs clauses in a process.  Clauses call the functions of abi/rt.def; those
 * are compiled C of the owner.  So the translated code is short, and a simple translation is fast
 * enough: each instruction becomes one to ten of the machine, as in the kernel's own translator.
 * None is moved.  Those whose results are never used are left out: in count() they cost as much as
 * the addition, by the registers and the frame that are saved for them.
 *
 * Registers are those of the C calling convention, so a call needs no moves:
 *
 *	R0 rax   R1 rdi   R2 rsi   R3 rdx   R4 rcx   R5 r8
 *	R6 rbx   R7 r13   R8 r14   R9 r15   FP rbp
 *
 * r9, r10 and r11 are temporaries within one instruction.  r12 is the owner's: the code reads it at
 * most, and C functions save it.
 *
 * The code is a C function of one argument, the context.  The ERROR clauses and the bodies of loops
 * are further functions in it.  A body has the arguments that RT_loop or RT_for_each (abi/rt.def)
 * gives it, and the owner's function calls it by its address.  That function uses r12 itself, so it
 * has the owner's as its fifth argument, and must pass it to the body as the fifth.  RT_next_part
 * is a tail call: after the owner's function, which runs the part or saves its number, the code
 * returns.
 *
 * Always true:
 *   1. The code is right for its place alone.  It may be copied there later; nothing outside of
 *      the place's bytes is written.
 *   2. A group is translated whole or refused.  What the compiler does not emit is refused: unknown
 *      instructions, fields in use that must be 0, jumps out of a function.
 *   3. A function takes only the stack that it uses, and restores the registers that a C function
 *      has to.
 *   4. An atomic add that fetches nothing has no lock, because it is to memory of one area
 *      (abi/state.h), unless the owner's areas are shared.  All other atomic instructions have one.
 *   5. The size of the code is at most TRANSLATE_MOST for each instruction.
 *
 * Who runs a program has verified it (program_verify()).  The translator checks what its own
 * result depends on, not where pointers go.
 *
 *   translate.c    the walk: functions, passes, errors
 *   live.c         which instructions are left out
 *   instruction.c  an instruction of BPF to those of the machine
 *   pointers.c     which pointers go to the frame and to the context
 *   x86_64.c       encodings
 *
 * To add an instruction: a case in instruction.c, its encoding in x86_64.c, and a row in
 * tests/unit/translate/instruction_test.c, which compares it with interpreter/machine.c.
 * To add a machine: a file of encodings, and another instruction.c; the walk and pointers.c hold
 * for all.  A private add of aarch64 is `stadd`: without LSE it is not one instruction, and a
 * signal handler may come between.
 */
#ifndef TRANSLATE_TRANSLATE_H
#define TRANSLATE_TRANSLATE_H

#include "abi/abi.h"
#include "base/base.h"

#define TRANSLATE_MOST 96 /* bytes of an instruction, with the beginning of its function */
#define TRANSLATE_INSTRUCTIONS_MOST 1000000 /* as the kernel has it */

/* How the code gets the result of a run-time function. */
enum translate_row {
	TRANSLATE_CALL,	  /* by a call of `value`; arguments and result are uint64_t */
	TRANSLATE_NUMBER, /* it is `value` */
	TRANSLATE_OWNER,  /* it is r12 */
	TRANSLATE_WORD,	  /* it is the uint64_t at r12 + value, which is an int32_t */
};

struct translate_binding {
	enum translate_row row;
	uint64_t value;
};

struct translate_owner {
	void *arg; /* of the functions */
	/* The result of a 16-byte load, as in struct machine; false: the owner has none. */
	bool (*refer)(void *arg, const struct relocation *r, uint64_t *ret);
	/* Asked several times, with the same answer; false: the owner does not have the function.
	 */
	bool (*bind)(void *arg, enum rt_function function, struct translate_binding *ret);
	bool is_shared;	     /* an area may belong to several threads: private adds have a lock */
	uint32_t call_stack; /* bytes of the stack that its functions take at most */
	int32_t context_at;  /* the context is also at r12 + this; 0: it may be elsewhere */
};

struct translate_place {
	void *bytes; /* the code is written here; it may be smaller than needed: an error */
	size_t size;
	uint64_t address; /* and runs here; the first byte is the function's */
};

#define TRANSLATE_ALL_WORDS UINT64_MAX

struct translation {
	uint32_t size;	   /* bytes of code */
	uint32_t *offsets; /* of each instruction, and `size` */
	/* Bytes that the group takes at most, with its return address and all that it calls. */
	uint32_t stack;
	/* Bit i: the code may read the word i of the context; all: any. */
	uint64_t context_words;
	bool takes_context;   /* by its argument; else it reads those words at r12 + context_at */
	uint32_t owner_words; /* bit i: it may read the word i at r12 (TRANSLATE_WORD) */
	uint32_t registers;   /* bit i: the code may change the register that x86_64 numbers i */
};

/* On success the translation is the caller's. */
MUST_CHECK struct error *translate(const struct group_code *group,
				   const struct translate_owner *owner,
				   const struct translate_place *place, struct translation *ret);
void translation_deinit(struct translation *t);
#define auto_translation __attribute__((cleanup(translation_deinit)))

/* Bytes that are enough for GROUP. */
static inline size_t translate_room(const struct group_code *group)
{
	return (size_t)group->count * TRANSLATE_MOST;
}

#endif
