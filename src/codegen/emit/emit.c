/* SPDX-License-Identifier: BSD-2-Clause */
#include "codegen/emit/emit.h"

#include <assert.h>

#define ALL_FACTS (~0u) /* where no way leads */

void code_deinit(struct code *c)
{
	vector_free(&c->insns);
	vector_free(&c->relocations);
	vector_free(&c->fixups);
	vector_free(&c->labels);
	vector_free(&c->lines);
	vector_free(&c->functions);
}

label label_new(struct code *c)
{
	vector_push(&c->labels, (struct label_place) { -1, ALL_FACTS });
	return (label)c->labels.count - 1;
}

void label_place(struct code *c, label l)
{
	struct label_place *place = &c->labels.items[l];
	assert(place->at < 0);
	place->at = (int32_t)c->insns.count;
	place->holds &= c->holds;
	/* If only jumps back lead here, their facts are known later. */
	if (place->holds == ALL_FACTS)
		place->holds = 0;
	c->holds = place->holds;
}

bool code_finish(struct code *c)
{
	for (size_t i = 0; i < c->fixups.count; i++) {
		struct fixup f = c->fixups.items[i];
		int32_t target = c->labels.items[f.target].at;
		assert(target >= 0);
		int32_t distance = target - (int32_t)f.instruction - 1;
		if (distance != (int16_t)distance)
			return false;
		c->insns.items[f.instruction].off = (int16_t)distance;
	}
	for (size_t i = 0; i < c->relocations.count; i++) {
		struct relocation *r = &c->relocations.items[i];
		if (r->kind == RELOCATE_FUNCTION) /* until now a label */
			r->addend = (uint32_t)c->labels.items[r->addend].at;
	}
	return true;
}

int frame_alloc(struct code *c, int size)
{
	c->frame_used += ALIGN_UP(size, 8);
	c->frame_max = MAX(c->frame_max, c->frame_used);
	return -c->frame_used;
}

void frame_release(struct code *c, int mark)
{
	c->frame_used = mark;
}

static struct bpf_insn instruction(int opcode, enum reg dst, enum reg src, int off, int32_t imm)
{
	return (struct bpf_insn) {
		.code = (uint8_t)opcode,
		.dst_reg = (uint8_t)(dst & 15),
		.src_reg = (uint8_t)(src & 15),
		.off = (int16_t)off,
		.imm = imm,
	};
}

static enum reg frame_register(const struct code *c, enum reg r)
{
	return r == FP && c->frame_in_r9 ? R9 : r;
}

static void emit(struct code *c, int opcode, enum reg dst, enum reg src, int off, int32_t imm)
{
	vector_push(&c->insns,
		    instruction(opcode, frame_register(c, dst), frame_register(c, src), off, imm));
}

static int size_code(int bytes)
{
	switch (bytes) {
	case 1:
		return BPF_B;
	case 2:
		return BPF_H;
	case 4:
		return BPF_W;
	default:
		assert(bytes == 8);
		return BPF_DW;
	}
}

void emit_mov(struct code *c, enum reg dst, enum reg src)
{
	if (dst != src)
		emit(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void emit_wide(struct code *c, enum reg dst, int64_t value)
{
	emit(c, BPF_LD | BPF_DW | BPF_IMM, dst, R0, 0, (int32_t)value);
	emit(c, 0, R0, R0, 0, (int32_t)(value >> 32));
}

void emit_number(struct code *c, enum reg dst, int64_t value)
{
	if (fits_32(value))
		emit(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, R0, 0, (int32_t)value);
	else
		emit_wide(c, dst, value);
}

void emit_alu(struct code *c, int op, enum reg dst, enum reg src)
{
	emit(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void emit_alu_number(struct code *c, int op, enum reg dst, int32_t value)
{
	emit(c, BPF_ALU64 | op | BPF_K, dst, R0, 0, value);
}

/*
 * Slots with long strings reach farther than an instruction's 16 bits: BASE and
 * OFFSET become REG and 0.
 */
static enum reg near(struct code *c, enum reg base, int *offset, enum reg r)
{
	if (*offset == (int16_t)*offset)
		return base;
	emit_mov(c, r, base);
	emit_alu_number(c, BPF_ADD, r, *offset);
	*offset = 0;
	return r;
}

void emit_load(struct code *c, int bytes, enum reg dst, enum reg base, int offset)
{
	base = near(c, base, &offset, dst);
	emit(c, BPF_LDX | BPF_MEM | size_code(bytes), dst, base, offset, 0);
}

void emit_store(struct code *c, int bytes, enum reg base, int offset, enum reg src)
{
	base = near(c, base, &offset, R5);
	emit(c, BPF_STX | BPF_MEM | size_code(bytes), base, src, offset, 0);
}

void emit_store_number(struct code *c, int bytes, enum reg base, int offset, int32_t value)
{
	base = near(c, base, &offset, R5);
	emit(c, BPF_ST | BPF_MEM | size_code(bytes), base, R0, offset, value);
}

void emit_atomic_add(struct code *c, int bytes, enum reg base, int offset, enum reg src)
{
	emit(c, BPF_STX | BPF_ATOMIC | size_code(bytes), base, src, offset, BPF_ADD);
}

void emit_fetch(struct code *c, int op, int bytes, enum reg base, int offset, enum reg src)
{
	emit(c, BPF_STX | BPF_ATOMIC | size_code(bytes), base, src, offset, op | BPF_FETCH);
}

static void emit_fixup(struct code *c, label to)
{
	struct label_place *place = &c->labels.items[to];
	vector_push(&c->fixups, (struct fixup) { (uint32_t)c->insns.count, to });
	assert(place->at < 0 || !(place->holds & ~c->holds));
	place->holds &= c->holds;
}

void emit_jump(struct code *c, label to)
{
	emit_fixup(c, to);
	emit(c, BPF_JMP | BPF_JA, R0, R0, 0, 0);
	c->holds = ALL_FACTS;
}

/* Functions that are moved out later may be anywhere. */
static bool is_far_back(const struct code *c, label to)
{
	int32_t at = c->labels.items[to].at;
	return c->back_reach && at >= 0 && (c->frame_in_r9 || at > (int32_t)c->back_reach);
}

/* INSN jumps to TO if it holds. */
static void emit_branch(struct code *c, struct bpf_insn insn, label to)
{
	if (!is_far_back(c, to)) {
		emit_fixup(c, to);
		vector_push(&c->insns, insn);
		return;
	}
	label holds = label_new(c), over = label_new(c);
	emit_branch(c, insn, holds);
	emit_jump(c, over);
	label_place(c, holds);
	emit_jump(c, to);
	label_place(c, over);
}

void emit_jump_if(struct code *c, int op, enum reg a, enum reg b, label to)
{
	emit_branch(c, instruction(BPF_JMP | op | BPF_X, a, b, 0, 0), to);
}

void emit_jump_if_number(struct code *c, int op, enum reg a, int32_t b, label to)
{
	emit_branch(c, instruction(BPF_JMP | op | BPF_K, a, R0, 0, b), to);
}

void emit_jump_if_bits(struct code *c, enum reg a, uint32_t bits, label to)
{
	emit_branch(c, instruction(BPF_JMP32 | BPF_JSET | BPF_K, a, R0, 0, (int32_t)bits), to);
}

static void emit_relocation(struct code *c, enum relocation_kind kind, uint32_t index,
			    uint32_t addend)
{
	vector_push(&c->relocations,
		    (struct relocation) { (uint32_t)c->insns.count, kind, index, addend });
}

void emit_call(struct code *c, enum rt_function function)
{
	emit_relocation(c, RELOCATE_CALL, function, 0);
	emit(c, BPF_JMP | BPF_CALL, R0, R0, 0, 0);
}

void emit_address(struct code *c, enum reg dst, enum relocation_kind kind, uint32_t index,
		  uint32_t addend)
{
	emit_relocation(c, kind, index, addend);
	if (kind == RELOCATE_ERROR)
		emit(c, BPF_JMP | BPF_CALL, R0, R0, 0, 0);
	else
		emit_wide(c, dst, 0);
}

void emit_function(struct code *c, enum reg dst, label to)
{
	emit_address(c, dst, RELOCATE_FUNCTION, 0, (uint32_t)to);
}

void emit_exit(struct code *c)
{
	emit(c, BPF_JMP | BPF_EXIT, R0, R0, 0, 0);
	c->holds = ALL_FACTS;
}

void emit_extend(struct code *c, enum reg r, int bytes, bool is_signed)
{
	int bits = 64 - bytes * 8;
	if (bits <= 0)
		return;
	if (bytes == 4 && !is_signed) {
		emit(c, BPF_ALU | BPF_MOV | BPF_X, r, r, 0, 0);
		return;
	}
	emit_alu_number(c, BPF_LSH, r, bits);
	emit_alu_number(c, is_signed ? BPF_ARSH : BPF_RSH, r, bits);
}

void emit_swap(struct code *c, enum reg r, int bits)
{
	emit(c, BPF_ALU | BPF_END | BPF_TO_BE, r, R0, 0, bits);
}
