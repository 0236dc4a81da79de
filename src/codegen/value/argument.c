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

/*
 * Word N of the context of fentry or fexit, as a number: the verifier forbids to compute with a
 * pointer that it knows the type of.
 */
static void gen_trampoline_word(struct gen *g, int32_t n)
{
	struct code *c = &g->code;
	emit_load(c, 8, R0, R6, 8 * n);
	emit_alu_number(c, BPF_NEG, R0, 0);
	emit_alu_number(c, BPF_NEG, R0, 0);
}

static void gen_function_argument(struct gen *g, unsigned n)
{
	const struct arch *a = g->plan->options->arch;
	if (event_is_trampoline(g->event))
		gen_trampoline_word(g, (int32_t)n);
	else if (n < a->argument_count)
		emit_load(&g->code, 8, R0, R6, a->argument[n]);
	else { /* at the function's entry */
		emit_load(&g->code, 8, R3, R6, a->stack_pointer);
		emit_alu_number(&g->code, BPF_ADD, R3,
				a->stack_argument + 8 * (int32_t)(n - a->argument_count));
		gen_word(g, 8, !event_is_kernel(g->event));
	}
}

static void gen_function_result(struct gen *g, const struct arg_location *where)
{
	struct code *c = &g->code;
	if (event_is_trampoline(g->event))
		gen_trampoline_word(g, (int32_t)where->value);
	else
		emit_load(c, 8, R0, R6, g->plan->options->arch->result);
	if (where->size)
		emit_extend(c, R0, where->size, where->is_signed);
}

/* A return probe of the kernel is after the return, which has taken the address from the stack. */
static void gen_frame(struct gen *g, int64_t more)
{
	const struct arch *a = g->plan->options->arch;
	int64_t returned = event_is_function_return(g->event) ? a->stack_argument : 0;
	emit_load(&g->code, 8, R0, R6, a->stack_pointer);
	emit_alu_number(&g->code, BPF_ADD, R0, (int32_t)(more - returned));
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

/* R3 = the address of an operand in memory. */
static void gen_operand_address(struct gen *g, const struct arg_location *where)
{
	struct code *c = &g->code;
	emit_number(c, R3, where->value);
	if (where->base != ARG_NO_REGISTER) {
		emit_load(c, 8, R1, R6, where->base);
		emit_alu(c, BPF_ADD, R3, R1);
	}
	if (where->index != ARG_NO_REGISTER) {
		emit_load(c, 8, R1, R6, where->index);
		emit_alu_number(c, BPF_LSH, R1, where->shift);
		emit_alu(c, BPF_ADD, R3, R1);
	}
}

static void gen_operand_in_memory(struct gen *g, const struct arg_location *where)
{
	uint32_t size = where->size ? where->size : 8;
	gen_operand_address(g, where);
	gen_word(g, size, true);
	if (where->is_signed && size < 8)
		emit_extend(&g->code, R0, (int)size, true);
}

/*
 * R0 = the context's address as a number: the verifier allows no arithmetic with the pointer, and
 * forgets that it is one when it is negated.
 */
static void gen_context_address(struct gen *g)
{
	emit_mov(&g->code, R0, R6);
	emit_alu_number(&g->code, BPF_NEG, R0, 0);
	emit_alu_number(&g->code, BPF_NEG, R0, 0);
}

static void gen_record_data(struct gen *g, const struct arg_location *where)
{
	struct code *c = &g->code;
	gen_context_address(g);
	emit_load(c, 4, R1, R6, where->value);
	emit_alu_number(c, BPF_AND, R1, 0xffff);
	emit_alu(c, BPF_ADD, R0, R1);
	if (where->kind == ARG_RECORD_RELATIVE)
		emit_alu_number(c, BPF_ADD, R0, (int32_t)where->value + 4);
}

/* The code after it is dead, except to the verifier. */
static void gen_unreadable(struct gen *g)
{
	emit_number(&g->code, R0, 0);
	emit_jump(&g->code, fault_label(g, FAULT_UNREADABLE));
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
	case ARG_CONTEXT_ADDRESS:
		gen_context_address(g);
		emit_alu_number(c, BPF_ADD, R0, (int32_t)where->value);
		return;
	case ARG_RECORD_DATA:
	case ARG_RECORD_RELATIVE:
		gen_record_data(g, where);
		return;
	case ARG_FUNCTION_ARGUMENT:
		gen_function_argument(g, (unsigned)where->value);
		if (where->size)
			emit_extend(c, R0, where->size, where->is_signed);
		return;
	case ARG_FUNCTION_RESULT:
		gen_function_result(g, where);
		return;
	case ARG_FRAME:
		gen_frame(g, where->value);
		return;
	case ARG_FRAME_OF_GO:
		gen_frame(g, where->value);
		emit_mov(c, R1, R0);
		emit_load(c, 8, R2, R6, where->base);
		emit_call(c, RT_goroutine_frame);
		return;
	case ARG_SITE_OFFSET:
		if (gen_follows_jumps(g)) {
			gen_exits(g, R0, 4, offsetof(struct exit_firing, note.inside));
			emit_extend(c, R0, 4, true);
			return;
		}
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
	case ARG_USER_MEMORY:
		gen_operand_in_memory(g, where);
		return;
	case ARG_USER_ADDRESS:
		gen_operand_address(g, where);
		emit_mov(c, R0, R3);
		return;
	case ARG_ENTRY_REGISTER:
		gen_register_at_entry(g, where);
		return;
	case ARG_UNREADABLE:
		gen_unreadable(g);
		return;
	}
}

/* --- static probes: one of several places ----------------------------------------------------- */

/* Where the argument is in the layout of this number. */
struct choice {
	uint32_t layout;
	const struct arg_location *where;
};

/* The layouts of the group that occur at the current clause's probes, in their order; their
 * count. */
static uint32_t choices_of_clause(const struct gen *g, unsigned index, struct choice *ret)
{
	const struct event_group *group = g->group;
	const struct group_clause *clause = &group->clauses[g->clause_number];
	uint32_t count = 0;
	auto_free bool *seen = mem_zalloc(group->layout_count);
	for (uint32_t i = 0; i < clause->entry_count; i++)
		seen[group->events[clause->entries[i] / group->passes].layout] = true;
	for (uint32_t i = 0; i < group->layout_count; i++)
		if (seen[i])
			ret[count++] = (struct choice) { i, &group->layouts[i].arg[index] };
	return count;
}

static bool are_one_place(const struct choice *choices, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (memcmp(choices[i].where, choices[0].where, sizeof(*choices[0].where)) != 0)
			return false;
	return true;
}

/* R0 = the argument at the one of these places that layout number R1 has; then to END. */
static void gen_choice(struct gen *g, const struct choice *choices, uint32_t count, label end)
{
	struct code *c = &g->code;
	if (are_one_place(choices, count)) {
		gen_location(g, choices[0].where);
		emit_jump(c, end);
		return;
	}
	uint32_t half = count / 2;
	label upper = label_new(c);
	emit_jump_if_number(c, BPF_JGE, R1, (int32_t)choices[half].layout, upper);
	gen_choice(g, choices, half, end);
	label_place(c, upper);
	gen_choice(g, choices + half, count - half, end);
}

static void gen_chosen(struct gen *g, unsigned index)
{
	struct code *c = &g->code;
	auto_free struct choice *choices =
		mem_alloc(g->group->layout_count * sizeof(struct choice));
	uint32_t count = choices_of_clause(g, index, choices);
	if (are_one_place(choices, count)) {
		gen_location(g, choices[0].where);
		return;
	}
	label end = label_new(c);
	gen_entry(g, R1);
	emit_load(c, 4, R1, R1, offsetof(struct probe_entry, layout));
	gen_choice(g, choices, count, end);
	label_place(c, end);
}

/* --- any argument ----------------------------------------------------------------------------- */

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

void gen_result_test(struct gen *g)
{
	if (!gen_follows_jumps(g))
		return;
	gen_exits(g, R0, 4, offsetof(struct exit_firing, unknown));
	emit_jump_if_number(&g->code, BPF_JNE, R0, 0, fault_label(g, FAULT_TAILCALL));
}

void gen_argument(struct gen *g, unsigned index)
{
	static const struct arg_location none = { ARG_NONE };
	if (g->in_error) {
		gen_error_argument(g, index);
		return;
	}
	if (index == EVENT_RESULT)
		gen_result_test(g);
	if (index >= EVENT_ARGS)
		gen_location(g, &none);
	else if (g->group->layout_count == 1)
		gen_location(g, &g->group->layouts[0].arg[index]);
	else
		gen_chosen(g, index);
}
