/* SPDX-License-Identifier: BSD-2-Clause */
/* What the references of a group mean in the process */
#include "inject/code/trampoline.h"
#include "inject/internal.h"

/* Where a reference leads, from the memory's first byte; UINT64_MAX: it has no place there. */
static uint64_t group_place(const struct group_owner *g, const struct relocation *r)
{
	const struct injected_program *p = g->program;
	const struct process_head *h = &g->injector->layout.head;
	switch (r->kind) {
	case RELOCATE_MAP:
		return h->maps + r->index * sizeof(struct process_map);
	case RELOCATE_CONTROL:
		return h->control + r->addend;
	case RELOCATE_GLOBALS:
		return h->globals + r->addend;
	case RELOCATE_KEYLESS:
		return h->keyless + r->addend;
	case RELOCATE_SCRATCH:
		return h->scratch + r->addend;
	case RELOCATE_CONSTANTS:
		return p->constants + r->addend;
	case RELOCATE_CALLS:
		return h->calls + h->call_cells + r->addend;
	case RELOCATE_PROBES:
		return p->constants + constants_table(p->program, g->group) + r->addend;
	default:
		return UINT64_MAX;
	}
}

static bool group_refer(void *group, const struct relocation *r, uint64_t *ret)
{
	const struct group_owner *g = group;
	uint64_t place = group_place(g, r);
	if (place != UINT64_MAX)
		*ret = target_memory(g->injector) + place;
	else if (r->kind == RELOCATE_SLOTS_LAST)
		*ret = scratch_last_slot(g->injector->program);
	else if (r->kind == RELOCATE_CONSTANTS_END)
		*ret = constants_last_string(g->program->program);
	else if (r->kind == RELOCATE_CALLS_LAST)
		*ret = (call_cells(g->injector->program) - 1) * g->injector->program->call_size;
	else if (r->kind == RELOCATE_STACK_SKIP)
		*ret = 0;
	else
		return false;
	return true;
}

static bool group_bind(void *group, enum rt_function function, struct translate_binding *ret)
{
	const struct group_owner *g = group;
	if (function == RT_area)
		*ret = (struct translate_binding) { TRANSLATE_WORD, offsetof(struct firing, area) };
	else if (function == RT_cookie)
		*ret = (struct translate_binding) { TRANSLATE_WORD,
						    offsetof(struct firing, cookie) };
	else if (function == RT_target) /* whoever fires is in its tree */
		*ret = (struct translate_binding) { TRANSLATE_NUMBER,
						    (uint64_t)g->injector->target.pid };
	else if (agent_row(function))
		*ret = (struct translate_binding) { TRANSLATE_CALL, g->injector->target.base +
									    agent_row(function) };
	else
		return false;
	return true;
}

struct translate_owner group_owner(struct group_owner *g)
{
	return (struct translate_owner) { .arg = g,
					  .refer = group_refer,
					  .bind = group_bind,
					  .call_stack = AGENT_STACK,
					  .context_at = offsetof(struct firing, context) };
}
