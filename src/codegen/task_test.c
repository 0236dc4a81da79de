/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The test of -x target: is a task one that clauses see?
 *
 * Of the task that runs it comes when the probe is known: a system call that is not probed does not
 * pay, and the prologue of system calls has loaded the task anyway.  The kernel's structs are read
 * by loads of typed pointers, which the kernel makes safe, because each call of a helper costs more
 * than the four loads to the id of a control group (abi/state.h).
 *
 * A clause about another task (`task =` of a formula) tests that in its predicate: it has a mere
 * number, so each load is a call.
 */
#include <string.h>

#include "codegen/gen.h"

static const struct task_offsets *offsets(const struct gen *g)
{
	return &g->plan->options->task_offsets;
}

/* R7 = the current task; no slot is claimed yet. */
static void gen_task(struct gen *g)
{
	if (g->firing.task) {
		emit_load(&g->code, 8, R7, FP, g->firing.task);
		return;
	}
	emit_call(&g->code, RT_task);
	emit_mov(&g->code, R7, R0);
}

/* A task that is tested: R7, or, of another one than runs, a number. */
struct tested {
	bool is_other;
	struct temp number;
};

/* R1 = the SIZE bytes at OFFSET in what R1 points to; 8, or the first 4 of 8. */
static void gen_tested_member(struct gen *g, const struct tested *t, int size, int32_t offset)
{
	struct code *c = &g->code;
	if (!t->is_other) {
		emit_load(c, size, R1, R1, offset);
		return;
	}
	emit_alu_number(c, BPF_ADD, R1, offset);
	emit_call(c, RT_kernel_word);
	emit_mov(c, R1, R0);
	if (size == 4) {
		emit_alu_number(c, BPF_LSH, R1, 32);
		emit_alu_number(c, BPF_RSH, R1, 32);
	}
}

static void gen_tested_word(struct gen *g, const struct tested *t, int32_t offset)
{
	gen_tested_member(g, t, 8, offset);
}

/* R1 = the word at OFFSET in the task. */
static void gen_task_member(struct gen *g, const struct tested *t, int32_t offset)
{
	if (t->is_other)
		temp_read(g, t->number, R1);
	else
		emit_mov(&g->code, R1, R7);
	gen_tested_word(g, t, offset);
}

/* A task without a control group, which cannot be, would have the id of empty cells, 0. */
static void gen_cgroup_test(struct gen *g, const struct tested *t, label passed)
{
	struct code *c = &g->code;
	label next = label_new(c);
	gen_task_member(g, t, offsets(g)->cgroups);
	gen_tested_word(g, t, offsets(g)->cgroup);
	gen_tested_word(g, t, offsets(g)->node);
	gen_tested_word(g, t, offsets(g)->number);
	emit_jump_if_number(c, BPF_JEQ, R1, 0, next);
	emit_mov(c, R2, R1);
	emit_alu_number(c, BPF_AND, R2, CGROUP_CELLS - 1);
	emit_alu_number(c, BPF_LSH, R2, 3);
	emit_address(c, R3, RELOCATE_CGROUPS, 0, 0);
	emit_alu(c, BPF_ADD, R3, R2);
	emit_load(c, 8, R2, R3, 0);
	emit_jump_if(c, BPF_JEQ, R2, R1, passed);
	emit_jump_if_number(c, BPF_JNE, R2, (int32_t)CGROUP_CELL_SHARED, next);
	emit_call(c, RT_cgroup_traced);
	emit_jump_if_number(c, BPF_JNE, R0, 0, passed);
	label_place(c, next);
}

static void gen_user_test(struct gen *g, const struct tested *t, uint32_t user, label passed)
{
	struct code *c = &g->code;
	gen_task_member(g, t, offsets(g)->credentials);
	gen_tested_member(g, t, 4, offsets(g)->user);
	emit_number(c, R2, user);
	emit_jump_if(c, BPF_JEQ, R1, R2, passed);
}

/* The bytes of NAME from FROM to its NUL, at most 8, and a mask of these bytes. */
static uint64_t name_word(const char *name, size_t from, uint64_t *mask)
{
	uint64_t word = 0;
	size_t size = strlen(name) + 1;
	size_t count = size > from ? MIN(size - from, sizeof(word)) : 0;
	memcpy(&word, name + from, count);
	*mask = count < sizeof(word) ? (1ull << 8 * count) - 1 : UINT64_MAX;
	return word;
}

/* Bytes after a name's NUL may be those of an earlier name. */
static void gen_program_test(struct gen *g, const struct tested *t, const char *name, label passed)
{
	struct code *c = &g->code;
	label next = label_new(c);
	for (size_t from = 0; from <= strlen(name); from += sizeof(uint64_t)) {
		uint64_t mask, word = name_word(name, from, &mask);
		gen_task_member(g, t, offsets(g)->leader);
		gen_tested_word(g, t, offsets(g)->name + (int)from);
		if (mask != UINT64_MAX) {
			emit_number(c, R2, (int64_t)mask);
			emit_alu(c, BPF_AND, R1, R2);
		}
		emit_number(c, R2, (int64_t)word);
		emit_jump_if(c, BPF_JNE, R1, R2, next);
	}
	emit_jump(c, passed);
	label_place(c, next);
}

static void gen_one_test(struct gen *g, const struct tested *t, const struct task_test *test,
			 label passed)
{
	switch (test->kind) {
	case TASK_IN_CGROUPS:
		gen_cgroup_test(g, t, passed);
		return;
	case TASK_OF_USER:
		gen_user_test(g, t, test->user, passed);
		return;
	case TASK_OF_PROGRAM:
		gen_program_test(g, t, test->name, passed);
		return;
	}
}

static void gen_tests(struct gen *g, const struct tested *t, label passed)
{
	const struct plan_options *o = g->plan->options;
	for (unsigned i = 0; i < o->task_test_count; i++)
		gen_one_test(g, t, &o->task_tests[i], passed);
}

/* What happens in an interrupt is not about the task that it has interrupted. */
static void gen_interrupt_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	label no_interrupt = label_new(c);
	emit_number(c, R1, 0);
	emit_call(c, RT_ipl);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, no_interrupt);
	emit_address(c, R1, RELOCATE_CONTROL, 0, offsetof(struct control, without_task));
	emit_number(c, R2, 1);
	emit_fetch(c, BPF_ADD, 8, R1, 0, R2);
	emit_jump(c, out);
	label_place(c, no_interrupt);
}

void gen_task_test(struct gen *g, label out)
{
	struct code *c = &g->code;
	const struct plan_options *o = g->plan->options;
	if (!plan_tests_task(g->plan, g->group, g->event))
		return;
	label passed = label_new(c);
	gen_task(g);
	gen_tests(g, &(struct tested) { .is_other = false }, passed);
	emit_jump(c, out);
	label_place(c, passed);
	if (o->tests_tree) {
		emit_call(c, RT_target);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	}
	if (g->event == EVENT_TRACEPOINT)
		gen_interrupt_test(g, out);
}

void gen_other_task_test(struct gen *g)
{
	struct code *c = &g->code;
	struct tested t = { .is_other = true, .number = temp_push(g, R0) };
	label passed = label_new(c), out = label_new(c);
	if (g->plan->options->tests_tree) {
		temp_read(g, t.number, R1);
		emit_call(c, RT_target_of);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, out);
	}
	gen_tests(g, &t, passed);
	emit_number(c, R0, 0);
	emit_jump(c, out);
	label_place(c, passed);
	emit_number(c, R0, 1);
	label_place(c, out);
	temp_pop(g, t.number, R1);
}
