/* SPDX-License-Identifier: BSD-2-Clause */
/* Statements, and actions that leave something in the record */
#include "codegen/gen.h"

static void gen_fields(struct gen *g, const struct tstmt *s, const struct action_layout *layout)
{
	if (gen_memory_fields(g, s, layout))
		return;
	const struct texpr *arg = s->action.args;
	for (unsigned i = 0; i < layout->field_count; i++, arg = arg->next)
		gen_field(g, arg, &layout->fields[i], g->state->record, false);
}

static void gen_action(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	struct clause_state *state = g->state;
	const struct action_layout *layout = &state->layout->actions[state->next_layout++];
	gen_fields(g, s, layout);
	if (s->action.kind == ACTION_EXIT) {
		emit_load(c, 4, R1, state->record.base,
			  state->record.offset + (int)layout->fields[0].offset);
		emit_call(c, RT_exit);
		gen_effect(g);
	}
	if (layout->flag >= 0) {
		int word = state->record.offset + (int)sizeof(struct record_header) +
			   layout->flag / 32 * 4;
		emit_load(c, 4, R0, state->record.base, word);
		emit_alu_number(c, BPF_OR, R0, (int32_t)(1u << layout->flag % 32));
		emit_store(c, 4, state->record.base, word, R0);
	}
}

static void gen_if(struct gen *g, const struct tstmt *s)
{
	label otherwise = label_new(&g->code), end = label_new(&g->code);
	long_jump_push(g, &end);
	long_jump_push(g, &otherwise);
	gen_condition(g, s->if_.condition, otherwise);
	gen_statements(g, s->if_.then);
	if (s->if_.otherwise)
		emit_jump(&g->code, end);
	long_jump_pop(g, otherwise);
	gen_statements(g, s->if_.otherwise);
	long_jump_pop(g, end);
}

/* The text at RANGE, up to the end of its line. */
static const char *line_text(struct gen *g, struct range range)
{
	const struct source *source = range.source;
	if (!source || range.begin >= range.end || range.end > source->len)
		return NULL;
	const char *begin = source->text + range.begin;
	const char *end = memchr(begin, '\n', range.end - range.begin);
	return arena_strndup(g->arena, begin,
			     end ? (size_t)(end - begin) : range.end - range.begin);
}

void mark_line(struct gen *g, struct range range)
{
	struct line_mark mark = {
		.instruction = (uint32_t)g->code.insns.count,
		.clause = g->state->clause->index,
		.line = range.line,
		.text = line_text(g, range),
	};
	vector_push(&g->code.lines, mark);
}

void mark_part(struct gen *g, const char *text)
{
	struct line_mark mark = {
		.instruction = (uint32_t)g->code.insns.count,
		.clause = UINT32_MAX,
		.text = text,
	};
	vector_push(&g->code.lines, mark);
}

void gen_statements(struct gen *g, const struct tstmt *list)
{
	for (const struct tstmt *s = list; s; s = s->next) {
		int mark = g->code.frame_used;
		uint32_t slot_mark = g->slot.used;
		unsigned temps_mark = g->temps_used;
		long_jumps_place(g);
		mark_line(g, s->range);
		g->state->action = s->number; /* faults name it */
		switch (s->kind) {
		case TSTMT_EXPRESSION:
			gen_discarded(g, s->expr);
			break;
		case TSTMT_IF:
			gen_if(g, s);
			break;
		case TSTMT_LOOP:
			gen_loop(g, s);
			break;
		case TSTMT_BREAK:
		case TSTMT_CONTINUE:
			gen_loop_leave(g, s);
			break;
		case TSTMT_ACTION:
			gen_action(g, s);
			break;
		case TSTMT_AGGREGATE:
			gen_aggregate(g, s);
			gen_effect(g);
			break;
		case TSTMT_SPECULATION:
			gen_speculation(g, s);
			break;
		}
		frame_release(&g->code, mark);
		slot_release(g, slot_mark);
		g->temps_used = temps_mark;
	}
}
