/* SPDX-License-Identifier: BSD-2-Clause */
/* Built-in variables */
#include "codegen/gen.h"

void gen_registers(struct gen *g)
{
	if (event_is_syscall(g->event)) {
		emit_load(&g->code, 8, R0, R6, 0);
		return;
	}
	emit_call(&g->code, RT_task);
	emit_mov(&g->code, R1, R0);
	emit_call(&g->code, RT_user_regs);
}

/* A 32-bit call has its own registers. */
void gen_syscall_register(struct gen *g, unsigned n)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	gen_registers(g);
	if (!g->firing.compat) {
		emit_load(c, 8, R0, R0, a->syscall_argument[n]);
		return;
	}
	label compat = label_new(c), end = label_new(c);
	emit_load(c, 8, R1, FP, g->firing.compat);
	/*
	 * This changes no value, only the verifier's knowledge: from the jump alone it would learn
	 * the word in the frame, and so follow all later code twice, once for each kind of calls.
	 */
	emit_alu_number(c, BPF_AND, R1, -1);
	emit_jump_if_number(c, BPF_JNE, R1, 0, compat);
	emit_load(c, 8, R0, R0, a->syscall_argument[n]);
	emit_jump(c, end);
	label_place(c, compat);
	emit_load(c, 8, R0, R0, a->compat_argument[n]);
	emit_extend(c, R0, 4, false);
	label_place(c, end);
}

static void gen_errno(struct gen *g)
{
	struct code *c = &g->code;
	if (!event_is_syscall(g->event) || !event_is_return(g->event)) {
		emit_number(c, R0, 0);
		return;
	}
	label zero = label_new(c), end = label_new(c);
	emit_load(c, 8, R1, R6, 8);
	emit_number(c, R0, 0);
	emit_jump_if_number(c, BPF_JSGE, R1, 0, end);
	emit_jump_if_number(c, BPF_JSLT, R1, -4095, zero);
	emit_alu(c, BPF_SUB, R0, R1);
	label_place(c, zero);
	label_place(c, end);
}

/* Of the 8 bytes in R0 that were on the stack, a program of 32 bits means 4. */
static void gen_narrow_word(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	label end = label_new(c);
	if (!a->narrow)
		return;
	emit_load(c, 8, R1, R6, a->mode);
	emit_jump_if_number(c, BPF_JNE, R1, (int32_t)a->mode_narrow, end);
	emit_extend(c, R0, 4, false);
	label_place(c, end);
}

/* At a user function's entry: where it returns to; 0: it cannot be read. */
static void gen_return_address(struct gen *g)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	if (a->return_address != ARCH_ON_STACK) {
		emit_load(c, 8, R0, R6, a->return_address);
		return;
	}
	int mark = c->frame_used;
	int to = frame_alloc(c, 8);
	emit_store_number(c, 8, FP, to, 0);
	emit_mov(c, R1, FP);
	emit_alu_number(c, BPF_ADD, R1, to);
	emit_number(c, R2, 8);
	emit_load(c, 8, R3, R6, a->stack_pointer);
	emit_call(c, RT_read_user);
	emit_load(c, 8, R0, FP, to);
	frame_release(c, mark);
	gen_narrow_word(g);
}

void gen_not_negative(struct gen *g)
{
	label end = label_new(&g->code);
	emit_jump_if_number(&g->code, BPF_JSGE, R0, 0, end);
	emit_number(&g->code, R0, 0);
	label_place(&g->code, end);
}

/* At a function's entry its caller has no frame yet, which the kernel's walk would leave out. */
static void gen_user_frames(struct gen *g)
{
	struct code *c = &g->code;
	if (!event_is_function_entry(g->event)) {
		label end = label_new(c);
		if (is_resumed(g))
			emit_number(c, R0, -1);
		gen_gone_test(g, end);
		emit_mov(c, R1, R6);
		emit_call(c, RT_ustack);
		label_place(c, end);
		return;
	}
	struct temp at = temp_push(g, R2), bytes = temp_push(g, R3);
	gen_return_address(g);
	emit_mov(c, R4, R0);
	temp_pop(g, bytes, R3);
	temp_pop(g, at, R2);
	emit_mov(c, R1, R6);
	emit_load(c, 8, R5, R6, g->plan->options->arch->frame_pointer);
	emit_call(c, RT_ustack_entry);
}

void gen_frames(struct gen *g, bool user)
{
	struct code *c = &g->code;
	if (user) {
		gen_user_frames(g);
	} else {
		emit_mov(c, R1, R6);
		emit_address(c, R4, RELOCATE_STACK_SKIP, 0, g->in_error);
		emit_call(c, RT_stack);
	}
	gen_not_negative(g);
}

static void gen_half(struct gen *g, enum rt_function function, bool high, bool is_signed)
{
	emit_call(&g->code, function);
	if (high)
		emit_alu_number(&g->code, BPF_RSH, R0, 32);
	else
		emit_extend(&g->code, R0, 4, is_signed);
}

/* pid, tid: read from the thread if it is available, which saves a helper (8 ns on 6.18). */
static void gen_thread_number(struct gen *g, bool of_process)
{
	const struct plan_options *o = g->plan->options;
	int32_t offset = of_process ? o->task_tgid_offset : o->task_pid_offset;
	if (!g->firing.task || offset < 0) {
		gen_half(g, RT_pid_tgid, of_process, true);
		return;
	}
	emit_load(&g->code, 8, R0, FP, g->firing.task);
	emit_load(&g->code, 4, R0, R0, offset);
}

static void gen_time(struct gen *g)
{
	need_time(g);
	emit_load(&g->code, 8, R0, FP, g->firing.time);
}

/* As it was at the entry, if the firing has waited since. */
static void gen_run_time(struct gen *g)
{
	if (is_resumed(g)) {
		gen_suspended(g, R0, 8, offsetof(struct suspended, run_time));
		return;
	}
	need_run_time(g);
	emit_load(&g->code, 8, R0, FP, g->state->run_time);
}

static void gen_depth(struct gen *g, bool user)
{
	struct code *c = &g->code;
	const struct plan_options *o = g->plan->options;
	uint32_t mark = g->slot.used;
	uint64_t flags = o->frames_chosen ? 0 : STACK_WANTS_MORE;
	bool only_counts = user && o->user_frames > o->kernel_frames;
	gen_at(g, R2, slot_alloc(g, o->kernel_frames * 8));
	if (only_counts)
		emit_number(c, R3, (int64_t)(o->user_frames * 8ull | flags | STACK_COUNTS));
	else
		emit_number(c, R3, (int64_t)(o->kernel_frames * 8ull | flags));
	gen_frames(g, user);
	emit_alu_number(c, BPF_RSH, R0, 3);
	slot_release(g, mark);
}

static void gen_with_context(struct gen *g, enum rt_function function)
{
	emit_mov(&g->code, R1, R6);
	emit_call(&g->code, function);
}

/* A return probe fires when the function's own frame is gone: it is where it returned to. */
static void gen_user_caller(struct gen *g)
{
	struct code *c = &g->code;
	label end = label_new(c);
	if (is_resumed(g))
		emit_number(c, R0, 0);
	gen_gone_test(g, end);
	if (event_is_function_entry(g->event))
		gen_return_address(g);
	else if (event_is_function_return(g->event))
		emit_load(&g->code, 8, R0, R6, g->plan->options->arch->pc);
	else
		gen_with_context(g, RT_ucaller);
	label_place(c, end);
}

void gen_builtin(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	switch (e->builtin) {
	case BUILTIN_pid:
		gen_thread_number(g, true);
		return;
	case BUILTIN_tid:
		gen_thread_number(g, false);
		return;
	case BUILTIN_gid:
		gen_half(g, RT_uid_gid, true, false);
		return;
	case BUILTIN_uid:
		gen_half(g, RT_uid_gid, false, false);
		return;
	case BUILTIN_ppid:
		emit_call(c, RT_ppid);
		return;
	case BUILTIN_cpu:
		emit_call(c, RT_cpu);
		return;
	case BUILTIN_cgroup:
		emit_call(c, RT_cgroup);
		return;
	case BUILTIN_target:
		emit_call(c, RT_target);
		return;
	case BUILTIN_curthread:
		emit_call(c, RT_task_number);
		return;
	case BUILTIN_timestamp:
		gen_time(g);
		return;
	case BUILTIN_vtimestamp:
		gen_run_time(g);
		return;
	case BUILTIN_walltimestamp:
		gen_time(g);
		emit_mov(c, R1, R0);
		emit_call(c, RT_wall_time);
		return;
	case BUILTIN_epid:
		emit_number(c, R0, (int64_t)g->state->clause->index + 1);
		return;
	case BUILTIN_id:
		gen_entry(g, R1);
		emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
		return;
	case BUILTIN_errno:
		gen_errno(g);
		return;
	case BUILTIN_ipl:
		emit_number(c, R1, event_is_timer(g->event));
		emit_call(c, RT_ipl);
		return;
	case BUILTIN_caller:
		emit_address(c, R2, RELOCATE_STACK_SKIP, 0, g->in_error);
		gen_with_context(g, RT_caller);
		return;
	case BUILTIN_ucaller:
		gen_user_caller(g);
		return;
	case BUILTIN_stackdepth:
		gen_depth(g, false);
		return;
	case BUILTIN_ustackdepth:
		gen_depth(g, true);
		return;
	default:
		unsupported(g, e->range, "this variable as a number");
	}
}
