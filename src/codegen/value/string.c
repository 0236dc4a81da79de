/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Strings
 *
 * A string expression is generated into a place of the slot, a struct rt_string with space for
 * strsize bytes, known at compile time.  The run-time library does the work; it gets places as
 * `at` and reports faults in the slot.
 */
#include "codegen/gen.h"

static void gen_null(struct gen *g, uint32_t offset)
{
	need_slot(g);
	emit_store_number(&g->code, 8, R7, (int)offset, 0);
}

/* R0 = the bytes of the text after it, with the NUL. */
static void gen_tag(struct gen *g, uint32_t offset)
{
	emit_store(&g->code, 8, R7, (int)offset, R0);
}

static void gen_literal(struct gen *g, const struct texpr *e, uint32_t offset)
{
	if (!e->string.text) {
		gen_null(g, offset);
		return;
	}
	uint32_t place = constant_string(g, e->string.text, e->string.len);
	gen_at(g, R1, offset);
	emit_address(&g->code, R2, RELOCATE_CONSTANTS, 0, place);
	emit_call(&g->code, RT_string_literal);
}

/* probefunc and similar names: a literal that the probe table's entry refers to. */
static void gen_probe_name(struct gen *g, unsigned field, uint32_t offset)
{
	struct code *c = &g->code;
	label end = label_new(c);
	g->names_used = true;
	gen_null(g, offset);
	gen_entry(g, R1);
	emit_load(c, 4, R3, R1, (int)(offsetof(struct probe_entry, names) + field * 4));
	/* The bound lets the verifier add R3 to the constants' address. */
	emit_address(c, R4, RELOCATE_CONSTANTS_END, 0, 0);
	emit_jump_if(c, BPF_JGT, R3, R4, end);
	emit_address(c, R2, RELOCATE_CONSTANTS, 0, 0);
	emit_alu(c, BPF_ADD, R2, R3);
	gen_at(g, R1, offset);
	emit_call(c, RT_string_literal);
	label_place(c, end);
}

/*
 * A resumed firing has its thread's name in memory that only pointers reach; stored to the slot
 * and read back, one is a number.
 */
static void gen_execname(struct gen *g, uint32_t offset)
{
	struct code *c = &g->code;
	if (!is_resumed(g)) {
		gen_at(g, R1, offset);
		emit_call(c, RT_string_comm);
		return;
	}
	need_slot(g);
	emit_load(c, 8, R2, FP, g->firing.suspended);
	emit_alu_number(c, BPF_ADD, R2, offsetof(struct suspended, name));
	emit_store(c, 8, R7, offsetof(struct slot, unknown), R2);
	emit_load(c, 8, R2, R7, offsetof(struct slot, unknown));
	emit_number(c, R3, TEXT_TO_ITS_END);
	gen_read_text(g, offset + (uint32_t)sizeof(struct rt_string), false);
	gen_tag(g, offset);
}

static void gen_string_builtin(struct gen *g, const struct texpr *e, uint32_t offset)
{
	switch (e->builtin) {
	case BUILTIN_execname:
		gen_execname(g, offset);
		return;
	case BUILTIN_execargs:
		if (is_resumed(g)) {
			emit_store_number(&g->code, 8, FP, g->firing.fault_address, 0);
			gen_gone_fault(g);
		}
		gen_at(g, R1, offset);
		emit_number(&g->code, R2, !g->cuts_arguments);
		emit_call(&g->code,
			  plan_may_sleep(g->plan, g->event) ? RT_execargs_sleepable : RT_execargs);
		gen_slot_check(g);
		return;
	case BUILTIN_cgroupname:
		gen_at(g, R1, offset);
		emit_call(&g->code, RT_cgroupname);
		return;
	case BUILTIN_container:
		gen_at(g, R1, offset);
		emit_call(&g->code, RT_container);
		return;
	case BUILTIN_probeprov:
		gen_probe_name(g, 0, offset);
		return;
	case BUILTIN_probemod:
		gen_probe_name(g, 1, offset);
		return;
	case BUILTIN_probefunc:
		gen_probe_name(g, 2, offset);
		return;
	case BUILTIN_probename:
		gen_probe_name(g, 3, offset);
		return;
	default:
		unsupported(g, e->range, "this variable as a string");
	}
}

static void gen_string_variable(struct gen *g, const struct texpr *e, uint32_t offset)
{
	struct code *c = &g->code;
	label end = label_new(c);
	gen_null(g, offset);
	if (gen_address(g, e))
		emit_jump_if_number(c, BPF_JEQ, R0, 0, end);
	emit_mov(c, R2, R0);
	gen_at(g, R1, offset);
	emit_call(c, plan_is_shared(g->plan, root_variable(e)) ? RT_string_load_shared
							       : RT_string_load);
	label_place(c, end);
}

/* R2 and R3 for gen_read_text(). */
static void gen_string_at(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (e->load.address->type->kind == TYPE_ARRAY)
		gen_address_number(g, e->load.address);
	else
		gen_source(g, e->load.address, e->load.user, 0);
	emit_mov(c, R2, R0);
	/* In an array it ends with that at the latest; `char name[1]` is how older headers write []
	 */
	bool is_array = e->load.room > 1 && e->load.room <= g->plan->options->string_size;
	emit_number(c, R3, is_array ? (int64_t)e->load.room : TEXT_TO_ITS_END);
}

void gen_text(struct gen *g, const struct texpr *e, uint32_t offset)
{
	bool copies = e->kind == TEXPR_CALL;
	if (copies)
		gen_copyinstr(g, e);
	else
		gen_string_at(g, e);
	gen_read_text(g, offset, copies || e->load.user);
}

static void gen_string_conditional(struct gen *g, const struct texpr *e, uint32_t offset)
{
	label otherwise = label_new(&g->code), end = label_new(&g->code);
	gen_condition(g, e->conditional.condition, otherwise);
	gen_string(g, e->conditional.then, offset);
	emit_jump(&g->code, end);
	label_place(&g->code, otherwise);
	gen_string(g, e->conditional.otherwise, offset);
	label_place(&g->code, end);
}

void gen_string(struct gen *g, const struct texpr *e, uint32_t offset)
{
	if (plan_is_text(e)) {
		gen_text(g, e, offset + (uint32_t)sizeof(struct rt_string));
		gen_tag(g, offset);
		return;
	}
	switch (e->kind) {
	case TEXPR_STRING:
		gen_literal(g, e, offset);
		return;
	case TEXPR_BUILTIN:
		gen_string_builtin(g, e, offset);
		return;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
	case TEXPR_FIELD:
		gen_string_variable(g, e, offset);
		return;
	case TEXPR_CONDITIONAL:
		gen_string_conditional(g, e, offset);
		return;
	case TEXPR_CALL:
		gen_string_call(g, e, offset);
		return;
	case TEXPR_ASSIGN:
		gen_assigned_string(g, e, offset);
		return;
	case TEXPR_COMMA:
		gen_discarded(g, e->binary.left);
		gen_string(g, e->binary.right, offset);
		return;
	case TEXPR_INTEGER:
		if (e->integer == 0) {
			gen_null(g, offset);
			return;
		}
		break;
	default:
		break;
	}
	unsupported(g, e->range, "this expression as a string");
}

uint32_t gen_string_temp(struct gen *g, const struct texpr *e)
{
	uint32_t offset = slot_alloc(g, plan_string_room(g->plan));
	gen_string(g, e, offset);
	return offset;
}

/* execname == "text": two words in the frame, no slot.  6.1's helper does not pad with zeros. */
static void gen_compare_execname(struct gen *g, const char *text, uint32_t len, bool equal)
{
	struct code *c = &g->code;
	if (len > 15) {
		emit_number(c, R0, !equal);
		return;
	}
	int64_t words[2] = { 0, 0 };
	memcpy(words, text, len);
	int mark = c->frame_used;
	int comm = frame_alloc(c, 16);
	label differ = label_new(c), end = label_new(c);
	for (int i = 0; i < 2; i++)
		emit_store_number(c, 8, FP, comm + 8 * i, 0);
	emit_mov(c, R1, FP);
	emit_alu_number(c, BPF_ADD, R1, comm);
	emit_number(c, R2, 16);
	gen_comm(g);
	for (int i = 0; i < 2; i++) {
		emit_load(c, 8, R0, FP, comm + 8 * i);
		emit_number(c, R1, words[i]);
		emit_jump_if(c, BPF_JNE, R0, R1, differ);
	}
	emit_number(c, R0, equal);
	emit_jump(c, end);
	label_place(c, differ);
	emit_number(c, R0, !equal);
	label_place(c, end);
	frame_release(c, mark);
}

static bool gen_compare_short(struct gen *g, const struct texpr *e)
{
	const struct texpr *text;
	if (!plan_compares_execname(e, &text))
		return false;
	uint32_t len = (uint32_t)strnlen(text->string.text, text->string.len);
	gen_compare_execname(g, text->string.text, len, e->binary.op == OP_EQ);
	return true;
}

/* -1, 0 or 1 in R0 becomes the comparison's truth. */
static void gen_order(struct gen *g, enum op op)
{
	static const int jumps[] = {
		[OP_LT] = BPF_JSLT, [OP_LE] = BPF_JSLE, [OP_GT] = BPF_JSGT,
		[OP_GE] = BPF_JSGE, [OP_EQ] = BPF_JEQ,	[OP_NE] = BPF_JNE,
	};
	struct code *c = &g->code;
	label end = label_new(c);
	emit_mov(c, R1, R0);
	emit_number(c, R0, 1);
	emit_jump_if_number(c, jumps[op], R1, 0, end);
	emit_number(c, R0, 0);
	label_place(c, end);
}

void gen_compare_strings(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (gen_compare_short(g, e))
		return;
	uint32_t mark = g->slot.used;
	uint32_t left = gen_string_temp(g, e->binary.left);
	uint32_t right = gen_string_temp(g, e->binary.right);
	gen_at(g, R1, left);
	gen_at(g, R2, right);
	emit_call(c, RT_string_compare);
	gen_order(g, e->binary.op);
	slot_release(g, mark);
}
