/* SPDX-License-Identifier: BSD-2-Clause */
/* Predicates of the typed tree, for plan and codegen */
#include "plan/plan.h"

struct variable *root_variable(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	if (e->kind == TEXPR_VARIABLE)
		return e->variable;
	return e->kind == TEXPR_ELEMENT ? e->element.variable : NULL;
}

/* Is the address E surely one of the kernel, on some way?  Of variables it is not known. */
static bool is_of_kernel(const struct texpr *e)
{
	switch (e->kind) {
	case TEXPR_INTEGER: /* a symbol */
		return e->integer < 0;
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_curthread;
	case TEXPR_CALL:
		return e->call.function == SUBROUTINE_getf ||
		       e->call.function == SUBROUTINE_mutex_owner;
	case TEXPR_LOAD:
		return e->load.is_quiet || (!e->load.user && is_of_kernel(e->load.address));
	case TEXPR_CONVERT:
		return is_of_kernel(e->operand);
	case TEXPR_BINARY:
		return is_of_kernel(e->binary.left) || is_of_kernel(e->binary.right);
	case TEXPR_COMMA:
		return is_of_kernel(e->binary.right);
	case TEXPR_CONDITIONAL:
		return is_of_kernel(e->conditional.then) || is_of_kernel(e->conditional.otherwise);
	default:
		return false;
	}
}

enum kernel_memory plan_memory_at(const struct texpr *e)
{
	return is_of_kernel(e) ? KERNEL_MEMORY_SURELY : KERNEL_MEMORY_PERHAPS;
}

bool is_probe_name(const struct texpr *e)
{
	return e->kind == TEXPR_BUILTIN &&
	       (e->builtin == BUILTIN_probeprov || e->builtin == BUILTIN_probemod ||
		e->builtin == BUILTIN_probefunc || e->builtin == BUILTIN_probename);
}

uint32_t string_bound(const struct texpr *e, uint32_t string_size)
{
	switch (e->kind) {
	case TEXPR_STRING:
		return MIN(e->string.len, string_size);
	case TEXPR_BUILTIN:
		return e->builtin == BUILTIN_execname ? MIN(15, string_size) : string_size;
	case TEXPR_CONDITIONAL: {
		/* Not inside of MAX(), which would look twice, and at each level again. */
		uint32_t then = string_bound(e->conditional.then, string_size);
		uint32_t otherwise = string_bound(e->conditional.otherwise, string_size);
		return MAX(then, otherwise);
	}
	default:
		return string_size;
	}
}

bool is_zero_value(const struct texpr *e)
{
	return (e->kind == TEXPR_INTEGER && e->integer == 0) ||
	       (e->kind == TEXPR_STRING && !e->string.text);
}

bool is_execname(const struct texpr *e)
{
	return e->kind == TEXPR_BUILTIN && e->builtin == BUILTIN_execname;
}

bool plan_is_text(const struct texpr *e)
{
	return e->kind == TEXPR_STRING_AT ||
	       (e->kind == TEXPR_CALL && e->call.function == SUBROUTINE_copyinstr);
}

bool plan_compares_execname(const struct texpr *e, const struct texpr **text)
{
	const struct texpr *left = e->binary.left, *right = e->binary.right;
	bool swapped = is_execname(right);
	const struct texpr *name = swapped ? right : left;
	*text = swapped ? left : right;
	return (e->binary.op == OP_EQ || e->binary.op == OP_NE) && is_execname(name) &&
	       (*text)->kind == TEXPR_STRING && (*text)->string.text;
}

bool is_number_size(uint32_t size)
{
	return size && size <= 8 && (size & (size - 1)) == 0;
}

bool plan_may_divide_by_zero(enum op op, const struct texpr *right)
{
	return (op == OP_DIV || op == OP_MOD) && (right->kind != TEXPR_INTEGER || !right->integer);
}

bool plan_one_instruction(enum op op, bool is_signed, int64_t n)
{
	bool divides = op == OP_DIV || op == OP_MOD;
	bool shifts = op == OP_SHL || op == OP_SHR;
	return n == (int32_t)n && !(is_signed && divides) && !(divides && n <= 0) &&
	       !(shifts && (n < 0 || n > 63));
}

#define CONSTANT_MOST 65536

bool is_constant_size(const struct texpr *size)
{
	return size->kind == TEXPR_INTEGER && size->integer >= 0 && size->integer <= CONSTANT_MOST;
}

uint32_t alloca_constant_room(const struct texpr *size)
{
	return size->integer ? ALIGN_UP((uint32_t)size->integer + 1, 8) : 0;
}

bool clause_has_event(const struct tclause *clause, enum event_kind kind)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		for (const struct probe_event *e = clause->probes[i]->events; e; e = e->next)
			if (e->event.kind == kind && clause_is_on(clause, e))
				return true;
	return false;
}

void clause_count_events(const struct tclause *clause, unsigned *counts)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		for (const struct probe_event *e = clause->probes[i]->events; e; e = e->next)
			counts[e->event.kind] += clause_is_on(clause, e);
}

bool plan_argument_in_memory(const struct tclause *clause, unsigned index)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		for (const struct probe_event *e = clause->probes[i]->events; e; e = e->next)
			if (clause_is_on(clause, e) && index < EVENT_ARGS &&
			    event_argument(&e->event, index).kind == ARG_USER_MEMORY)
				return true;
	return false;
}

static enum speculates list_speculates(const struct tstmt *s)
{
	enum speculates ret = SPECULATES_NEVER;
	for (; s; s = s->next) {
		if (s->kind == TSTMT_SPECULATION && s->speculation.verb == VERB_speculate)
			return SPECULATES_ALWAYS;
		if (tstmt_has_branches(s) &&
		    (list_speculates(s->if_.then) != SPECULATES_NEVER ||
		     list_speculates(s->if_.otherwise) != SPECULATES_NEVER))
			ret = SPECULATES_SOMETIMES;
	}
	return ret;
}

enum speculates clause_speculates(const struct tclause *clause)
{
	return list_speculates(clause->body);
}

bool has_exit(const struct clause_layout *layout)
{
	for (unsigned i = 0; i < layout->action_count; i++)
		if (layout->actions[i].kind == ACTION_EXIT)
			return true;
	return false;
}
