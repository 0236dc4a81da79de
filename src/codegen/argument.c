/* SPDX-License-Identifier: BSD-2-Clause */
/* arg0 ... arg9, wherever the event has them; those of ERROR */
#include "codegen/gen.h"

static void gen_syscall_argument(struct gen *g, unsigned n)
{
	if (n >= ARCH_SYSCALL_ARGUMENTS)
		emit_number(&g->code, R0, 0);
	else if (is_resumed(g))
		gen_suspended(g, R0, 8, offsetof(struct suspended, argument) + 8 * n);
	else
		gen_syscall_register(g, n);
}

/* RET = the system call's result; -1 instead of an error when STATUS. */
static void gen_syscall_result(struct gen *g, bool status)
{
	struct code *c = &g->code;
	emit_load(c, 8, R0, R6, 8);
	if (!status)
		return;
	label end = label_new(c);
	emit_jump_if_number(c, BPF_JSGE, R0, 0, end);
	emit_jump_if_number(c, BPF_JSLT, R0, -4095, end);
	emit_number(c, R0, -1);
	label_place(c, end);
}

/* Stack slot N of a user function at its entry. */
static void gen_stack_argument(struct gen *g, unsigned n)
{
	const struct arch *a = g->plan->options->arch;
	emit_load(&g->code, 8, R3, R6, a->stack_pointer);
	emit_alu_number(&g->code, BPF_ADD, R3, a->stack_argument + 8 * (int32_t)n);
	gen_word(g, 8, true);
}

static void gen_function_argument(struct gen *g, unsigned n)
{
	const struct arch *a = g->plan->options->arch;
	if (n < a->argument_count)
		emit_load(&g->code, 8, R0, R6, a->argument[n]);
	else
		gen_stack_argument(g, n - a->argument_count);
}

/* The interrupted pc if it was in the kernel (or in user code), else 0. */
static void gen_pc(struct gen *g, bool user)
{
	struct code *c = &g->code;
	const struct arch *a = g->plan->options->arch;
	label end = label_new(c);
	emit_number(c, R0, 0);
	emit_load(c, 8, R1, R6, a->mode);
	emit_alu_number(c, BPF_AND, R1, (int32_t)a->mode_mask);
	emit_jump_if_number(c, user ? BPF_JNE : BPF_JEQ, R1, (int32_t)a->mode_user, end);
	emit_load(c, 8, R0, R6, a->pc);
	label_place(c, end);
}

static void gen_location(struct gen *g, const struct arg_location *where)
{
	struct code *c = &g->code;
	switch (where->kind) {
	case ARG_NONE:
		emit_number(c, R0, 0);
		return;
	case ARG_CONSTANT:
		emit_number(c, R0, where->value);
		return;
	case ARG_CONTEXT:
		emit_load(c, where->size ? where->size : 8, R0, R6, where->value);
		if (where->size && where->is_signed)
			emit_extend(c, R0, where->size, true);
		return;
	case ARG_FUNCTION_ARGUMENT:
		gen_function_argument(g, (unsigned)where->value);
		return;
	case ARG_FUNCTION_RESULT:
		emit_load(c, 8, R0, R6, g->plan->options->arch->result);
		return;
	case ARG_SITE_OFFSET:
		emit_mov(&g->code, R1, R6);
		emit_call(&g->code, RT_cookie);
		emit_alu_number(&g->code, BPF_ARSH, R0, 32);
		return;
	case ARG_SYSCALL_ARGUMENT:
		gen_syscall_argument(g, (unsigned)where->value);
		return;
	case ARG_SYSCALL_RESULT:
	case ARG_SYSCALL_STATUS:
		gen_syscall_result(g, where->kind == ARG_SYSCALL_STATUS);
		return;
	case ARG_KERNEL_PC:
	case ARG_USER_PC:
		gen_pc(g, where->kind == ARG_USER_PC);
		return;
	case ARG_LATENESS:
		emit_mov(c, R1, R6);
		emit_call(c, RT_lateness);
		return;
	}
}

static void gen_error_argument(struct gen *g, unsigned index)
{
	struct code *c = &g->code;
	if (index < 1 || index > 5) {
		emit_number(c, R0, 0);
		return;
	}
	emit_load(c, 8, R1, FP, g->firing.error_info);
	emit_load(c, 8, R0, R1, 8 * ((int)index - 1));
}

void gen_argument(struct gen *g, unsigned index)
{
	static const struct arg_location none = { ARG_NONE };
	if (g->in_error) {
		gen_error_argument(g, index);
		return;
	}
	gen_location(g, index < EVENT_ARGS ? &g->group->args.arg[index] : &none);
}
