/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about the typed tree that planning and generating both ask */
#include "plan/plan.h"

struct variable *root_variable(const struct texpr *e)
{
	while (e->kind == TEXPR_FIELD)
		e = e->field.base;
	if (e->kind == TEXPR_VARIABLE)
		return e->variable;
	return e->kind == TEXPR_ELEMENT ? e->element.variable : NULL;
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
	case TEXPR_CONDITIONAL:
		return MAX(string_bound(e->conditional.then, string_size),
			   string_bound(e->conditional.otherwise, string_size));
	default:
		return string_size;
	}
}

#define CONSTANT_MOST 65536

bool is_constant_size(const struct texpr *size)
{
	return size->kind == TEXPR_INTEGER && size->integer >= 0 && size->integer <= CONSTANT_MOST;
}

uint32_t alloca_constant_room(const struct texpr *size)
{
	return ALIGN_UP((uint32_t)size->integer + 1, 8);
}

bool clause_has_event(const struct tclause *clause, enum event_kind kind)
{
	for (unsigned i = 0; i < clause->probe_count; i++)
		if (clause->probes[i]->event == kind)
			return true;
	return false;
}

bool has_exit(const struct clause_layout *layout)
{
	for (unsigned i = 0; i < layout->action_count; i++)
		if (layout->actions[i].kind == ACTION_EXIT)
			return true;
	return false;
}
