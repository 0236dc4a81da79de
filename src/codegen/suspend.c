/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Firings suspended for absent user memory at a system call's entry, resumed at its return
 * (abi/state.h, struct suspended)
 *
 * A resumed clause runs again from its predicate on, so it is suspended only before its first
 * effect: gen_effect() is called after each instruction that changes more than the firing's own
 * memory, in the order of the text.  The started record is discarded, and a speculating clause is
 * no longer a writer. The assignment of a variable is not an effect if the clause does not mention
 * the variable before (plan/analysis.c finds these assignments) and no pointer leads to it: the
 * resumed clause assigns again.
 *
 * A clause that reads after its first effect tests before its body whether the memory is present
 * (gen_lookaheads()), a byte at each end, if the address is known there (plan/lookahead.c).  The
 * test costs one more read (100 ns of a umount2 on 6.18), so only such clauses have it.  A read
 * without test, or of memory that is absent again, faults.
 *
 * At the entry, a fault's stub (slot.c) calls RT_suspend, which returns a block, or NULL for an
 * ordinary fault; with a block the stub jumps to gen_save_firing(), which all clauses share.  At
 * the return, a separate program (EVENT_SYSCALL_RESUME) has the entry's clauses from the first that
 * may be suspended; its prologue (gen_resume_prologue()) restores the block's content.
 *
 * While no firing is suspended, the program at the returns costs the kernel's call of it: 62 ns of
 * each system call (6.18; a getppid takes 119, `@[probefunc] = count()` at its entry 115 more).  So
 * it is attached only if some clause may be suspended.
 *
 * Tried: task work that a suspended firing schedules, and no program at the returns
 * (bpf_task_work_schedule_resume_impl(), 6.18).  100,000 of 100,000 callbacks ran after sys_exit
 * and before the thread's next call.  But the kernel adds them from an interrupt that the CPU sends
 * itself: 7.3 us for each suspended firing, in a virtual machine, compared with 3.0 us now.  So
 * task work pays only where fewer than one system call in 120 is suspended; of the paths that a
 * command opens nearly all are.
 *
 * Alloca memory that a later clause may use is saved in the block, too, and has another address at
 * the return: addresses of it in this variables are changed accordingly (gen_moved()).
 *
 * Values from the entry's registers come from the block.  If the thread's address space has
 * changed, or its registers show another return, all reads of user memory fault (gen_gone_test()).
 */
#include "codegen/gen.h"

bool is_resumed(const struct gen *g)
{
	return g->event == EVENT_SYSCALL_RESUME && !g->in_error;
}

void gen_effect(struct gen *g)
{
	g->state->has_effect = true;
}

void gen_assign_effect(struct gen *g, const struct texpr *e)
{
	/* alloca memory is the clause's own */
	bool is_seen = root_variable(e->assign.target) || plan_writes_variables(g->plan);
	if (is_seen && !plan_is_redone(g->plan, e))
		gen_effect(g);
}

bool group_may_suspend(const struct gen *g)
{
	return g->event == EVENT_SYSCALL_ENTRY && g->plan->suspended_size;
}

bool may_suspend(const struct gen *g)
{
	return group_may_suspend(g) && !g->in_error && !g->state->has_effect;
}

/* R3 = the address of a byte that will be read. */
static void gen_lookahead_address(struct gen *g, const struct lookahead *look)
{
	struct code *c = &g->code;
	gen_value(g, look->address);
	if (look->is_text) {
		emit_mov(c, R1, R0);
		emit_number(c, R2, g->plan->options->string_size + 1);
		emit_call(c, RT_text_byte);
	}
	emit_mov(c, R3, R0);
	emit_alu_number(c, BPF_ADD, R3, look->offset);
}

/* Suspend the firing if the byte is absent; other faults are left to the body. */
static void gen_lookahead(struct gen *g, const struct lookahead *look)
{
	struct code *c = &g->code;
	int mark = c->frame_used;
	struct place to = { FP, frame_alloc(c, 8) };
	label absent = label_new(c), resume = label_new(c);
	gen_lookahead_address(g, look);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	gen_place_address(g, R1, to);
	emit_number(c, R2, 1);
	emit_call(c, RT_read_user);
	emit_jump_if_number(c, BPF_JSLT, R0, 0, absent);
	label_place(c, resume);
	vector_push(&g->state->stubs, (struct stub) { .kind = STUB_LOOKAHEAD,
						      .at = absent,
						      .resume = resume,
						      .action = UINT32_MAX });
	frame_release(c, mark);
}

static bool is_looked_ahead(struct gen *g, const struct lookahead *look)
{
	return look->statement >= g->state->needs.lookahead_from && may_suspend(g);
}

static bool stands_in(const struct condition *c, const struct condition *outer)
{
	while (c && c != outer)
		c = c->outer;
	return c == outer;
}

/* The last condition before OUTER, from C outwards; NULL: there is none. */
static const struct condition *next_inside(const struct condition *c, const struct condition *outer)
{
	if (c == outer)
		return NULL;
	while (c->outer != outer)
		c = c->outer;
	return c;
}

/*
 * Tests the reads from I on that are in OUTER; returns the first read that is not. Reads in one
 * condition are tested together, so each condition is evaluated once, however many reads a chain of
 * `else if` has.
 */
static size_t gen_lookaheads_in(struct gen *g, size_t i, const struct condition *outer)
{
	const struct clause_plan *plan = plan_clause(g->plan, g->state->clause);
	while (i < plan->lookahead_count) {
		const struct lookahead *look = &plan->lookaheads[i];
		if (!is_looked_ahead(g, look)) {
			i++;
			continue;
		}
		if (!stands_in(look->conditions, outer))
			break;
		long_jumps_place(g);
		const struct condition *inner = next_inside(look->conditions, outer);
		if (!inner) {
			gen_lookahead(g, look);
			i++;
			continue;
		}
		label end = label_new(&g->code);
		long_jump_push(g, &end);
		uint32_t slot_mark = g->slot.used;
		gen_condition(g, inner->value, end);
		slot_release(g, slot_mark);
		i = gen_lookaheads_in(g, i, inner);
		long_jump_pop(g, end);
	}
	return i;
}

/* A string truncated by a lookahead is truncated again by the body, which counts it. */
void gen_lookaheads(struct gen *g)
{
	struct code *c = &g->code;
	const int cuts = offsetof(struct slot, truncated_strings);
	bool may_truncate = g->state->needs.lookahead_from != UINT32_MAX && g->state->has_slot;
	int mark = c->frame_used, kept = may_truncate ? frame_alloc(c, 8) : 0;
	if (may_truncate) {
		emit_load(c, 4, R0, R7, cuts);
		emit_store(c, 8, FP, kept, R0);
	}
	gen_lookaheads_in(g, 0, NULL);
	if (may_truncate) {
		emit_load(c, 8, R0, FP, kept);
		emit_store(c, 4, R7, cuts, R0);
	}
	frame_release(c, mark);
}

/* --- at the entry ----------------------------------------------------------------------------- */

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

void gen_suspend(struct gen *g, label fault)
{
	struct code *c = &g->code;
	emit_load(c, 8, R1, FP, g->firing.fault_address);
	gen_entry(g, R2);
	emit_load(c, 4, R2, R2, offsetof(struct probe_entry, resume));
	emit_call(c, RT_suspend);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, fault);
	emit_mov(c, R8, R0);
	emit_store_number(c, 4, R8, offsetof(struct suspended, clause), (int32_t)g->clause_number);
	g->state->suspends = true;
	if (g->state->speculates != SPECULATES_NEVER) {
		emit_load(c, 8, R1, FP, g->state->speculation);
		emit_call(c, RT_speculation_leave);
	}
	if (g->state->has_slot) {
		emit_load(c, 8, R1, FP, g->firing.slot_at);
		emit_call(c, RT_truncations_forget);
	}
	if (g->state->has_slot && !plan_shares_slot(g->plan)) {
		emit_load(c, 8, R1, FP, g->firing.slot_at);
		emit_call(c, RT_slot_release);
	}
	emit_jump(c, *g->aside);
}

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

void gen_suspended(struct gen *g, enum reg r, int bytes, size_t offset)
{
	emit_load(&g->code, 8, r, FP, g->firing.suspended);
	emit_load(&g->code, bytes, r, r, (int)offset);
}

void gen_comm(struct gen *g)
{
	struct code *c = &g->code;
	if (!is_resumed(g)) {
		emit_call(c, RT_comm);
		return;
	}
	emit_load(c, 8, R3, FP, g->firing.suspended);
	emit_alu_number(c, BPF_ADD, R3, offsetof(struct suspended, name));
	emit_call(c, RT_copy);
}

void gen_gone_test(struct gen *g, label gone)
{
	if (!is_resumed(g))
		return;
	gen_suspended(g, R5, 4, offsetof(struct suspended, gone));
	emit_jump_if_number(&g->code, BPF_JNE, R5, 0, gone);
}

void gen_gone_fault(struct gen *g)
{
	if (is_resumed(g))
		gen_gone_test(g, fault_label(g, FAULT_BADADDR));
}

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
