/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * -xdump=plan: the programs, the places, then each clause with its needs
 *
 * A place is "where at offset"; a field of a key or record "kind at offset, size".
 */
#include <string.h>

#include "base/escape.h"
#include "plan/plan.h"

static const char *const moments[] = {
	[MOMENT_NEVER] = NULL,
	[MOMENT_BODY] = "in the body",
	[MOMENT_START] = "from the start",
};

/* A line's end, which all but the first of its parts come before with a comma. */
static void print_part(struct strbuf *out, bool *first, const char *part)
{
	strbuf_printf(out, "%s%s", *first ? "" : ", ", part);
	*first = false;
}

static void print_fields(const struct value_field *fields, unsigned count, struct strbuf *out)
{
	for (unsigned i = 0; i < count; i++)
		strbuf_printf(out, "%s %s at %u, %u", i ? ";" : "", value_kind_name(fields[i].kind),
			      fields[i].offset, fields[i].size);
}

static void print_key(const struct key_place *key, struct strbuf *out)
{
	strbuf_printf(out, "map %d, key of %u:", key->map, key->size);
	if (key->id)
		strbuf_printf(out, " id %u;", key->id);
	print_fields(key->fields, key->count, out);
	if (key->shard_offset)
		strbuf_printf(out, "; shard at %u, areas %u", key->shard_offset,
			      key->areas_per_shard);
	if (key->has_generations)
		strbuf_printf(out, "; generation in the globals at %u", key->generation_offset);
}

static void print_variable(const struct variable *v, const struct variable_place *place,
			   struct strbuf *out)
{
	static const char *const prefixes[] = {
		[SCOPE_GLOBAL] = "", [SCOPE_SELF] = "self->", [SCOPE_THIS] = "this->"
	};
	strbuf_printf(out, "%s%s: ", prefixes[v->scope], v->name);
	switch (place->home) {
	case HOME_BLOCK:
		strbuf_printf(out, "%s at %u",
			      v->scope == SCOPE_SELF ? "the thread's block" : "the globals",
			      place->offset);
		break;
	case HOME_FRAME:
		strbuf_printf(out, "the frame at %u", place->offset);
		break;
	case HOME_SLOT:
		strbuf_printf(out, "the slot at %u", place->offset);
		break;
	case HOME_CALL:
		strbuf_puts(out, "the call's cell");
		break;
	case HOME_MAP:
		print_key(&place->key, out);
		break;
	}
	strbuf_puts(out, place->is_pointed_to ? ", pointed to\n" : "\n");
}

static void print_aggregation(const struct aggregation_layout *a, struct strbuf *out)
{
	strbuf_printf(out, "@%s: value of %u, ", a->name, a->value_size);
	if (a->map < 0) {
		strbuf_printf(out, "keyless at %u\n", a->keyless_offset);
		return;
	}
	struct key_place key = plan_aggregation_key(a);
	print_key(&key, out);
	strbuf_putc(out, '\n');
}

static void print_sizes(const struct plan *p, struct strbuf *out)
{
	strbuf_printf(out, "globals %u, thread's block %u, keyless %u, zeros %u\n", p->globals_size,
		      p->self_size, p->keyless_size, p->zeros_size);
	strbuf_printf(out, "this variables: frame %u, slot %u%s\n", p->this_frame_size,
		      p->this_slot_size, plan_shares_slot(p) ? "; one slot for all clauses" : "");
	if (p->alloca_end > p->alloca_begin)
		strbuf_printf(out, "alloca memory: slot %u to %u, of unknown sizes %u\n",
			      p->alloca_begin, p->alloca_end, p->alloca_dynamic);
	if (p->piece_count)
		strbuf_printf(out, "pieces: %u at slot %u, this variables %u, kept %u\n",
			      p->piece_count, p->pieces_at, p->this_pieces, p->kept_pieces);
	if (p->suspended_size)
		strbuf_printf(out, "a suspended firing: %u\n", p->suspended_size);
	if (p->limits.spill)
		strbuf_puts(out, "the stack is too small: what grows is in the slot\n");
	if (p->limits.share_maps)
		strbuf_puts(out, "too many maps: keys share them\n");
}

static void print_functions(const struct needs *n, struct strbuf *out)
{
	strbuf_puts(out, "    calls:");
	for (unsigned i = 0; i < RT_COUNT; i++)
		if (clause_calls(n, i))
			strbuf_printf(out, " %s", rt_row_name(i));
	strbuf_putc(out, '\n');
}

static void print_needs(const struct needs *n, bool records, struct strbuf *out)
{
	bool first = true;
	strbuf_puts(out, "    needs: ");
	if (n->slot != MOMENT_NEVER) {
		print_part(out, &first, "slot ");
		strbuf_puts(out, moments[n->slot]);
	}
	if (n->time != MOMENT_NEVER) {
		print_part(out, &first, "time ");
		strbuf_puts(out, moments[n->time]);
	}
	if (n->run_time != MOMENT_NEVER) {
		print_part(out, &first, "run time ");
		strbuf_puts(out, moments[n->run_time]);
	}
	if (records)
		print_part(out, &first, "room for a record");
	if (needs_user_memory(n))
		print_part(out, &first, "user memory");
	if (needs_kernel_memory(n) == KERNEL_MEMORY_SURELY)
		print_part(out, &first, "kernel memory");
	if (needs_kernel_memory(n) == KERNEL_MEMORY_PERHAPS)
		print_part(out, &first, "perhaps kernel memory");
	if (n->suspends)
		print_part(out, &first, "may be suspended");
	if (n->lookahead_from) {
		print_part(out, &first, "looks before the body at reads from action ");
		strbuf_printf(out, "%u on", n->lookahead_from);
	}
	strbuf_puts(out, first ? "nothing\n" : "\n");
	print_functions(n, out);
}

static void print_record(const struct plan *p, const struct tclause *clause, struct strbuf *out)
{
	const struct clause_plan *c = plan_clause(p, clause);
	if (!c->layout.records) {
		strbuf_puts(out, "no record\n");
		return;
	}
	strbuf_printf(out, "record of %u%s", c->layout.fixed_size,
		      c->layout.thread ? " with its thread" : "");
	if (c->tail)
		strbuf_printf(out, " and at most %u after it", c->tail);
	strbuf_printf(out, " in the %s\n", plan_record_in_frame(p, clause) ? "frame" : "slot");
	for (unsigned i = 0; i < c->layout.action_count; i++) {
		const struct action_layout *a = &c->layout.actions[i];
		strbuf_printf(out, "  %s:", action_name(a->kind));
		print_fields(a->fields, a->field_count, out);
		strbuf_putc(out, '\n');
	}
}

static void print_clause(const struct plan *p, const struct tclause *clause, struct strbuf *out)
{
	strbuf_printf(out, "clause %u, line %u: ", clause->index + 1, clause->range.line);
	print_record(p, clause, out);
	for (int event = 0; event < EVENT_COUNT; event++) {
		const struct needs *n = plan_clause(p, clause)->needs[event][false];
		if (!n || event_is_resumption(event))
			continue;
		strbuf_printf(out, "  at %s\n", event_name(event));
		print_needs(n, plan_clause(p, clause)->layout.records, out);
	}
}

/* --- programs --------------------------------------------------------------------------------- */

#define EVENTS_SHOWN 8

static void print_event(const struct group_event *e, struct strbuf *out)
{
	for (unsigned i = 0; i < e->probe_count; i++) {
		const struct probe *p = e->probes[i];
		auto_free char *name = mem_printf("%s%s:%s:%s:%s", i ? " + " : " ", p->provider,
						  p->module, p->function, p->name);
		escape_add(out, name, strlen(name), ESCAPE_NEWLINES);
	}
}

/* Numbers from 1 on, those in a row as "first-last". */
static void print_clauses(const struct event_group *g, uint32_t begin, uint32_t end,
			  struct strbuf *out)
{
	for (uint32_t i = begin; i < end; i++) {
		uint32_t first = g->clauses[i].clause->index + 1, last = first;
		strbuf_printf(out, "%s%u", i == begin ? " " : ", ", first);
		for (; i + 1 < end && g->clauses[i + 1].clause->index == last; i++)
			last++;
		if (last > first)
			strbuf_printf(out, "-%u", last);
	}
}

static void print_part_of(const struct event_group *g, uint32_t number, struct strbuf *out)
{
	struct group_part part = g->parts[number];
	strbuf_printf(out, "  part %u:", number + 1);
	for (uint32_t step = part.begin, end; step < part.end; step = end) {
		uint32_t pass = step / g->clause_count, first = pass * g->clause_count;
		end = MIN(part.end, first + g->clause_count);
		if (g->passes > 1)
			strbuf_printf(out, "%s pass %u,", step > part.begin ? ";" : "", pass + 1);
		strbuf_puts(out, " clauses");
		print_clauses(g, step - first, end - first, out);
	}
	strbuf_putc(out, '\n');
}

static void print_group(const struct event_group *g, struct strbuf *out)
{
	strbuf_printf(out, "program for %s, %u event%s:", event_name(g->kind), g->event_count,
		      g->event_count == 1 ? "" : "s");
	for (uint32_t i = 0; i < g->event_count && i < EVENTS_SHOWN; i++) {
		strbuf_puts(out, i ? "," : "");
		print_event(&g->events[i], out);
	}
	strbuf_puts(out, g->event_count > EVENTS_SHOWN ? ", ...\n" : "\n");
	strbuf_puts(out, "  clauses");
	print_clauses(g, 0, g->clause_count, out);
	if (g->passes > 1)
		strbuf_printf(out, ", in %u passes", g->passes);
	if (g->layout_count > 1)
		strbuf_printf(out, ", %u layouts of arguments", g->layout_count);
	strbuf_putc(out, '\n');
	for (uint32_t i = 0; g->part_count > 1 && i < g->part_count; i++)
		print_part_of(g, i, out);
}

/* --- the whole -------------------------------------------------------------------------------- */

void plan_print(const struct plan *p, struct strbuf *out)
{
	for (unsigned i = 0; i < p->groups.count; i++)
		print_group(&p->groups.items[i], out);
	print_sizes(p, out);
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		for (unsigned i = 0; i < p->typed->variable_count[scope]; i++)
			print_variable(p->typed->variables[scope][i], &p->variables[scope][i], out);
	for (unsigned i = 0; i < p->typed->aggregation_count; i++)
		print_aggregation(&p->aggregations[i], out);
	for (unsigned i = 0; i < p->typed->clause_count; i++)
		print_clause(p, p->typed->clauses[i], out);
}
