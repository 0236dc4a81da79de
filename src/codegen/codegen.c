/* SPDX-License-Identifier: BSD-2-Clause */
#include "codegen/codegen.h"

#include "codegen/gen.h"

void *gen_keep(struct gen *g, const void *items, size_t size)
{
	void *to = arena_alloc(g->arena, size ? size : 1);
	if (size)
		memcpy(to, items, size);
	return to;
}

/* A power of two, so that the run-time library finds a slot's start by a mask. */
static uint32_t slot_size(const struct gen *g)
{
	uint32_t size = 256;
	while (size < g->slot_max && size < 1u << 31)
		size *= 2;
	return size;
}

/* What a record costs in the buffer beside its own bytes: the ring's header, rounding. */
#define RING_OVERHEAD 16

/* Room for the fault records of a program whose clauses leave none of their own. */
#define FAULTS_ONLY (256u << 10)

static void sum_records(struct gen *g)
{
	struct program *p = g->program;
	uint64_t total = 0;
	bool bounded = !g->options->more_may_come, any = false;
	for (unsigned i = 0; i < g->typed->clause_count; i++) {
		const struct tclause *clause = g->typed->clauses[i];
		uint64_t size = clause_record_size(g, clause);
		p->largest_record = MAX(p->largest_record, size);
		any |= g->clauses[i].records;
		total += size + RING_OVERHEAD + sizeof(struct record_header) +
			 sizeof(struct record_fault) + RING_OVERHEAD;
		for (unsigned j = 0; j < clause->probe_count; j++) {
			bool is_end = clause->probes[j]->event == EVENT_END;
			bounded &= clause->probes[j]->event == EVENT_BEGIN || is_end ||
				   clause->probes[j]->id == PROBE_ERROR;
			if (is_end && g->clauses[i].records)
				p->end_records += size + RING_OVERHEAD;
		}
	}
	bounded &= !g->error_probe; /* one for each fault */
	p->records_at_most = bounded ? total * 2 : any ? UINT64_MAX : FAULTS_ONLY;
}

/* What all groups must know of dtrace:::ERROR. */
static void see_error_clauses(struct gen *g)
{
	for (unsigned i = 0; i < g->typed->clause_count; i++) {
		const struct tclause *clause = g->typed->clauses[i];
		for (unsigned j = 0; j < clause->probe_count; j++)
			if (clause->probes[j]->id == PROBE_ERROR)
				g->error_probe = clause->probes[j];
		g->error_exits |= is_error_clause(clause) && has_exit(&g->clauses[i]);
	}
}

static void gen_groups(struct gen *g)
{
	struct group_code *groups = arena_alloc(g->arena, EVENT_COUNT * sizeof(*groups));
	unsigned count = 0;
	for (int kind = 0; kind < EVENT_COUNT; kind++)
		if (gen_group(g, kind, &groups[count]))
			count++;
	g->program->groups = groups;
	g->program->group_count = count;
}

static void finish(struct gen *g)
{
	struct program *p = g->program;
	p->version = RECORD_VERSION;
	p->clauses = g->clauses;
	p->clause_count = g->typed->clause_count;
	p->aggregations = g->aggregations;
	p->aggregation_count = g->typed->aggregation_count;
	p->maps = gen_keep(g, g->maps.items, g->maps.count * sizeof(*g->maps.items));
	p->map_count = (unsigned)g->maps.count;
	/* Room for a whole string behind the last literal: the verifier wants it. */
	strbuf_fill(&g->constants, 0, string_room(g));
	p->constants = gen_keep(g, g->constants.text, g->constants.len);
	p->constants_size = (uint32_t)g->constants.len;
	p->slot_size = slot_size(g);
	p->string_size = g->options->string_size;
	p->area_count = g->options->area_count;
	p->cpu_count = g->options->cpu_count;
	p->drops_by_clause = g->options->drops_by_clause;
	sum_records(g);
}

/* True if it did not fit, and what it needs to do so was not known yet: to be done anew. */
static bool generate(struct gen *g)
{
	bool spill = g->spill, share_maps = g->share_maps;
	g->literals = hash_new();
	*g->program = (struct program) { 0 };
	layout_program(g);
	for (unsigned i = 0; i < g->typed->clause_count; i++)
		layout_clause(g, g->typed->clauses[i], &g->clauses[i]);
	see_error_clauses(g);
	gen_groups(g);
	if (!g->overflow && !g->many_maps)
		finish(g);
	hash_free(g->literals);
	strbuf_deinit(&g->constants);
	vector_free(&g->maps);
	vector_free(&g->far);
	vector_free(&g->redone);
	vector_free(&g->looks);
	vector_free(&g->pieces);
	code_deinit(&g->code);
	return (g->overflow && !spill) || (g->many_maps && !share_maps);
}

bool codegen_program(struct arena *a, const struct typed_program *t,
		     const struct codegen_options *options, struct diagnostics *d,
		     struct program *ret)
{
	size_t mistakes = d->list.count;
	const struct gen begin = {
		.arena = a,
		.typed = t,
		.options = options,
		.diagnostics = d,
		.program = ret,
	};
	struct gen g = begin;
	while (generate(&g) && d->list.count == mistakes) {
		struct gen again = begin;
		again.spill = g.spill || g.overflow;
		again.temps_max = g.temps_max;
		again.share_maps = g.share_maps || g.many_maps;
		g = again;
	}
	return d->list.count == mistakes;
}
