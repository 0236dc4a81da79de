/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instruction of BPF to those of x86_64
 *
 * Each instruction is translated alone: nothing is in a temporary, and no flag is set, between two
 * of them.
 */
#include "translate/internal.h"

#define FRAME_POINTER BPF_REG_10

static const uint8_t machine_registers[] = { RAX, RDI, RSI, RDX, RCX, R8, RBX, R13, R14, R15, RBP };

static enum machine_register machine(unsigned r)
{
	return machine_registers[r];
}

static struct machine_operand operand(unsigned r)
{
	return operand_in_register(machine(r));
}

static bool takes_number(const struct bpf_insn *n)
{
	return BPF_SRC(n->code) == BPF_K;
}

/* --- arithmetic ------------------------------------------------------------------------------- */

/* By rcx, which may be the shifted register, too. */
static void put_shift_by_register(struct assembler *a, enum digit_operation op, unsigned width,
				  enum machine_register dst, enum machine_register src)
{
	enum machine_register shifted = dst == RCX ? R11 : dst;
	if (src != RCX || dst == RCX)
		put_move(a, 8, R11, RCX);
	if (src != RCX)
		put_move(a, 8, RCX, src);
	put_one(a, op, width, operand_in_register(shifted));
	if (src != RCX || dst == RCX)
		put_move(a, 8, RCX, R11);
}

static void put_shift(struct assembler *a, const struct bpf_insn *n, unsigned width)
{
	static const uint16_t by_number[] = { NUMBER_SHL, NUMBER_SHR, NUMBER_SAR };
	static const uint16_t by_register[] = { CL_SHL, CL_SHR, CL_SAR };
	int op = BPF_OP(n->code);
	unsigned i = op == BPF_LSH ? 0 : op == BPF_RSH ? 1 : 2;
	if (takes_number(n))
		put_number(a, by_number[i], width, operand(n->dst_reg),
			   n->imm & (int)(width * 8 - 1));
	else
		put_shift_by_register(a, by_register[i], width, machine(n->dst_reg),
				      machine(n->src_reg));
}

/* rdx:rax / r11 to R11, with the language's results for 0: 0, and of BPF_MOD the dividend. */
static void put_quotient(struct assembler *a, bool is_modulo, unsigned width, bool may_be_zero)
{
	size_t nonzero = 0, end = 0;
	if (may_be_zero) {
		put_operation(a, STORE_TEST, width, R11, operand_in_register(R11));
		nonzero = put_hop(a, IF_NOT_EQUAL);
		if (is_modulo) /* else r11 is 0 */
			put_move(a, width, R11, RAX);
		end = put_hop(a, ALWAYS);
		land(a, nonzero);
	}
	put_constant(a, RDX, 0);
	put_one(a, ONE_DIV, width, operand_in_register(R11));
	put_move(a, width, R11, is_modulo ? RDX : RAX);
	if (may_be_zero)
		land(a, end);
}

/* The machine divides rdx:rax alone; both are saved. */
static void put_division(struct assembler *a, const struct bpf_insn *n, unsigned width)
{
	if (takes_number(n))
		put_constant(a, R11, (uint64_t)(int64_t)n->imm);
	else
		put_move(a, width, R11, machine(n->src_reg));
	enum machine_register dst = machine(n->dst_reg);
	put_move(a, 8, R9, RAX);
	put_move(a, 8, R10, RDX);
	put_move(a, 8, RAX, dst);
	put_quotient(a, BPF_OP(n->code) == BPF_MOD, width, !takes_number(n) || !n->imm);
	put_move(a, 8, RAX, R9);
	put_move(a, 8, RDX, R10);
	put_move(a, width, dst, R11);
}

static void put_assignment(struct assembler *a, const struct bpf_insn *n, unsigned width)
{
	enum machine_register dst = machine(n->dst_reg);
	if (!takes_number(n))
		put_move(a, width, dst, machine(n->src_reg));
	else
		put_constant(a, dst, width == 8 ? (uint64_t)(int64_t)n->imm : (uint32_t)n->imm);
}

static bool put_byte_order(struct walk *w, const struct bpf_insn *n)
{
	if (n->code != (BPF_ALU | BPF_END | BPF_TO_BE) || n->src_reg ||
	    (n->imm != 16 && n->imm != 32 && n->imm != 64))
		return walk_stop(w, "changes the order of bytes in an unknown way");
	put_swap(&w->code, (unsigned)n->imm, machine(n->dst_reg));
	return true;
}

/* Those of two operands, which the machine has, too: with a register, with a number. */
static const struct {
	uint16_t operation, digit;
} simple[16] = {
	[BPF_ADD >> 4] = { STORE_ADD, NUMBER_ADD }, [BPF_SUB >> 4] = { STORE_SUB, NUMBER_SUB },
	[BPF_AND >> 4] = { STORE_AND, NUMBER_AND }, [BPF_OR >> 4] = { STORE_OR, NUMBER_OR },
	[BPF_XOR >> 4] = { STORE_XOR, NUMBER_XOR },
};

static bool put_simple(struct walk *w, const struct bpf_insn *n, unsigned width)
{
	unsigned i = BPF_OP(n->code) >> 4;
	if (!simple[i].operation)
		return walk_stop(w, "an arithmetic instruction that is unknown");
	if (takes_number(n))
		put_number(&w->code, simple[i].digit, width, operand(n->dst_reg), n->imm);
	else
		put_operation(&w->code, simple[i].operation, width, machine(n->src_reg),
			      operand(n->dst_reg));
	return true;
}

static bool put_arithmetic(struct walk *w, const struct bpf_insn *n)
{
	struct assembler *a = &w->code;
	unsigned width = BPF_CLASS(n->code) == BPF_ALU64 ? 8 : 4;
	if (n->off || n->dst_reg == FRAME_POINTER)
		return walk_stop(w, "an arithmetic instruction that is unknown");
	if (BPF_OP(n->code) == BPF_END)
		return put_byte_order(w, n);
	if (takes_number(n) ? n->src_reg : n->imm)
		return walk_stop(w, "an arithmetic instruction of three operands");
	switch (BPF_OP(n->code)) {
	case BPF_MOV:
		put_assignment(a, n, width);
		return true;
	case BPF_MUL:
		if (takes_number(n))
			put_multiply(a, width, machine(n->dst_reg), n->imm);
		else
			put_operation(a, LOAD_MUL, width, machine(n->dst_reg), operand(n->src_reg));
		return true;
	case BPF_DIV:
	case BPF_MOD:
		put_division(a, n, width);
		return true;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		put_shift(a, n, width);
		return true;
	case BPF_NEG:
		if (!takes_number(n) || n->imm)
			return walk_stop(w, "an arithmetic instruction that is unknown");
		put_one(a, ONE_NEG, width, operand(n->dst_reg));
		return true;
	default:
		return put_simple(w, n, width);
	}
}

/* --- memory ----------------------------------------------------------------------------------- */

static bool put_load(struct walk *w, const struct bpf_insn *n)
{
	static const uint16_t loads[9] = { [1] = LOAD_1, [2] = LOAD_2, [4] = LOAD, [8] = LOAD };
	unsigned width = insn_width(n);
	if (BPF_MODE(n->code) != BPF_MEM || n->imm || n->dst_reg == FRAME_POINTER)
		return walk_stop(w, "a load that is unknown");
	put_operation(&w->code, loads[width], width == 8 ? 8 : 4, machine(n->dst_reg),
		      w->context_loads[w->at] ? operand_in_memory(R12, w->context_loads[w->at])
					      : operand_in_memory(machine(n->src_reg), n->off));
	return true;
}

static bool put_store_number(struct walk *w, const struct bpf_insn *n)
{
	unsigned width = insn_width(n);
	if (BPF_MODE(n->code) != BPF_MEM || n->src_reg)
		return walk_stop(w, "a store that is unknown");
	put_number(&w->code, width == 1 ? NUMBER_STORE_BYTE : NUMBER_STORE, width,
		   operand_in_memory(machine(n->dst_reg), n->off), n->imm);
	return true;
}

/* R becomes what is there, and that OP r11: tried until nobody else changes it meanwhile. */
static void put_fetch(struct assembler *a, enum operation op, unsigned width,
		      enum machine_register r, struct machine_operand at)
{
	put_move(a, 8, R11, r);
	put_move(a, 8, R9, RAX);
	if (at.base == RAX)
		at.base = R9;
	put_operation(a, LOAD, width, RAX, at);
	size_t again = a->used;
	put_move(a, 8, R10, RAX);
	put_operation(a, op, width, R11, operand_in_register(R10));
	put_locked(a, STORE_CMPXCHG, width, R10, at);
	put_jump(a, IF_NOT_EQUAL, (int64_t)again, true);
	if (r == RAX)
		return;
	put_move(a, 8, r, RAX);
	put_move(a, 8, RAX, R9);
}

static bool put_atomic(struct walk *w, const struct bpf_insn *n)
{
	struct assembler *a = &w->code;
	unsigned width = insn_width(n);
	enum machine_register src = machine(n->src_reg);
	struct machine_operand at = operand_in_memory(machine(n->dst_reg), n->off);
	if (width < 4 || n->src_reg == FRAME_POINTER)
		return walk_stop(w, "an atomic instruction that is unknown");
	switch (n->imm) {
	case BPF_ADD:
		if (w->owner->is_shared)
			put_locked(a, STORE_ADD, width, src, at);
		else
			put_operation(a, STORE_ADD, width, src, at);
		return true;
	case BPF_ADD | BPF_FETCH:
		put_locked(a, STORE_XADD, width, src, at);
		return true;
	case BPF_OR | BPF_FETCH:
	case BPF_AND | BPF_FETCH:
	case BPF_XOR | BPF_FETCH:
		put_fetch(a, simple[n->imm >> 4].operation, width, src, at);
		return true;
	default:
		return walk_stop(w, "an atomic instruction that is unknown");
	}
}

static bool put_store(struct walk *w, const struct bpf_insn *n)
{
	unsigned width = insn_width(n);
	if (BPF_MODE(n->code) == BPF_ATOMIC)
		return put_atomic(w, n);
	if (BPF_MODE(n->code) != BPF_MEM || n->imm)
		return walk_stop(w, "a store that is unknown");
	put_operation(&w->code, width == 1 ? STORE_BYTE : STORE, width, machine(n->src_reg),
		      operand_in_memory(machine(n->dst_reg), n->off));
	return true;
}

/* --- jumps ------------------------------------------------------------------------------------ */

/* Distances only become less from pass to pass, so what is near once stays near. */
static void put_branch(struct walk *w, enum condition when, uint32_t target)
{
	int64_t to = w->offsets[target];
	int64_t from = target > w->at ? w->offsets[w->at + 1] : (int64_t)w->code.used + 2;
	put_jump(&w->code, when, to, to - from == (int8_t)(to - from));
}

static void put_comparison(struct assembler *a, const struct bpf_insn *n, unsigned width)
{
	bool is_test = BPF_OP(n->code) == BPF_JSET;
	struct machine_operand dst = operand(n->dst_reg);
	if (!takes_number(n))
		put_operation(a, is_test ? STORE_TEST : STORE_CMP, width, machine(n->src_reg), dst);
	else if (is_test)
		put_number(a, NUMBER_TEST, width, dst, n->imm);
	else if (n->imm)
		put_number(a, NUMBER_CMP, width, dst, n->imm);
	else
		put_operation(a, STORE_TEST, width, dst.base, dst);
}

static bool put_jump_instruction(struct walk *w, const struct bpf_insn *n)
{
	static const uint8_t conditions[16] = {
		[BPF_JEQ >> 4] = IF_EQUAL,	  [BPF_JNE >> 4] = IF_NOT_EQUAL,
		[BPF_JSET >> 4] = IF_NOT_EQUAL,	  [BPF_JGT >> 4] = IF_ABOVE,
		[BPF_JGE >> 4] = IF_NOT_BELOW,	  [BPF_JLT >> 4] = IF_BELOW,
		[BPF_JLE >> 4] = IF_NOT_ABOVE,	  [BPF_JSGT >> 4] = IF_GREATER,
		[BPF_JSGE >> 4] = IF_NOT_LESS,	  [BPF_JSLT >> 4] = IF_LESS,
		[BPF_JSLE >> 4] = IF_NOT_GREATER,
	};
	bool is_always = n->code == (BPF_JMP | BPF_JA);
	unsigned when = is_always ? ALWAYS : conditions[BPF_OP(n->code) >> 4];
	if (!when || (takes_number(n) ? n->src_reg : n->imm) ||
	    (is_always && (n->dst_reg || n->imm)))
		return walk_stop(w, "a jump that is unknown");
	if (!is_always)
		put_comparison(&w->code, n, BPF_CLASS(n->code) == BPF_JMP ? 8 : 4);
	put_branch(w, when, w->at + 1 + (uint32_t)(int32_t)n->off);
	return true;
}

/* --- calls and addresses ---------------------------------------------------------------------- */

static bool put_row(struct walk *w, const struct relocation *r)
{
	struct assembler *a = &w->code;
	struct translate_binding b;
	w->owner->bind(w->owner->arg, r->index, &b);
	switch (b.row) {
	case TRANSLATE_CALL:
		if (r->index == RT_loop || r->index == RT_for_each)
			put_move(a, 8, R8, R12); /* for bodies */
		put_call(a, b.value);
		break;
	case TRANSLATE_NUMBER:
		put_constant(a, RAX, b.value);
		break;
	case TRANSLATE_OWNER:
		put_move(a, 8, RAX, R12);
		break;
	case TRANSLATE_WORD:
		put_operation(a, LOAD, 8, RAX, operand_in_memory(R12, (int32_t)b.value));
		w->owner_words |= 1u << b.value / 8 % 32;
	}
	if (r->index != RT_next_part)
		return true;
	put_epilogue(w); /* a tail call */
	return !w->function->begin || walk_stop(w, "goes to the next part out of a function");
}

static bool put_call_instruction(struct walk *w)
{
	const struct relocation *r = group_relocation(w->group, w->at);
	if (r && r->kind == RELOCATE_CALL)
		return put_row(w, r);
	const struct function *error =
		w->group->error_entry ? walk_function(w, w->group->error_entry) : NULL;
	if (!r || r->kind != RELOCATE_ERROR || !error)
		return walk_stop(w, "calls nothing");
	put_near_call(&w->code, error->entry);
	return true;
}

static bool put_wide_load(struct walk *w, const struct bpf_insn *n)
{
	const struct relocation *r = group_relocation(w->group, w->at);
	enum machine_register dst = machine(n->dst_reg);
	uint64_t value = (uint64_t)(uint32_t)n[1].imm << 32 | (uint32_t)n->imm;
	if (n->src_reg || n->off || n->dst_reg == FRAME_POINTER || n[1].code || n[1].dst_reg ||
	    n[1].src_reg || n[1].off)
		return walk_stop(w, "a 16-byte load that is unknown");
	if (r && r->kind == RELOCATE_FUNCTION)
		put_near_address(&w->code, dst, walk_function(w, r->addend)->entry);
	else if (r && !w->owner->refer(w->owner->arg, r, &value))
		return walk_stop(w, "loads an address that this executor does not have");
	else
		put_constant(&w->code, dst, value);
	return true;
}

bool put_instruction(struct walk *w)
{
	const struct bpf_insn *n = &w->group->code[w->at];
	if (n->dst_reg > FRAME_POINTER || n->src_reg > FRAME_POINTER)
		return walk_stop(w, "a register that is unknown");
	if (insn_is_wide(n))
		return put_wide_load(w, n);
	if (insn_is_call(n))
		return put_call_instruction(w);
	if (insn_is_exit(n)) {
		put_epilogue(w);
		return true;
	}
	switch (BPF_CLASS(n->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return put_arithmetic(w, n);
	case BPF_LDX:
		return put_load(w, n);
	case BPF_ST:
		return put_store_number(w, n);
	case BPF_STX:
		return put_store(w, n);
	case BPF_JMP:
	case BPF_JMP32:
		return put_jump_instruction(w, n);
	default:
		return walk_stop(w, "an instruction that is unknown");
	}
}
