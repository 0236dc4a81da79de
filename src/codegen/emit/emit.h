/* SPDX-License-Identifier: BSD-2-Clause */
/* emit - instructions into a buffer: labels, relocations, frame slots */
#ifndef CODEGEN_EMIT_EMIT_H
#define CODEGEN_EMIT_EMIT_H

#include "abi/abi.h"
#include "base/base.h"

enum reg { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

#define PROLOGUE_MARK "prologue" /* heading of the code at the begin of each firing */

typedef int label; /* index; made by label_new(), placed once */

struct fixup {
	uint32_t instruction;
	label target;
};

struct label_place {
	int32_t at; /* the instruction's index; -1: not placed */
	/* The facts that hold at each jump to it so far; of a label that is placed: at it. */
	unsigned holds;
};

/* Code that becomes a function of its own (move_out.c): its instructions and labels. */
struct inner_function {
	size_t begin, end;
	label first_label, end_label;
};

struct code {
	VECTOR(struct bpf_insn) insns;
	VECTOR(struct relocation) relocations;
	VECTOR(struct fixup) fixups;
	VECTOR(struct label_place) labels;
	VECTOR(struct line_mark) lines;
	/*
	 * Facts, bits of the caller's, that hold here on each way that leads here: the caller sets
	 * them, jumps carry them to their labels, where ways meet those of all hold.
	 */
	unsigned holds;
	VECTOR(struct inner_function) functions; /* not moved yet: from FUNCTIONS_FROM on */
	size_t functions_from;
	bool frame_in_r9; /* FP is that of a caller, in R9 */
	int frame_used;	  /* bytes below FP */
	int frame_max;
	bool in_r8, in_r9; /* taken by temporaries */
	/*
	 * Conditional jumps back to a target after this instruction use an
	 * unconditional jump (struct arch); 0: none does.
	 */
	uint32_t back_reach;
};

void code_deinit(struct code *c);

label label_new(struct code *c);
void label_place(struct code *c, label l);
/*
 * Remove dead code: neither reachable from the first instruction nor from SECOND_ENTRY
 * (0: none), the ERROR clauses; the result is its new place, 0 if nothing calls it.
 * Before code_finish().
 */
uint32_t code_drop_dead(struct code *c, uint32_t second_entry);
/* Move the functions out of the code since the last call; before code_drop_dead(). */
void code_move_functions(struct code *c);
/* Fill in all jumps.  False: one is too far for its 16 bits. */
bool code_finish(struct code *c);

/* SIZE bytes of the frame, aligned to 8; the offset from FP (negative). */
int frame_alloc(struct code *c, int size);
/* Release the frame down to MARK, an earlier frame_used. */
void frame_release(struct code *c, int mark);

void emit_mov(struct code *c, enum reg dst, enum reg src);
void emit_number(struct code *c, enum reg dst, int64_t value);
void emit_alu(struct code *c, int op, enum reg dst, enum reg src); /* BPF_ADD ... 64 bits */
void emit_alu_number(struct code *c, int op, enum reg dst, int32_t value);
void emit_load(struct code *c, int bytes, enum reg dst, enum reg base, int offset);
/* R5 is lost when OFFSET does not fit 16 bits. */
void emit_store(struct code *c, int bytes, enum reg base, int offset, enum reg src);
void emit_store_number(struct code *c, int bytes, enum reg base, int offset, int32_t value);
/* To memory of the firing's own area (abi/state.h); to other memory: emit_fetch(). */
void emit_atomic_add(struct code *c, int bytes, enum reg base, int offset, enum reg src);
/* The same with OP (BPF_ADD, BPF_OR ...); SRC gets the value before. */
void emit_fetch(struct code *c, int op, int bytes, enum reg base, int offset, enum reg src);
void emit_jump(struct code *c, label to);
void emit_jump_if(struct code *c, int op, enum reg a, enum reg b, label to); /* BPF_JEQ ... */
void emit_jump_if_number(struct code *c, int op, enum reg a, int32_t b, label to);
void emit_jump_if_bits(struct code *c, enum reg a, uint32_t bits, label to); /* of the low 32 */
void emit_call(struct code *c, enum rt_function function);
void emit_address(struct code *c, enum reg dst, enum relocation_kind kind, uint32_t index,
		  uint32_t addend);
void emit_exit(struct code *c);
/* DST = the address of the function that begins at TO. */
void emit_function(struct code *c, enum reg dst, label to);

/* Extend the low BYTES of REG to 64 bits. */
void emit_extend(struct code *c, enum reg r, int bytes, bool is_signed);
/* Byte order of the low BITS (16, 32, 64) to big-endian. */
void emit_swap(struct code *c, enum reg r, int bits);

static inline bool fits_32(int64_t v)
{
	return v == (int32_t)v;
}

#endif
