/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dead code elimination; jumps to the next instruction are taken out, too
 *
 * The code generator emits alternatives before it knows whether a jump leads to them; the verifier
 * refuses unreachable code ("unreachable insn").  It takes out a jump that goes nowhere by itself,
 * moving the whole program each time: 20,000 clauses with one each took 7.3 s (6.18).
 */
#include "codegen/emit/emit.h"

struct reachability {
	const struct code *code;
	bool *reached;
	const int32_t *jumps; /* where each instruction jumps, or whose address it loads; or -1 */
	VECTOR(uint32_t) todo;
};

static void reachability_add(struct reachability *r, uint32_t at)
{
	if (at >= r->code->insns.count || r->reached[at])
		return;
	r->reached[at] = true;
	vector_push(&r->todo, at);
}

static void follow(struct reachability *r, uint32_t entry)
{
	reachability_add(r, entry);
	while (r->todo.count) {
		uint32_t at = r->todo.items[--r->todo.count];
		const struct bpf_insn *insn = &r->code->insns.items[at];
		if (r->jumps[at] >= 0)
			reachability_add(r, (uint32_t)r->jumps[at]);
		if (insn_is_wide(insn))
			r->reached[at + 1] = true;
		if (insn_falls_through(insn))
			reachability_add(r, at + (insn_is_wide(insn) ? 2 : 1));
	}
}

static int32_t *jump_targets(const struct code *c)
{
	int32_t *jumps = mem_alloc((c->insns.count + 1) * sizeof(*jumps));
	for (size_t i = 0; i < c->insns.count; i++)
		jumps[i] = -1;
	for (size_t i = 0; i < c->fixups.count; i++)
		jumps[c->fixups.items[i].instruction] =
			c->labels.items[c->fixups.items[i].target].at;
	for (size_t i = 0; i < c->relocations.count; i++)
		if (c->relocations.items[i].kind == RELOCATE_FUNCTION)
			jumps[c->relocations.items[i].instruction] =
				c->labels.items[c->relocations.items[i].addend].at;
	return jumps;
}

static bool is_goto(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_JA);
}

/* The last ones first: what an earlier one jumps over may be gone by then. */
static void drop_jumps_nowhere(const struct code *c, const int32_t *jumps, bool *reached)
{
	size_t count = c->insns.count;
	auto_free size_t *kept = mem_alloc((count + 1) * sizeof(*kept)); /* the first from i on */
	kept[count] = count;
	for (size_t i = count; i-- > 0;) {
		if (reached[i] && is_goto(&c->insns.items[i]) && jumps[i] > (int32_t)i &&
		    kept[jumps[i]] == kept[i + 1])
			reached[i] = false;
		kept[i] = reached[i] ? i : kept[i + 1];
	}
}

/* place[i]: the new index of instruction i; for a removed one: the index of the next. */
static uint32_t *instruction_places(const struct code *c, const bool *reached)
{
	uint32_t *place = mem_alloc((c->insns.count + 1) * sizeof(*place));
	uint32_t next = 0;
	for (size_t i = 0; i < c->insns.count; i++) {
		place[i] = next;
		next += reached[i];
	}
	place[c->insns.count] = next;
	return place;
}

static void compact(struct code *c, const bool *reached, const uint32_t *place)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->fixups.count; i++)
		if (reached[c->fixups.items[i].instruction]) {
			c->fixups.items[kept] = c->fixups.items[i];
			c->fixups.items[kept].instruction = place[c->fixups.items[i].instruction];
			kept++;
		}
	c->fixups.count = kept;
	kept = 0;
	for (size_t i = 0; i < c->relocations.count; i++)
		if (reached[c->relocations.items[i].instruction]) {
			c->relocations.items[kept] = c->relocations.items[i];
			c->relocations.items[kept].instruction =
				place[c->relocations.items[i].instruction];
			kept++;
		}
	c->relocations.count = kept;
	for (size_t i = 0; i < c->labels.count; i++)
		if (c->labels.items[i].at >= 0)
			c->labels.items[i].at = (int32_t)place[c->labels.items[i].at];
	for (size_t i = 0; i < c->lines.count; i++)
		c->lines.items[i].instruction = place[c->lines.items[i].instruction];
	for (size_t i = 0; i < c->insns.count; i++)
		if (reached[i])
			c->insns.items[place[i]] = c->insns.items[i];
	c->insns.count = place[c->insns.count];
}

static bool calls_error_clauses(const struct code *c, const bool *reached)
{
	for (size_t i = 0; i < c->relocations.count; i++)
		if (c->relocations.items[i].kind == RELOCATE_ERROR &&
		    reached[c->relocations.items[i].instruction])
			return true;
	return false;
}

uint32_t code_drop_dead(struct code *c, uint32_t second_entry)
{
	size_t count = c->insns.count;
	auto_free int32_t *jumps = jump_targets(c);
	auto_free bool *reached = mem_zalloc((count + 2) * sizeof(*reached));
	struct reachability r = { .code = c, .reached = reached, .jumps = jumps };
	follow(&r, 0);
	/* The verifier treats a subprogram without a caller as dead code, not as a subprogram. */
	if (second_entry && !calls_error_clauses(c, reached))
		second_entry = 0;
	if (second_entry)
		follow(&r, second_entry);
	vector_free(&r.todo);
	drop_jumps_nowhere(c, jumps, reached);
	auto_free uint32_t *place = instruction_places(c, reached);
	uint32_t moved = place[second_entry];
	compact(c, reached, place);
	return moved;
}
