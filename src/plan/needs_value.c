/* SPDX-License-Identifier: BSD-2-Clause */
/* What expressions need (needs.c): numbers, conditions, strings, built-in variables, arguments */
#include "arch/arch.h"
#include "plan/needs_internal.h"

/* --- built-in variables and arguments --------------------------------------------------------- */

static void needs_registers(struct walk *w)
{
	if (event_is_syscall(w->event))
		return;
	needs_function(w, RT_task);
	needs_function(w, RT_user_regs);
}

static void needs_return_address(struct walk *w)
{
	if (w->plan->options->arch->return_address != ARCH_ON_STACK)
		return;
	w->needs->user_memory = true;
	needs_function(w, RT_read_user);
}

void needs_frames(struct walk *w, bool user)
{
	if (!user) {
		needs_function(w, RT_stack);
	} else if (!event_is_function_entry(w->event)) {
		needs_function(w, RT_ustack);
	} else {
		needs_return_address(w);
		needs_function(w, RT_ustack_entry);
	}
}

/* Is the thread available, because the prologue has it (codegen/prologue.c)? */
static bool has_task(const struct walk *w)
{
	bool is_call = event_is_syscall(w->event) && !event_is_resumption(w->event);
	bool reads = event_is_syscall_entry(w->event) ? w->plan->registers_at_entry
						      : w->plan->registers_at_return;
	reads |= w->plan->options->task_test_count > 0;
	return is_call && reads && !w->in_error && w->plan->options->thread_status_offset >= 0;
}

static void needs_thread_number(struct walk *w, int32_t offset)
{
	if (!has_task(w) || offset < 0)
		needs_function(w, RT_pid_tgid);
}

static void needs_caller(struct walk *w)
{
	if (event_is_function_entry(w->event))
		needs_return_address(w);
	else if (!event_is_function_return(w->event))
		needs_function(w, RT_ucaller);
}

static void needs_builtin(struct walk *w, enum builtin_variable builtin)
{
	static const enum rt_function functions[BUILTIN_COUNT] = {
		[BUILTIN_cgroup] = RT_cgroup,
		[BUILTIN_gid] = RT_uid_gid,
		[BUILTIN_uid] = RT_uid_gid,
		[BUILTIN_ppid] = RT_ppid,
		[BUILTIN_cpu] = RT_cpu,
		[BUILTIN_curthread] = RT_task_number,
		[BUILTIN_walltimestamp] = RT_wall_time,
		[BUILTIN_ipl] = RT_ipl,
		[BUILTIN_caller] = RT_caller,
		[BUILTIN_target] = RT_target,
	};
	const struct plan_options *o = w->plan->options;
	if (functions[builtin])
		needs_function(w, functions[builtin]);
	switch (builtin) {
	case BUILTIN_pid:
		needs_thread_number(w, o->task_tgid_offset);
		return;
	case BUILTIN_tid:
		needs_thread_number(w, o->task_pid_offset);
		return;
	case BUILTIN_timestamp:
	case BUILTIN_walltimestamp:
		needs_time(w);
		return;
	case BUILTIN_vtimestamp:
		if (!walk_is_resumed(w))
			needs_run_time(w);
		return;
	case BUILTIN_ucaller:
		needs_caller(w);
		return;
	case BUILTIN_stackdepth:
	case BUILTIN_ustackdepth:
		needs_slot(w);
		needs_frames(w, builtin == BUILTIN_ustackdepth);
		return;
	default:
		return;
	}
}

static void needs_location(struct walk *w, struct arg_location where)
{
	bool is_on_stack = where.kind == ARG_FUNCTION_ARGUMENT &&
			   where.value >= (int64_t)w->plan->options->arch->argument_count;
	if (is_on_stack || where.kind == ARG_USER_MEMORY)
		needs_read(w, !event_is_kernel(w->event));
	else if (where.kind == ARG_UNREADABLE)
		needs_fault(w);
	else if (where.kind == ARG_SITE_OFFSET)
		needs_function(w, RT_cookie);
	else if (where.kind == ARG_LATENESS)
		needs_function(w, RT_lateness);
}

/* Events of one kind agree on the needs of an argument, except static probes. */
static void needs_argument(struct walk *w, unsigned index)
{
	if (w->in_error || index >= EVENT_ARGS)
		return;
	/* Some take the place of a return (group.h), so the probes do not have them.  All are
	 * alike. */
	if (w->event == EVENT_KERNEL_INSIDE && !index) {
		needs_location(w, (struct arg_location) { ARG_SITE_OFFSET });
		return;
	}
	bool follows = plan_follows_jumps(w->plan, w->event);
	if (follows && index == EVENT_RESULT)
		needs_fault(w);
	if (follows && !index) /* it is at hand */
		return;
	for (unsigned i = 0; i < w->clause->probe_count; i++)
		for (const struct probe_event *e = w->clause->probes[i]->events; e; e = e->next)
			if (e->event.kind == event_of_probes(w->event))
				needs_location(w, event_argument(&e->event, index));
}

static void needs_ureg(struct walk *w, const struct texpr *e)
{
	if (e->argument.is_result && plan_follows_jumps(w->plan, w->event))
		needs_fault(w);
	if (arch_ureg_offset(w->plan->options->arch, e->argument.index) < 0) {
		needs_function(w, RT_thread_register);
		return;
	}
	if (event_is_function(w->event))
		return;
	if (walk_is_resumed(w))
		needs_fault(w);
	needs_registers(w);
}

/* --- numbers ---------------------------------------------------------------------------------- */

void needs_arithmetic(struct walk *w, enum op op, bool is_signed, bool may_fault)
{
	if (op != OP_DIV && op != OP_MOD)
		return;
	if (may_fault)
		needs_fault(w);
	if (is_signed)
		needs_function(w, op == OP_DIV ? RT_divide_signed : RT_modulo_signed);
}

static bool is_comparison(enum op op)
{
	return op == OP_EQ || op == OP_NE || op == OP_LT || op == OP_LE || op == OP_GT ||
	       op == OP_GE;
}

static void needs_operands(struct walk *w, const struct texpr *e)
{
	needs_value(w, e->binary.left);
	if (e->binary.right->kind == TEXPR_INTEGER)
		return;
	bool left = walk_push(w);
	needs_value(w, e->binary.right);
	walk_pop(w, left);
}

static void needs_binary(struct walk *w, const struct texpr *e)
{
	const struct texpr *right = e->binary.right;
	needs_operands(w, e);
	if (is_comparison(e->binary.op) ||
	    (right->kind == TEXPR_INTEGER &&
	     plan_one_instruction(e->binary.op, e->binary.is_signed, right->integer)))
		return;
	needs_arithmetic(w, e->binary.op, e->binary.is_signed,
			 plan_may_divide_by_zero(e->binary.op, right));
}

void needs_condition(struct walk *w, const struct texpr *e)
{
	if (e->kind == TEXPR_LOGICAL && e->binary.op != OP_LXOR) {
		needs_condition(w, e->binary.left);
		needs_condition(w, e->binary.right);
	} else if (e->kind == TEXPR_NOT) {
		needs_condition(w, e->operand);
	} else {
		needs_value(w, e);
	}
}

static void needs_compare_strings(struct walk *w, const struct texpr *e)
{
	const struct texpr *text;
	if (plan_compares_execname(e, &text)) {
		if (strnlen(text->string.text, text->string.len) <= 15)
			needs_comm(w);
		return;
	}
	needs_string_temp(w, e->binary.left);
	needs_string_temp(w, e->binary.right);
	needs_function(w, RT_string_compare);
}

static void needs_xor(struct walk *w, const struct texpr *e)
{
	needs_condition(w, e->binary.left);
	bool left = walk_push(w);
	needs_condition(w, e->binary.right);
	walk_pop(w, left);
}

static void needs_conditional(struct walk *w, const struct texpr *e,
			      void (*needs)(struct walk *, const struct texpr *))
{
	needs_condition(w, e->conditional.condition);
	needs(w, e->conditional.then);
	needs(w, e->conditional.otherwise);
}

void needs_value(struct walk *w, const struct texpr *e)
{
	needs_instructions(w);
	if (e->type->kind == TYPE_STRING && e->kind != TEXPR_ASSIGN && e->kind != TEXPR_COMMA) {
		needs_string_temp(w, e);
		return;
	}
	switch (e->kind) {
	case TEXPR_BUILTIN:
		needs_builtin(w, e->builtin);
		return;
	case TEXPR_ARGUMENT:
		needs_argument(w, e->argument.index);
		return;
	case TEXPR_UREG:
		needs_ureg(w, e);
		return;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
	case TEXPR_FIELD:
		needs_variable_value(w, e);
		return;
	case TEXPR_LOAD:
		needs_source(w, e->load.address, e->load.user || e->load.is_quiet);
		if (e->load.is_quiet)
			needs_quiet_read(w);
		else
			needs_read(w, e->load.user);
		return;
	case TEXPR_NEGATE:
	case TEXPR_COMPLEMENT:
	case TEXPR_CONVERT:
		needs_value(w, e->operand);
		return;
	case TEXPR_NOT:
		needs_condition(w, e->operand);
		return;
	case TEXPR_BINARY:
		needs_binary(w, e);
		return;
	case TEXPR_LOGICAL:
		if (e->binary.op == OP_LXOR)
			needs_xor(w, e);
		else
			needs_condition(w, e);
		return;
	case TEXPR_COMPARE_STRINGS:
		needs_compare_strings(w, e);
		return;
	case TEXPR_CONDITIONAL:
		needs_conditional(w, e, needs_value);
		return;
	case TEXPR_COMMA:
		needs_discarded(w, e->binary.left);
		needs_value(w, e->binary.right);
		return;
	case TEXPR_ADDRESS:
		needs_kept_address(w, e->operand);
		return;
	case TEXPR_ASSIGN:
		needs_assign(w, e);
		return;
	case TEXPR_UPDATE:
		needs_update(w, e);
		return;
	case TEXPR_CALL:
		needs_call(w, e);
		return;
	default:
		return;
	}
}

void needs_source(struct walk *w, const struct texpr *e, bool user)
{
	needs_value(w, e);
	if (!user && plan_may_be_scratch(w->plan, e))
		needs_piece_test(w);
}

void needs_discarded(struct walk *w, const struct texpr *e)
{
	bool by_reference = type_is_struct(e->type) || e->type->kind == TYPE_ARRAY;
	if (e->kind == TEXPR_ASSIGN)
		needs_assign(w, e);
	else if (e->kind == TEXPR_STRING_AT)
		needs_discarded(w, e->load.address);
	else if (e->type->kind == TYPE_STRING)
		needs_string_temp(w, e);
	else if (by_reference && e->kind == TEXPR_LOAD)
		needs_value(w, e->load.address);
	else if (!by_reference)
		needs_value(w, e);
}

/* --- strings ---------------------------------------------------------------------------------- */

static void needs_execname(struct walk *w)
{
	needs_slot(w);
	if (!walk_is_resumed(w)) {
		needs_function(w, RT_string_comm);
		return;
	}
	needs_text(w, false);
}

static void needs_string_builtin(struct walk *w, const struct texpr *e)
{
	needs_slot(w);
	if (e->builtin == BUILTIN_execname) {
		needs_execname(w);
	} else if (e->builtin == BUILTIN_execargs) {
		if (walk_is_resumed(w))
			needs_fault(w);
		w->needs->user_memory = true;
		needs_function(w, walk_may_sleep(w) ? RT_execargs_sleepable : RT_execargs);
		needs_slot_fault(w);
	} else if (e->builtin == BUILTIN_cgroupname) {
		needs_function(w, RT_cgroupname);
	} else if (e->builtin == BUILTIN_container) {
		needs_function(w, RT_container);
	} else if (is_probe_name(e)) {
		needs_function(w, RT_string_literal);
	}
}

static void needs_string_variable(struct walk *w, const struct texpr *e)
{
	needs_slot(w);
	needs_address(w, e);
	needs_function(w, plan_is_shared(w->plan, root_variable(e)) ? RT_string_load_shared
								    : RT_string_load);
}

void needs_string_at(struct walk *w, const struct texpr *e)
{
	if (e->kind == TEXPR_CALL) {
		needs_copyinstr(w, e);
		needs_text(w, true);
		return;
	}
	if (e->load.address->type->kind == TYPE_ARRAY)
		needs_address_number(w, e->load.address);
	else
		needs_source(w, e->load.address, e->load.user);
	needs_text(w, e->load.user);
}

void needs_string(struct walk *w, const struct texpr *e)
{
	if (plan_is_text(e)) {
		needs_string_at(w, e);
		return;
	}
	switch (e->kind) {
	case TEXPR_STRING:
		needs_slot(w);
		if (e->string.text)
			needs_function(w, RT_string_literal);
		return;
	case TEXPR_BUILTIN:
		needs_string_builtin(w, e);
		return;
	case TEXPR_VARIABLE:
	case TEXPR_ELEMENT:
	case TEXPR_FIELD:
		needs_string_variable(w, e);
		return;
	case TEXPR_CONDITIONAL:
		needs_conditional(w, e, needs_string);
		return;
	case TEXPR_CALL:
		needs_call(w, e);
		return;
	case TEXPR_ASSIGN:
		needs_assigned_string(w, e);
		return;
	case TEXPR_COMMA:
		needs_discarded(w, e->binary.left);
		needs_string(w, e->binary.right);
		return;
	default:
		needs_slot(w);
		return;
	}
}

void needs_string_temp(struct walk *w, const struct texpr *e)
{
	needs_slot(w);
	needs_string(w, e);
}
