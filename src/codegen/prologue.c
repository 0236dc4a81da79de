/* SPDX-License-Identifier: BSD-2-Clause */
/* The prologue of a group: tests whether tracing is on, finds the probe, clears this variables */
#include <stdlib.h>

#include "codegen/gen.h"

void begin_frame(struct gen *g)
{
	struct code *c = &g->code;
	c->frame_used = 0;
	c->frame_max = 0;
	c->in_r8 = c->in_r9 = false;
	g->firing = (struct firing) {
		.entry = frame_alloc(c, 8),
		.slot_at = frame_alloc(c, 8),
		.time = frame_alloc(c, 8),
		.fault_where = frame_alloc(c, 8),
		.fault_address = frame_alloc(c, 8),
	};
	if (g->plan->this_frame_size)
		g->firing.this_frame = frame_alloc(c, (int)g->plan->this_frame_size);
}

void gen_activity_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	emit_address(c, R1, RELOCATE_CONTROL, 0, offsetof(struct control, activity));
	emit_load(c, 4, R1, R1, 0);
	if (g->event == EVENT_BEGIN)
		emit_jump_if_number(c, BPF_JGE, R1, ACTIVITY_DRAINING, out);
	else
		emit_jump_if_number(c, BPF_JNE, R1, ACTIVITY_ACTIVE, out);
}

/* Out if the consumer has had no CPU for too long: struct deadman (abi/state.h). */
static void gen_deadman_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	label passed = label_new(c);
	emit_call(c, RT_ticks);
	emit_address(c, R1, RELOCATE_CONTROL, 0, offsetof(struct control, deadman.look_at));
	emit_load(c, 8, R1, R1, 0);
	emit_jump_if(c, BPF_JLT, R0, R1, passed);
	emit_mov(c, R1, R0);
	emit_call(c, RT_look);
	emit_jump_if_number(c, BPF_JNE, R0, 0, out);
	label_place(c, passed);
}

/* -xcpu; BEGIN and END are run on that CPU anyway. */
static void gen_cpu_test(struct gen *g, label out)
{
	if (g->plan->options->only_cpu < 0)
		return;
	emit_call(&g->code, RT_cpu);
	emit_jump_if_number(&g->code, BPF_JNE, R0, g->plan->options->only_cpu, out);
}

void gen_syscall_number(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	if (event_is_syscall_entry(g->event)) {
		emit_load(c, 8, R0, R6, 8);
	} else {
		gen_registers(g);
		emit_load(c, a->syscall.number_size, R0, R0, a->syscall_number);
	}
	emit_number(c, R1, (int64_t)a->number_mask);
	emit_alu(c, BPF_AND, R0, R1);
}

/* Does a clause of this group ask for the thread's registers? */
static bool reads_registers(const struct gen *g)
{
	return event_is_syscall_entry(g->event) ? g->plan->registers_at_entry
						: g->plan->registers_at_return;
}

/*
 * R0 += SYSCALL_NUMBERS if R1, of which at most the bit MASK is set, is not 0. Without a jump:
 * after a jump the verifier follows all later code once for each range of entries.
 */
static void gen_add_numbers(struct code *c, uint64_t mask)
{
	int shift = __builtin_ctz(SYSCALL_NUMBERS) - __builtin_ctzll(mask);
	emit_alu_number(c, shift > 0 ? BPF_LSH : BPF_RSH, R1, abs(shift));
	emit_alu(c, BPF_ADD, R0, R1);
}

/* Calls of 32-bit code have separate numbers and entries. */
static void gen_compat(struct gen *g)
{
	struct code *c = &g->code;
	if (g->plan->options->thread_status_offset < 0)
		return;
	g->firing.compat = frame_alloc(c, 8);
	struct temp number = temp_push(g, R0);
	emit_call(c, RT_task);
	if (reads_registers(g) || plan_tests_task(g->plan, g->group, g->event)) {
		g->firing.task = frame_alloc(c, 8);
		emit_store(c, 8, FP, g->firing.task, R0);
	}
	emit_load(c, 4, R1, R0, g->plan->options->thread_status_offset);
	temp_pop(g, number, R0);
	emit_alu_number(c, BPF_AND, R1, (int32_t)g->plan->options->arch->compat_mask);
	emit_store(c, 8, FP, g->firing.compat, R1);
	gen_add_numbers(c, g->plan->options->arch->compat_mask);
}

/* The index of the probe that fired, into R0; below table.indexes or out. */
static void gen_index_of_probe(struct gen *g, label out)
{
	struct code *c = &g->code;
	if (event_is_own(g->event)) {
		emit_load(c, 8, R0, R6, 0);
	} else if (event_is_syscall(g->event)) {
		gen_syscall_number(g);
		emit_jump_if_number(c, BPF_JGE, R0, SYSCALL_NUMBERS, out);
		gen_compat(g);
	} else if (gen_follows_jumps(g)) {
		gen_exits(g, R0, 4, offsetof(struct exit_firing, note.index));
	} else {
		emit_mov(c, R1, R6);
		emit_call(c, RT_cookie);
		if (event_is_inside(g->event))
			emit_extend(c, R0, 4, false);
	}
	emit_jump_if_number(c, BPF_JGE, R0, (int32_t)g->table.indexes, out);
}

void gen_table_entry(struct gen *g, uint32_t size, label out)
{
	struct code *c = &g->code;
	emit_alu_number(c, BPF_MUL, R0, (int32_t)size);
	emit_address(c, R1, RELOCATE_PROBES, 0, part_pass(g) * g->table.entry_size);
	emit_alu(c, BPF_ADD, R1, R0);
	emit_store(c, 8, FP, g->firing.entry, R1);
	if (event_is_syscall(g->event)) {
		emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
		emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	}
}

void gen_next_probe(struct gen *g, label out)
{
	struct code *c = &g->code;
	mark_part(g, "the next probe of this event");
	gen_entry(g, R1);
	emit_alu_number(c, BPF_ADD, R1, (int32_t)g->table.entry_size);
	emit_store(c, 8, FP, g->firing.entry, R1);
	emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
	emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	gen_this_variables(g, out);
}

/* `this` begins as zeros in each firing. */
void gen_this_variables(struct gen *g, label out)
{
	struct code *c = &g->code;
	for (uint32_t i = 0; i < g->plan->this_frame_size; i += 8)
		emit_store_number(c, 8, FP, g->firing.this_frame + (int)i, 0);
	if (!plan_shares_slot(g->plan))
		return;
	gen_slot_claim(g, out);
	if (!plan_zeroed_size(g->plan))
		return;
	emit_mov(c, R1, R7);
	emit_alu_number(c, BPF_ADD, R1, sizeof(struct slot));
	gen_zeros(g, plan_zeroed_size(g->plan));
}

void gen_find_entry(struct gen *g, label out)
{
	struct code *c = &g->code;
	if (g->table.indexes == 1) { /* the only probe: nothing to look up */
		emit_address(c, R1, RELOCATE_PROBES, 0, part_pass(g) * g->table.entry_size);
		emit_store(c, 8, FP, g->firing.entry, R1);
	} else {
		gen_index_of_probe(g, out);
		gen_table_entry(g, g->table.entry_size * g->group->passes, out);
	}
}

/* Other processes that run the file fire the probe, too: they leave before anything else. */
static void gen_member_test(struct gen *g)
{
	struct code *c = &g->code;
	label member = label_new(c);
	emit_call(c, RT_member);
	emit_jump_if_number(c, BPF_JNE, R0, 0, member);
	emit_exit(c);
	label_place(c, member);
	g->firing.target = frame_alloc(c, 8);
	emit_store(c, 8, FP, g->firing.target, R0);
}

/* Is the probe that fired one of this process's tree? Trees that run one file have a probe each. */
static void gen_tree_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	gen_entry(g, R1);
	emit_load(c, 4, R1, R1, offsetof(struct probe_entry, target));
	emit_load(c, 8, R0, FP, g->firing.target);
	emit_jump_if(c, BPF_JNE, R0, R1, out);
}

/* Is the probe that fired one of this process, or of all? */
static void gen_process_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	label passed = label_new(c);
	emit_call(c, RT_pid_tgid);
	emit_alu_number(c, BPF_RSH, R0, 32);
	gen_entry(g, R1);
	emit_load(c, 4, R1, R1, offsetof(struct probe_entry, target));
	emit_jump_if_number(c, BPF_JEQ, R1, 0, passed);
	emit_jump_if(c, BPF_JNE, R0, R1, out);
	label_place(c, passed);
}

/* A return whose thread has as many unfinished calls as the kernel follows: others may be lost. */
static void gen_depth_test(struct gen *g)
{
	struct code *c = &g->code;
	const struct plan_options *o = g->plan->options;
	if (!event_is_function_return(g->event) || !o->task_probes_offset)
		return;
	label passed = label_new(c);
	emit_call(c, RT_task);
	emit_load(c, 8, R1, R0, o->task_probes_offset);
	emit_load(c, 4, R1, R1, o->unfinished_calls_offset);
	emit_jump_if_number(c, BPF_JLT, R1, UNFINISHED_CALLS - 1, passed);
	emit_call(c, RT_pid_tgid);
	emit_alu_number(c, BPF_RSH, R0, 32);
	emit_mov(c, R2, R0);
	emit_alu_number(c, BPF_AND, R2, DEEP_CELLS - 1);
	emit_alu_number(c, BPF_LSH, R2, 2);
	emit_address(c, R1, RELOCATE_CONTROL, 0, offsetof(struct control, deep));
	emit_alu(c, BPF_ADD, R1, R2);
	emit_store(c, 4, R1, 0, R0);
	label_place(c, passed);
}

/*
 * R1 is how many probes have had their turns in this firing, R2 its struct exit_firing.  The first
 * turn is prepared.
 */
static void gen_turn(struct gen *g)
{
	struct code *c = &g->code;
	label ready = label_new(c);
	g->firing.exits = frame_alloc(c, 8);
	emit_store(c, 8, FP, g->firing.exits, R2);
	emit_load(c, 8, R6, R2, offsetof(struct exit_firing, context));
	emit_jump_if_number(c, BPF_JEQ, R1, 0, ready);
	emit_mov(c, R1, R2);
	emit_call(c, RT_exit_next);
	emit_jump_if_number(c, BPF_JNE, R0, 0, ready);
	emit_exit(c);
	label_place(c, ready);
}

void gen_prologue(struct gen *g, label out)
{
	struct code *c = &g->code;
	bool of_trees = group_is_of_trees(g->group);
	begin_frame(g);
	if (gen_follows_jumps(g))
		gen_turn(g);
	else
		emit_mov(c, R6, R1);
	if (of_trees)
		gen_member_test(g);
	if (event_is_resumption(g->event)) {
		gen_resume_prologue(g, out);
		return;
	}
	if (plan_counts_running(g->plan, g->event))
		emit_call(c, RT_enter);
	if (!event_is_own(g->event)) {
		gen_activity_test(g, out);
		if (!g->plan->options->never_starves)
			gen_deadman_test(g, out);
	}
	if (group_is_in_programs(g->group)) {
		emit_call(c, RT_nested);
		emit_jump_if_number(c, BPF_JNE, R0, 0, out);
	}
	gen_cpu_test(g, out);
	gen_find_entry(g, out);
	if (of_trees)
		gen_tree_test(g, out);
	else if (event_is_function_return(g->event) && g->plan->options->returns_of_others)
		gen_process_test(g, out);
	gen_task_test(g, out);
	gen_depth_test(g);
	gen_overtaken(g);
	gen_this_variables(g, out);
}
