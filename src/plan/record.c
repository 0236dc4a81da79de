/* SPDX-License-Identifier: BSD-2-Clause */
/* The records that clauses leave: header, flags of conditional actions, fields */
#include "plan/plan_internal.h"

/* A literal as long as a string can be. */
static const char *cut_literal(const struct planner *p, const char *text)
{
	return arena_strndup(p->arena, text, strnlen(text, p->options->string_size));
}

static struct value_field record_field(const struct planner *p, const struct texpr *e)
{
	struct value_field f = key_field(type_resolve(e->type), e, p->options->string_size);
	switch (f.kind) {
	case VALUE_STRING:
		if (e->kind == TEXPR_STRING && e->string.text &&
		    (e->string.is_argument || !clause_is_open(p))) {
			f = (struct value_field) { .kind = VALUE_STRING_CONST,
						   .is_argument = e->string.is_argument,
						   .text = cut_literal(p, e->string.text) };
		} else if (e->kind == TEXPR_BUILTIN && e->builtin == BUILTIN_execname &&
			   p->options->string_size >= 15) {
			f = (struct value_field) { .kind = VALUE_STRING_INLINE, .size = 16 };
		} else {
			f.size = sizeof(struct record_ref);
		}
		break;
	case VALUE_STACK:
	case VALUE_USTACK:
		f.size = sizeof(struct record_ref);
		f.strings = type_is_kept_stack(e->type) ? 0 : e->stack.strings;
		break;
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		f.size = 0;
		break;
	case VALUE_BYTES:
		f.is_text = type_resolve(e->type)->kind == TYPE_ARRAY &&
			    type_resolve(type_resolve(e->type)->target)->is_char;
		break;
	default:
		if (type_resolve(e->type)->kind == TYPE_FLOAT)
			f.kind = VALUE_FLOAT;
	}
	return f;
}

/* The most bytes that the field of E may add to the record's tail. */
static uint32_t tail_room(const struct planner *p, const struct texpr *e,
			  const struct value_field *f)
{
	switch (f->kind) {
	case VALUE_STRING:
		return ALIGN_UP(p->options->string_size + 1, 8);
	case VALUE_STACK:
	case VALUE_USTACK:
		if (type_is_kept_stack(e->type))
			return type_size(e->type);
		return 8 * (e->stack.frames + e->stack.interpreted) + 8;
	default:
		return 0;
	}
}

unsigned plan_count_actions(const struct tstmt *s)
{
	unsigned n = 0;
	for (; s; s = s->next) {
		if (s->kind == TSTMT_ACTION)
			n++;
		else if (tstmt_has_branches(s))
			n += plan_actions_inside(s);
	}
	return n;
}

unsigned plan_actions_inside(const struct tstmt *s)
{
	return plan_count_actions(s->if_.then) + plan_count_actions(s->if_.otherwise);
}

bool plan_prints_in_loops(const struct tstmt *list)
{
	for (const struct tstmt *s = list; s; s = s->next)
		if (s->kind == TSTMT_LOOP
			    ? plan_actions_inside(s)
			    : s->kind == TSTMT_IF && (plan_prints_in_loops(s->if_.then) ||
						      plan_prints_in_loops(s->if_.otherwise)))
			return true;
	return false;
}

uint64_t plan_records_of_loops(const struct plan *p, const struct tstmt *list)
{
	uint64_t count = 0;
	for (const struct tstmt *s = list; s; s = s->next) {
		if (!tstmt_has_branches(s))
			continue;
		uint64_t inside = plan_records_of_loops(p, s->if_.then) +
				  plan_records_of_loops(p, s->if_.otherwise);
		if (s->kind == TSTMT_IF)
			count += inside;
		else if (plan_actions_inside(s))
			count += (inside + 1) *
				 (s->if_.passes_known ? s->if_.passes : p->options->loop_passes);
	}
	return count;
}

/* Fields that are not simply the action's arguments: they are listed at enum action_kind. */
static unsigned place_memory(const struct tstmt *s, struct value_field *fields)
{
	const struct value_field bytes = { .kind = VALUE_BYTES, .size = s->action.size };
	switch (s->action.kind) {
	case ACTION_TRACEMEM:
		fields[0] = bytes;
		return s->action.count;
	case ACTION_PRINT:
		if (!s->action.at_address) {
			if (s->action.size) /* printsize may truncate it */
				fields[0].size = s->action.size;
			return s->action.count;
		}
		memmove(fields + 2, fields + 1, s->action.text_count * sizeof(*fields));
		fields[0] = (struct value_field) { .kind = VALUE_INTEGER, .size = 8 };
		fields[1] = bytes;
		return 2 + s->action.text_count;
	case ACTION_PCAP:
		fields[0] = (struct value_field) { .kind = VALUE_INTEGER, .size = 4 };
		fields[1] = (struct value_field) { .kind = VALUE_MEMORY,
						   .size = sizeof(struct record_ref) };
		return 2;
	default:
		return s->action.count;
	}
}

/* TAIL grows by the most bytes that the action may add. */
static void place_action(struct planner *p, const struct tstmt *s, struct action_layout *ret,
			 uint32_t *tail)
{
	*ret = (struct action_layout) { .kind = s->action.kind, .flag = -1 };
	ret->format = s->action.format;
	ret->type = s->action.type;
	ret->texts = s->action.texts;
	ret->text_count = s->action.text_count;
	ret->link = s->action.packet.link;
	struct value_field *fields = arena_alloc(p->arena, (s->action.count + 2) * sizeof(*fields));
	const struct texpr *arg = s->action.args;
	for (unsigned i = 0; arg; arg = arg->next, i++) {
		fields[i] = record_field(p, arg);
		*tail += tail_room(p, arg, &fields[i]);
	}
	if (s->action.kind == ACTION_PCAP)
		*tail += ALIGN_UP(s->action.size, 8);
	ret->field_count = place_memory(s, fields);
	ret->fields = fields;
	uint32_t *list = arena_alloc(p->arena, (s->action.aggregation_count + 1) * sizeof(*list));
	for (unsigned i = 0; i < s->action.aggregation_count; i++)
		list[i] = s->action.aggregations[i]->index;
	ret->aggregations = list;
	ret->aggregation_count = s->action.aggregation_count;
}

static void place_actions(struct planner *p, const struct tstmt *s, bool conditional,
			  struct action_layout *actions, unsigned *next, uint32_t *tail)
{
	for (; s; s = s->next) {
		if (tstmt_has_branches(s)) {
			place_actions(p, s->if_.then, true, actions, next, tail);
			place_actions(p, s->if_.otherwise, true, actions, next, tail);
		} else if (s->kind == TSTMT_ACTION) {
			place_action(p, s, &actions[*next], tail);
			actions[*next].flag = conditional ? (int)*next : -1;
			(*next)++;
		}
	}
}

static const char *description_of(const struct planner *p, const struct probe_desc *d)
{
	return arena_printf(p->arena, "%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
}

void place_record(struct planner *p, const struct tclause *clause, struct clause_plan *plan)
{
	p->clause = clause;
	unsigned count = plan_count_actions(clause->body) + clause->default_action;
	struct action_layout *actions = arena_alloc(p->arena, (count + 1) * sizeof(*actions));
	unsigned next = 0;
	bool prints_in_loops = plan_prints_in_loops(clause->body);
	place_actions(p, clause->body, prints_in_loops, actions, &next, &plan->tail);
	if (clause->default_action)
		actions[next++] = (struct action_layout) { .kind = ACTION_DEFAULT, .flag = -1 };
	bool conditional = false;
	for (unsigned i = 0; i < next; i++)
		conditional |= actions[i].flag >= 0;
	struct clause_layout *ret = &plan->layout;
	*ret = (struct clause_layout) {
		.epid = clause->index + 1,
		.description = description_of(p, &clause->desc),
		.source = clause->range.source->name,
		.line = clause->range.line,
		.records = next > 0,
		.flag_words = conditional ? (next + prints_in_loops + 63) / 64 : 0,
		.continues = prints_in_loops ? next + 1 : 0,
		.actions = actions,
		.action_count = next,
	};
	uint32_t offset = (uint32_t)sizeof(struct record_header) + 8 * ret->flag_words;
	if (p->plan->options->is_for_programs) {
		ret->thread = offset;
		offset += sizeof(struct record_thread);
	}
	for (unsigned i = 0; i < next; i++)
		for (unsigned j = 0; j < actions[i].field_count; j++) {
			struct value_field *f = (struct value_field *)&actions[i].fields[j];
			offset = aligned_to(offset, f->kind == VALUE_STRING ? 4 : f->size);
			f->offset = offset;
			offset += f->size;
		}
	ret->fixed_size = ALIGN_UP(offset, 8);
}
