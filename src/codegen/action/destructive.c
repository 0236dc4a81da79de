/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Signals and writing to user memory, at the firing
 *
 * The executor may refuse both (a kernel thread, a page that is not there):
 * that is a fault like any other, so that nothing stays undone unsaid.
 */
#include <signal.h>

#include "codegen/gen.h"

#define SIGNAL_MAX 64

void gen_raise(struct gen *g, const struct texpr *signal)
{
	struct code *c = &g->code;
	label bad = fault_label(g, FAULT_ILLOP);
	if (signal)
		gen_value(g, signal);
	else
		emit_number(c, R0, SIGSTOP);
	emit_mov(c, R1, R0);
	emit_store_number(c, 8, FP, g->firing.fault_address, 0);
	if (signal) {
		emit_alu_number(c, BPF_SUB, R0, 1);
		emit_jump_if_number(c, BPF_JGT, R0, SIGNAL_MAX - 1, bad);
	}
	emit_call(c, RT_raise);
	gen_effect(g);
	emit_jump_if_number(c, BPF_JSLT, R0, 0, bad);
}

/* Write R3 > 0 bytes from R2 to the address R1. */
static void gen_write(struct gen *g)
{
	struct code *c = &g->code;
	emit_store(c, 8, FP, g->firing.fault_address, R1);
	emit_call(c, RT_write_user);
	emit_jump_if_number(c, BPF_JSLT, R0, 0, fault_label(g, FAULT_BADADDR));
}

/* copyout(buf, addr, n): by way of the slot, because the executor writes from our memory. */
void gen_copyout(struct gen *g, const struct texpr *args)
{
	struct code *c = &g->code;
	const struct texpr *to = args->next, *size = to->next;
	uint32_t room =
		is_constant_size(size) ? (uint32_t)size->integer : g->plan->options->scratch_size;
	uint32_t mark = g->slot.used;
	struct place copy = { R7, (int)slot_alloc(g, MAX(room, 8)) };
	label end = label_new(c);

	gen_value(g, args);
	struct temp from = temp_push(g, R0);
	gen_value(g, to);
	struct temp address = temp_push(g, R0);
	gen_value(g, size);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, end);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)room, fault_label(g, FAULT_NOSCRATCH));
	struct temp bytes = temp_push(g, R0);
	emit_mov(c, R2, R0);
	temp_read(g, from, R3);
	if (!type_is_userland(args->type))
		gen_source_test(g, args);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_place_address(g, R1, copy);
	gen_read(g, type_is_userland(args->type));
	temp_pop(g, bytes, R3);
	/* The verifier may have lost the bounds of a number kept in the slot. */
	emit_jump_if_number(c, BPF_JLT, R3, 1, end);
	emit_jump_if_number(c, BPF_JGT, R3, (int32_t)room, end);
	temp_pop(g, address, R1);
	temp_pop(g, from, R2);
	gen_place_address(g, R2, copy);
	gen_write(g);
	label_place(c, end);
	slot_release(g, mark);
}

/* copyoutstr(s, addr, max): the string with its NUL, truncated at max. */
void gen_copyoutstr(struct gen *g, const struct texpr *args)
{
	struct code *c = &g->code;
	const struct texpr *to = args->next, *max = to->next;
	uint32_t mark = g->slot.used;
	int32_t longest = (int32_t)g->plan->options->string_size + 1;
	label not_cut = label_new(c), fits = label_new(c), end = label_new(c);

	uint32_t text = gen_string_temp(g, args);
	gen_value(g, to);
	struct temp address = temp_push(g, R0);
	gen_value(g, max);
	emit_mov(c, R1, R0);
	emit_load(c, 8, R3, R7,
		  (int)text + (int)offsetof(struct rt_string, tag)); /* with the NUL */
	emit_store_number(c, 8, FP, g->firing.fault_address, 0);
	emit_jump_if_number(c, BPF_JEQ, R3, 0, fault_label(g, FAULT_BADADDR));
	emit_jump_if(c, BPF_JLE, R3, R1, not_cut);
	emit_mov(c, R3, R1);
	label_place(c, not_cut);
	emit_jump_if_number(c, BPF_JLE, R3, longest, fits);
	emit_number(c, R3, longest);
	label_place(c, fits);
	emit_jump_if_number(c, BPF_JLT, R3, 1, end);
	gen_place_address(g, R2,
			  (struct place) { R7, (int)text + (int)offsetof(struct rt_string, text) });
	temp_pop(g, address, R1);
	gen_write(g);
	label_place(c, end);
	slot_release(g, mark);
}
