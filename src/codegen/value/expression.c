/* SPDX-License-Identifier: BSD-2-Clause */
/* Integer expressions and conditions */
#include "codegen/gen.h"

/* Can E be had in any register without touching the others (R0-R5)? */
static bool is_leaf(const struct texpr *e)
{
	return e->kind == TEXPR_INTEGER;
}

int alu_code(enum op op)
{
	switch (op) {
	case OP_ADD:
		return BPF_ADD;
	case OP_SUB:
		return BPF_SUB;
	case OP_MUL:
		return BPF_MUL;
	case OP_DIV:
		return BPF_DIV;
	case OP_MOD:
		return BPF_MOD;
	case OP_SHL:
		return BPF_LSH;
	case OP_SHR:
		return BPF_RSH;
	case OP_AND:
		return BPF_AND;
	case OP_OR:
		return BPF_OR;
	case OP_XOR:
		return BPF_XOR;
	default:
		return -1;
	}
}

static int jump_code(enum op op, bool is_signed)
{
	switch (op) {
	case OP_EQ:
		return BPF_JEQ;
	case OP_NE:
		return BPF_JNE;
	case OP_LT:
		return is_signed ? BPF_JSLT : BPF_JLT;
	case OP_LE:
		return is_signed ? BPF_JSLE : BPF_JLE;
	case OP_GT:
		return is_signed ? BPF_JSGT : BPF_JGT;
	case OP_GE:
		return is_signed ? BPF_JSGE : BPF_JGE;
	default:
		return -1;
	}
}

static enum op opposite(enum op op)
{
	static const enum op opposites[] = {
		[OP_EQ] = OP_NE, [OP_NE] = OP_EQ, [OP_LT] = OP_GE,
		[OP_GE] = OP_LT, [OP_GT] = OP_LE, [OP_LE] = OP_GT,
	};
	return opposites[op];
}

/* left into R0, right into R1 */
static void gen_operands(struct gen *g, const struct texpr *left, const struct texpr *right)
{
	struct code *c = &g->code;
	gen_value(g, left);
	if (is_leaf(right)) {
		emit_number(c, R1, right->integer);
		return;
	}
	struct temp t = temp_push(g, R0);
	gen_value(g, right);
	emit_mov(c, R1, R0);
	temp_pop(g, t, R0);
}

/* A test that is never true would cost the kernel most: it removes what it jumps to, clause by
 * clause. */
static void gen_zero_check(struct gen *g)
{
	struct code *c = &g->code;
	emit_store_number(c, 8, FP, g->firing.fault_address, 0);
	emit_jump_if_number(c, BPF_JEQ, R1, 0, fault_label(g, FAULT_DIVZERO));
}

static void gen_divide(struct gen *g, enum op op, bool is_signed, bool may_fault)
{
	struct code *c = &g->code;
	if (may_fault)
		gen_zero_check(g);
	if (!is_signed) {
		emit_alu(c, alu_code(op), R0, R1);
		return;
	}
	emit_mov(c, R2, R1);
	emit_mov(c, R1, R0);
	emit_call(c, op == OP_DIV ? RT_divide_signed : RT_modulo_signed);
}

void gen_arithmetic(struct gen *g, enum op op, bool is_signed, bool may_fault)
{
	if (op == OP_DIV || op == OP_MOD)
		gen_divide(g, op, is_signed, may_fault);
	else if (op == OP_SHR && is_signed)
		emit_alu(&g->code, BPF_ARSH, R0, R1);
	else
		emit_alu(&g->code, alu_code(op), R0, R1);
}

/* R0 op a constant, where one instruction does it */
static bool gen_arithmetic_number(struct gen *g, enum op op, bool is_signed, int64_t n)
{
	if (!plan_one_instruction(op, is_signed, n))
		return false;
	emit_alu_number(&g->code, op == OP_SHR && is_signed ? BPF_ARSH : alu_code(op), R0,
			(int32_t)n);
	return true;
}

static void gen_truth(struct gen *g, label is_false)
{
	struct code *c = &g->code;
	label end = label_new(c);
	emit_number(c, R0, 1);
	emit_jump(c, end);
	label_place(c, is_false);
	emit_number(c, R0, 0);
	label_place(c, end);
}

static void gen_binary(struct gen *g, const struct texpr *e)
{
	enum op op = e->binary.op;
	if (jump_code(op, true) >= 0) {
		label is_false = label_new(&g->code);
		gen_condition(g, e, is_false);
		gen_truth(g, is_false);
		return;
	}
	if (is_leaf(e->binary.right)) {
		gen_value(g, e->binary.left);
		int64_t n = e->binary.right->integer;
		if (gen_arithmetic_number(g, op, e->binary.is_signed, n))
			return;
		emit_number(&g->code, R1, n);
	} else {
		gen_operands(g, e->binary.left, e->binary.right);
	}
	gen_arithmetic(g, op, e->binary.is_signed, plan_may_divide_by_zero(op, e->binary.right));
}

static void gen_conditional(struct gen *g, const struct texpr *e)
{
	label otherwise = label_new(&g->code), end = label_new(&g->code);
	gen_condition(g, e->conditional.condition, otherwise);
	gen_value(g, e->conditional.then);
	emit_jump(&g->code, end);
	label_place(&g->code, otherwise);
	gen_value(g, e->conditional.otherwise);
	label_place(&g->code, end);
}

static void gen_xor(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	label left_false = label_new(c), right_false = label_new(c);
	gen_condition(g, e->binary.left, left_false);
	gen_truth(g, left_false);
	struct temp t = temp_push(g, R0);
	gen_condition(g, e->binary.right, right_false);
	gen_truth(g, right_false);
	temp_pop(g, t, R1);
	emit_alu(c, BPF_XOR, R0, R1);
}

/* A string as a number: the address of its text, 0 for NULL. */
static void gen_string_number(struct gen *g, const struct texpr *e)
{
	gen_text_number(g, gen_string_temp(g, e)); /* until the statement's end: it is used */
}

void gen_text_number(struct gen *g, uint32_t at)
{
	struct code *c = &g->code;
	label end = label_new(c);
	emit_load(c, 8, R0, R7, (int)at);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, end);
	emit_load(c, 8, R0, R7, offsetof(struct slot, address));
	emit_alu_number(c, BPF_ADD, R0, (int32_t)(at + offsetof(struct rt_string, text)));
	label_place(c, end);
}

void gen_value(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (e->type->kind == TYPE_STRING && e->kind != TEXPR_ASSIGN && e->kind != TEXPR_COMMA) {
		gen_string_number(g, e);
		return;
	}
	if (e->kind == TEXPR_NOT || (e->kind == TEXPR_LOGICAL && e->binary.op != OP_LXOR)) {
		label is_false = label_new(c);
		gen_condition(g, e, is_false);
		gen_truth(g, is_false);
		return;
	}
	switch (e->kind) {
	case TEXPR_INTEGER:
		emit_number(c, R0, e->integer);
		return;
	case TEXPR_BUILTIN:
		gen_builtin(g, e);
		return;
	case TEXPR_ARGUMENT:
		gen_argument(g, e->argument.index);
		return;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
	case TEXPR_FIELD:
		gen_variable_value(g, e);
		return;
	case TEXPR_LOAD:
	case TEXPR_UREG:
		gen_load(g, e);
		return;
	case TEXPR_NEGATE:
		gen_value(g, e->operand);
		emit_number(c, R1, 0);
		emit_alu(c, BPF_SUB, R1, R0);
		emit_mov(c, R0, R1);
		return;
	case TEXPR_COMPLEMENT:
		gen_value(g, e->operand);
		emit_alu_number(c, BPF_XOR, R0, -1);
		return;
	case TEXPR_BINARY:
		gen_binary(g, e);
		return;
	case TEXPR_LOGICAL:
		gen_xor(g, e);
		return;
	case TEXPR_COMPARE_STRINGS:
		gen_compare_strings(g, e);
		return;
	case TEXPR_CONDITIONAL:
		gen_conditional(g, e);
		return;
	case TEXPR_COMMA:
		gen_discarded(g, e->binary.left);
		gen_value(g, e->binary.right);
		return;
	case TEXPR_CONVERT:
		if (e->operand->type->kind == TYPE_STRING)
			gen_string_number(g, e->operand);
		else
			gen_value(g, e->operand);
		emit_extend(c, R0, (int)type_size(e->type), type_is_signed(e->type));
		return;
	case TEXPR_ADDRESS:
		gen_kept_address(g, e->operand);
		return;
	case TEXPR_ASSIGN:
		gen_assign(g, e);
		return;
	case TEXPR_UPDATE:
		gen_update(g, e);
		return;
	case TEXPR_CALL:
		gen_call(g, e);
		return;
	case TEXPR_NOT:
	case TEXPR_STRING:
	case TEXPR_STRING_AT:
	case TEXPR_STACK:
	case TEXPR_SYMBOL:
	case TEXPR_TRANSLATED: /* sema lets none through */
		break;
	}
	unsupported(g, e->range, "this expression as a number");
}

static void gen_comparison(struct gen *g, const struct texpr *e, label false_to)
{
	struct code *c = &g->code;
	int jump = jump_code(opposite(e->binary.op), e->binary.is_signed);
	const struct texpr *right = e->binary.right;
	if (is_leaf(right) && fits_32(right->integer)) {
		gen_value(g, e->binary.left);
		emit_jump_if_number(c, jump, R0, (int32_t)right->integer, false_to);
		return;
	}
	gen_operands(g, e->binary.left, right);
	emit_jump_if(c, jump, R0, R1, false_to);
}

static void gen_logical(struct gen *g, const struct texpr *e, label false_to)
{
	if (e->binary.op == OP_LAND) {
		gen_condition(g, e->binary.left, false_to);
		gen_condition(g, e->binary.right, false_to);
		return;
	}
	label try_right = label_new(&g->code), is_true = label_new(&g->code);
	gen_condition(g, e->binary.left, try_right);
	emit_jump(&g->code, is_true);
	label_place(&g->code, try_right);
	gen_condition(g, e->binary.right, false_to);
	label_place(&g->code, is_true);
}

void gen_condition(struct gen *g, const struct texpr *e, label false_to)
{
	struct code *c = &g->code;
	if (e->kind == TEXPR_BINARY && jump_code(e->binary.op, true) >= 0) {
		gen_comparison(g, e, false_to);
	} else if (e->kind == TEXPR_LOGICAL && e->binary.op != OP_LXOR) {
		gen_logical(g, e, false_to);
	} else if (e->kind == TEXPR_NOT) {
		label operand_false = label_new(c);
		gen_condition(g, e->operand, operand_false);
		emit_jump(c, false_to);
		label_place(c, operand_false);
	} else {
		gen_value(g, e);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, false_to);
	}
}

void gen_discarded(struct gen *g, const struct texpr *e)
{
	bool is_string = e->type->kind == TYPE_STRING;
	bool by_reference = type_is_struct(e->type) || e->type->kind == TYPE_ARRAY;
	if (e->kind == TEXPR_ASSIGN)
		gen_assign(g, e);
	else if (e->kind == TEXPR_STRING_AT) /* read when the string is used */
		gen_discarded(g, e->load.address);
	else if (is_string)
		gen_string_temp(g, e);
	else if (by_reference && e->kind == TEXPR_LOAD)
		gen_value(g, e->load.address);
	else if (!by_reference)
		gen_value(g, e);
}
