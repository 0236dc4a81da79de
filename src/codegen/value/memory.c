/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads from kernel and user memory, registers of the thread */
#include "codegen/value/variable.h"

void gen_piece_test(struct gen *g)
{
	struct code *c = &g->code;
	emit_load(c, 8, R2, FP, g->firing.fault_address);
	emit_number(c, R4, plan_pieces_of(g->plan, g->state->clause));
	gen_at(g, R1, g->plan->pieces_at);
	emit_call(c, RT_piece_test);
}

/* A fault if R3 bytes at the address R0 are scratch memory in no piece.  R0 is kept. */
static void gen_piece_fault(struct gen *g)
{
	struct code *c = &g->code;
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	gen_piece_test(g);
	emit_jump_if_number(c, BPF_JSLT, R0, 0, fault_label(g, FAULT_BADADDR));
	emit_load(c, 8, R0, FP, g->firing.fault_address);
}

/* Memory at the address E is read that is not the process's. */
static void need_memory_at(const struct gen *g, const struct texpr *e)
{
	struct needs *found = &g->state->found;
	found->kernel_memory = MAX(found->kernel_memory, plan_memory_at(e));
}

void gen_source(struct gen *g, const struct texpr *e, bool user, uint32_t size)
{
	gen_value(g, e);
	if (!user)
		need_memory_at(g, e);
	if (user || !plan_may_be_scratch(g->plan, e))
		return;
	emit_number(&g->code, R3, size);
	gen_piece_fault(g);
}

void gen_source_test(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	need_memory_at(g, e);
	if (!plan_may_be_scratch(g->plan, e))
		return;
	int mark = c->frame_used;
	int size = frame_alloc(c, 8);
	emit_store(c, 8, FP, size, R2);
	emit_mov(c, R0, R3);
	emit_mov(c, R3, R2);
	gen_piece_fault(g);
	emit_mov(c, R3, R0);
	emit_load(c, 8, R2, FP, size);
	frame_release(c, mark);
}

void gen_read(struct gen *g, bool user)
{
	struct code *c = &g->code;
	if (user) {
		gen_gone_fault(g);
		emit_call(c, plan_may_sleep(g->plan, g->event) ? RT_read_user_sleepable
							       : RT_read_user);
	} else {
		emit_call(c, RT_read_kernel);
	}
	emit_jump_if_number(c, BPF_JSLT, R0, 0,
			    user ? user_fault_label(g) : fault_label(g, FAULT_BADADDR));
}

void gen_zeros(struct gen *g, uint32_t size)
{
	emit_address(&g->code, R3, RELOCATE_CONSTANTS, 0, 0);
	emit_number(&g->code, R2, size);
	emit_call(&g->code, RT_copy);
}

void gen_copy_from_r0(struct gen *g, bool user, struct place to, uint32_t size)
{
	emit_mov(&g->code, R3, R0);
	emit_store(&g->code, 8, FP, g->firing.fault_address, R3);
	gen_place_address(g, R1, to);
	emit_number(&g->code, R2, size);
	gen_read(g, user);
}

void gen_copy(struct gen *g, const struct texpr *address, bool user, struct place to, uint32_t size)
{
	gen_source(g, address, user, size);
	gen_copy_from_r0(g, user, to, size);
}

void gen_word(struct gen *g, uint32_t size, bool user)
{
	struct code *c = &g->code;
	int mark = c->frame_used;
	struct place to = { FP, frame_alloc(c, 8) };
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	emit_store_number(c, 8, FP, to.offset, 0);
	gen_place_address(g, R1, to);
	emit_number(c, R2, size);
	gen_read(g, user);
	emit_load(c, 8, R0, FP, to.offset);
	frame_release(c, mark);
}

/* R0 = SIZE bytes of the kernel at R3; 0 if it cannot be read, as the helper leaves it. */
static void gen_quiet_word(struct gen *g, uint32_t size)
{
	struct code *c = &g->code;
	int mark = c->frame_used;
	struct place to = { FP, frame_alloc(c, 8) };
	emit_store_number(c, 8, FP, to.offset, 0);
	gen_place_address(g, R1, to);
	emit_number(c, R2, size);
	emit_call(c, RT_read_kernel);
	emit_load(c, 8, R0, FP, to.offset);
	frame_release(c, mark);
}

static void gen_ureg(struct gen *g, const struct texpr *e)
{
	const struct arch *a = g->plan->options->arch;
	int offset = arch_ureg_offset(a, e->argument.index);
	if (e->argument.is_result)
		gen_result_test(g);
	if (offset < 0) {
		emit_number(&g->code, R1, e->argument.index - a->uregs_count);
		emit_call(&g->code, RT_thread_register);
		return;
	}
	if (event_is_function(g->event)) {
		emit_load(&g->code, 8, R0, R6, offset);
		return;
	}
	if (is_resumed(g)) {
		emit_store_number(&g->code, 8, FP, g->firing.fault_address, 0);
		gen_gone_fault(g);
	}
	gen_registers(g);
	emit_load(&g->code, 8, R0, R0, offset);
}

void gen_load(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	if (e->kind == TEXPR_UREG) {
		gen_ureg(g, e);
		return;
	}
	struct bits bits = field_bits(e);
	uint32_t size = bits.size ? (bits.offset + bits.size + 7u) / 8 : type_size(e->type);
	if (size > 8) {
		unsupported(g, e->range, "a value of more than 8 bytes here");
		return;
	}
	gen_source(g, e->load.address, e->load.user || e->load.is_quiet, size);
	emit_mov(c, R3, R0);
	if (e->load.is_quiet) {
		need_memory_at(g, e);
		gen_quiet_word(g, size);
	} else {
		gen_word(g, size, e->load.user);
	}
	if (bits.size)
		gen_bits(g, e, bits.offset);
	else if (type_is_signed(e->type))
		emit_extend(c, R0, (int)size, true);
}
