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
 * (lookahead.c), a byte at each end, if the address is known there (plan/lookahead.c).  The
 * test costs one more read (100 ns of a umount2 on 6.18), so only such clauses have it.  A read
 * without test, or of memory that is absent again, faults.
 *
 * At the entry, a fault's stub (slot.c) calls RT_suspend, which returns a block, or NULL for an
 * ordinary fault; with a block the stub jumps to gen_save_firing() (resume.c), which all clauses
 * share.  At the return, a separate program (EVENT_SYSCALL_RESUME) has the entry's clauses from the
 * first that may be suspended; its prologue (gen_resume_prologue()) restores the block's content.
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
	return event_is_resumption(g->event) && !g->in_error;
}

void gen_effect(struct gen *g)
{
	struct clause_state *s = g->state;
	if (!s->has_effect)
		s->effect_at = s->action;
	s->has_effect = true;
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
	return event_is_syscall_entry(g->event) && g->plan->suspended_size;
}

bool gen_suspends(struct gen *g)
{
	bool may_suspend = group_may_suspend(g) && !g->in_error;
	g->state->reads_late |= may_suspend && g->state->has_effect;
	return may_suspend && !g->state->has_effect;
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
	g->state->found.suspends = true;
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
