/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a suspended firing saves in its block at the entry, and the prologue of the program that
 * restores it at the return (suspend.c)
 */
#include "codegen/gen.h"

/* R1 = the number of suspended firings of all threads; none: on to NONE. */
static void gen_suspended_test(struct gen *g, label none)
{
	emit_address(&g->code, R1, RELOCATE_CONTROL, 0, offsetof(struct control, suspended));
	emit_load(&g->code, 8, R1, R1, 0);
	emit_jump_if_number(&g->code, BPF_JEQ, R1, 0, none);
}

/*
 * The thread fires again while it has a suspended firing: the kernel skipped the program at that
 * return.  The suspended firing is lost; another call's return would be taken for its own.
 */
void gen_overtaken(struct gen *g)
{
	if (!group_may_suspend(g))
		return;
	label none = label_new(&g->code);
	gen_suspended_test(g, none);
	emit_call(&g->code, RT_overtaken);
	label_place(&g->code, none);
}

static int slot_area(const struct gen *g)
{
	return (int)(sizeof(struct suspended) + g->plan->this_frame_size);
}

/* --- at the entry ----------------------------------------------------------------------------- */

static void gen_save_call(struct gen *g, enum rt_function function, size_t offset)
{
	emit_call(&g->code, function);
	emit_store(&g->code, 8, R8, (int)offset, R0);
}

static void gen_save_registers(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	for (unsigned i = 0; i < SUSPENDED_ARGUMENTS; i++) {
		gen_syscall_register(g, i);
		emit_store(c, 8, R8, (int)(offsetof(struct suspended, argument) + 8 * i), R0);
	}
	gen_registers(g);
	emit_load(c, 8, R1, R0, a->pc);
	emit_store(c, 8, R8, offsetof(struct suspended, pc), R1);
	emit_load(c, 8, R1, R0, a->stack_pointer);
	emit_store(c, 8, R8, offsetof(struct suspended, stack_pointer), R1);
}

static void gen_save_this(struct gen *g)
{
	struct code *c = &g->code;
	for (int i = 0; i < (int)g->plan->this_frame_size; i += 8) {
		emit_load(c, 8, R0, FP, g->firing.this_frame + i);
		emit_store(c, 8, R8, (int)sizeof(struct suspended) + i, R0);
	}
	if (!plan_shares_slot(g->plan))
		return;
	emit_load(c, 8, R0, R7, offsetof(struct slot, token));
	emit_store(c, 8, R8, offsetof(struct suspended, token), R0);
	if (g->plan->keeps_alloca_at_entry) {
		emit_load(c, 8, R0, R7, offsetof(struct slot, address));
		emit_store(c, 8, R8, offsetof(struct suspended, slot_address), R0);
		emit_load(c, 4, R0, R7, offsetof(struct slot, alloca_kept));
		emit_store(c, 8, R8, offsetof(struct suspended, alloca_kept), R0);
	}
	gen_place_address(g, R1, (struct place) { R8, slot_area(g) });
	emit_number(c, R2, plan_shared_size(g->plan));
	gen_place_address(g, R3, (struct place) { R7, sizeof(struct slot) });
	emit_call(c, RT_copy);
}

static void gen_save_name(struct gen *g)
{
	struct code *c = &g->code;
	const int name = offsetof(struct suspended, name);
	for (int i = 0; i < 16; i += 8) /* not every kernel writes after the NUL */
		emit_store_number(c, 8, R8, name + i, 0);
	gen_place_address(g, R1, (struct place) { R8, name });
	emit_number(c, R2, 16);
	emit_call(c, RT_comm);
}

/* R8 = the thread's block, from gen_suspend(): the rest of it, and the end of the firing. */
void gen_save_firing(struct gen *g)
{
	if (!g->plan->suspends)
		return;
	mark_part(g, "suspend the firing");
	gen_save_call(g, RT_time, offsetof(struct suspended, time));
	if (g->plan->reads_run_time)
		gen_save_call(g, RT_vtime, offsetof(struct suspended, run_time));
	gen_save_name(g);
	gen_save_registers(g);
	gen_save_this(g);
	gen_release(g);
	emit_number(&g->code, R0, 0);
	emit_exit(&g->code);
}

/* --- at the return ---------------------------------------------------------------------------- */

/* R = the entry's number in the table; then the number of its call. */
static void gen_suspended_entry(struct gen *g, enum reg r)
{
	gen_suspended(g, r, 4, offsetof(struct suspended, resume));
	emit_alu_number(&g->code, BPF_SUB, r, 1);
}

static void gen_suspended_call(struct gen *g, enum reg r)
{
	gen_suspended_entry(g, r);
	if (g->group->passes > 1)
		emit_alu_number(&g->code, BPF_DIV, r, (int32_t)g->group->passes);
}

/* R0 is the value at OFFSET of the block, or the thread returned elsewhere. */
static void gen_same_test(struct gen *g, size_t offset, label elsewhere)
{
	gen_suspended(g, R1, 8, offset);
	emit_jump_if(&g->code, BPF_JNE, R0, R1, elsewhere);
}

/*
 * After rt_sigreturn or execve, and when the kernel skipped this program at an earlier return,
 * the registers are not those of the entry.
 */
static void gen_place_test(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	label elsewhere = label_new(c), same = label_new(c);
	gen_syscall_number(g);
	gen_suspended_call(g, R1);
	emit_alu_number(c, BPF_AND, R1, SYSCALL_NUMBERS - 1);
	emit_jump_if(c, BPF_JNE, R0, R1, elsewhere);
	for (unsigned i = 0; i < SUSPENDED_ARGUMENTS; i++) {
		gen_syscall_register(g, i);
		gen_same_test(g, offsetof(struct suspended, argument) + 8 * i, elsewhere);
	}
	gen_registers(g);
	emit_load(c, 8, R0, R0, a->pc);
	gen_same_test(g, offsetof(struct suspended, pc), elsewhere);
	gen_registers(g);
	emit_load(c, 8, R0, R0, a->stack_pointer);
	gen_same_test(g, offsetof(struct suspended, stack_pointer), elsewhere);
	emit_jump(c, same);
	label_place(c, elsewhere);
	emit_load(c, 8, R1, FP, g->firing.suspended);
	emit_store_number(c, 4, R1, offsetof(struct suspended, gone), 1);
	label_place(c, same);
}

/* If the word at PLACE is an address of alloca memory: adjust it. */
static void gen_moved(struct gen *g, struct place place)
{
	struct code *c = &g->code;
	label other = label_new(c);
	emit_load(c, 8, R0, place.base, place.offset);
	gen_suspended(g, R1, 8, offsetof(struct suspended, slot_address));
	emit_alu(c, BPF_SUB, R0, R1);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)g->plan->alloca_end, other);
	emit_load(c, 8, R1, R7, offsetof(struct slot, address));
	emit_alu(c, BPF_ADD, R0, R1);
	emit_store(c, 8, place.base, place.offset, R0);
	label_place(c, other);
}

static void gen_moved_variable(struct gen *g, const struct variable *v)
{
	const struct variable_place *p = plan_variable(g->plan, v);
	struct place place = { R7, (int)(sizeof(struct slot) + p->offset) };
	if (p->home == HOME_FRAME)
		place = (struct place) { FP, g->firing.this_frame + (int)p->offset };
	for (uint32_t size = type_size(v->type); size >= 8; size -= 8, place.offset += 8)
		gen_moved(g, place);
}

static void gen_restore_alloca(struct gen *g)
{
	const struct typed_program *t = g->plan->typed;
	if (!g->plan->keeps_alloca_at_entry)
		return;
	gen_suspended(g, R0, 8, offsetof(struct suspended, alloca_kept));
	emit_store(&g->code, 4, R7, offsetof(struct slot, alloca_kept), R0);
	for (unsigned i = 0; i < t->variable_count[SCOPE_THIS]; i++)
		if (t->variables[SCOPE_THIS][i]->from_alloca)
			gen_moved_variable(g, t->variables[SCOPE_THIS][i]);
}

static void gen_restore_this(struct gen *g, label out)
{
	struct code *c = &g->code;
	gen_this_variables(g, out);
	for (int i = 0; i < (int)g->plan->this_frame_size; i += 8) {
		gen_suspended(g, R0, 8, sizeof(struct suspended) + (size_t)i);
		emit_store(c, 8, FP, g->firing.this_frame + i, R0);
	}
	if (!plan_shares_slot(g->plan))
		return;
	gen_suspended(g, R0, 8, offsetof(struct suspended, token));
	emit_store(c, 8, R7, offsetof(struct slot, token), R0);
	gen_place_address(g, R1, (struct place) { R7, sizeof(struct slot) });
	emit_number(c, R2, plan_shared_size(g->plan));
	emit_load(c, 8, R3, FP, g->firing.suspended);
	emit_alu_number(c, BPF_ADD, R3, slot_area(g));
	emit_call(c, RT_copy);
	gen_restore_alloca(g);
}

void gen_resumed_pass_test(struct gen *g, uint32_t pass, label none)
{
	struct code *c = &g->code;
	if (!is_resumed(g) || !pass)
		return;
	gen_suspended_entry(g, R0);
	emit_alu_number(c, BPF_MOD, R0, (int32_t)g->group->passes);
	emit_jump_if_number(c, BPF_JGE, R0, (int32_t)(g->group->passes - pass), none);
}

void gen_resumed_entry(struct gen *g, enum rt_function function, label out)
{
	struct code *c = &g->code;
	emit_call(c, function);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	g->firing.suspended = frame_alloc(c, 8);
	emit_store(c, 8, FP, g->firing.suspended, R0);
	if (g->plan->options->thread_status_offset >= 0) {
		g->firing.compat = frame_alloc(c, 8);
		gen_suspended_call(g, R1);
		emit_alu_number(c, BPF_AND, R1, SYSCALL_NUMBERS);
		emit_store(c, 8, FP, g->firing.compat, R1);
	}
	gen_resumed_pass_test(g, part_pass(g), out);
	gen_suspended_entry(g, R0);
	emit_jump_if_number(c, BPF_JGE, R0, (int32_t)table_entries(g), out);
	gen_table_entry(g, g->table.entry_size, out);
}

void gen_resume_prologue(struct gen *g, label out)
{
	gen_suspended_test(g, out);
	gen_activity_test(g, out);
	gen_resumed_entry(g, RT_resume, out);
	gen_place_test(g);
	gen_restore_this(g, out);
}

/* Clauses before the suspended one have been run. */
void gen_resume_test(struct gen *g, label next)
{
	gen_suspended(g, R1, 4, offsetof(struct suspended, clause));
	emit_jump_if_number(&g->code, BPF_JGT, R1, (int32_t)g->clause_number, next);
}
