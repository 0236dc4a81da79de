/* SPDX-License-Identifier: BSD-2-Clause */
/* One group: its instructions, what an executor completes of them, its lines and its probe table */
#include <string.h>

#include "program/program_internal.h"

#define FRAME_SIZE 512
#define REGISTERS 11

struct code {
	struct verify *v;
	const struct group_code *group;
	const char *name;
	bool *begins; /* by instruction: does one begin there? Not at the second half of 16
		       * bytes. */
	uint32_t met; /* of the relocations, in their order */
	/* By register: does it point to memory that areas share, on the way that leads here without
	 * a jump? */
	bool shared[REGISTERS];
};

/* --- relocations -------------------------------------------------------------------- */

static uint64_t table_size(const struct group_code *group)
{
	return (uint64_t)group->table_entries * group->table_entry_size;
}

/* The size of the memory that an address of this kind points into; UINT64_MAX: it is a number. */
static uint64_t region_size(const struct program *p, const struct group_code *group,
			    enum relocation_kind kind)
{
	switch (kind) {
	case RELOCATE_CONTROL:
		return sizeof(struct control);
	case RELOCATE_GLOBALS:
		return p->globals_size;
	case RELOCATE_KEYLESS:
		return p->keyless_size;
	case RELOCATE_SCRATCH:
		return p->slot_size;
	case RELOCATE_CONSTANTS:
		return p->constants_size;
	case RELOCATE_PROBES:
		return table_size(group);
	case RELOCATE_CALLS:
		return p->call_size;
	case RELOCATE_CGROUPS:
		return CGROUP_CELLS * sizeof(uint64_t);
	default:
		return UINT64_MAX;
	}
}

static void verify_relocation(struct code *c, const struct relocation *r, const struct bpf_insn *n)
{
	const struct program *p = c->v->program;
	switch (r->kind) {
	case RELOCATE_CALL:
		holds(c->v, insn_is_call(n), "%s: %u: a call is not completed at a call", c->name,
		      r->instruction);
		holds(c->v, r->index < RT_COUNT, "%s: %u: run-time function %u is not there",
		      c->name, r->instruction, r->index);
		return;
	case RELOCATE_ERROR:
		holds(c->v, insn_is_call(n), "%s: %u: a call is not completed at a call", c->name,
		      r->instruction);
		holds(c->v, c->group->error_entry, "%s: %u: there are no ERROR clauses", c->name,
		      r->instruction);
		return;
	case RELOCATE_MAP:
		holds(c->v, r->index < p->map_count, "%s: %u: map %u is not there", c->name,
		      r->instruction, r->index);
		break;
	case RELOCATE_FUNCTION:
		holds(c->v, r->addend < c->group->count && c->begins[r->addend],
		      "%s: %u: a function begins at %u, which is not an instruction", c->name,
		      r->instruction, r->addend);
		break;
	default:
		holds(c->v, r->kind <= RELOCATE_THREADS, "%s: %u: a relocation is of no kind",
		      c->name, r->instruction);
		holds(c->v, r->kind != RELOCATE_PARTS || c->group->part + 1 < c->group->parts,
		      "%s: %u: no part comes after this one", c->name, r->instruction);
		holds(c->v, r->addend < region_size(p, c->group, r->kind),
		      "%s: %u: an address is %u bytes into a smaller region", c->name,
		      r->instruction, r->addend);
	}
	holds(c->v, insn_is_wide(n), "%s: %u: an address is not completed at a 16-byte load",
	      c->name, r->instruction);
}

/* The relocation at instruction AT, or NULL. */
static const struct relocation *relocation_at(struct code *c, uint32_t at)
{
	if (c->met == c->group->relocation_count || c->group->relocations[c->met].instruction != at)
		return NULL;
	return &c->group->relocations[c->met++];
}

static void verify_all_met(struct code *c)
{
	if (c->met < c->group->relocation_count)
		holds(c->v, false, "%s: relocations are not in order, or not at instructions: %u",
		      c->name, c->group->relocations[c->met].instruction);
}

/* --- instructions ------------------------------------------------------------------- */

static void find_begins(struct code *c)
{
	const struct group_code *h = c->group;
	uint32_t i = 0;
	while (i < h->count) {
		c->begins[i] = true;
		i += insn_is_wide(&h->code[i]) ? 2 : 1;
	}
	holds(c->v, i == h->count, "%s: the last instruction is half of one", c->name);
}

/* Instructions of main come before those of the ERROR clauses; do A and B belong to one? */
static bool same_function(const struct group_code *h, uint32_t a, uint32_t b)
{
	return !h->error_entry || (a < h->error_entry) == (b < h->error_entry);
}

static void verify_jump(struct code *c, const struct bpf_insn *n, uint32_t at)
{
	int op = BPF_OP(n->code);
	if (op == BPF_EXIT || op == BPF_CALL)
		return;
	int64_t target = (int64_t)at + 1 + n->off;
	if (holds(c->v, target >= 0 && target < c->group->count && c->begins[target],
		  "%s: %u jumps to %lld, which is not an instruction", c->name, at,
		  (long long)target))
		holds(c->v, same_function(c->group, at, (uint32_t)target),
		      "%s: %u jumps to %lld, of another function", c->name, at, (long long)target);
}

static void verify_memory(struct code *c, const struct bpf_insn *n, uint32_t at)
{
	int base = BPF_CLASS(n->code) == BPF_LDX ? n->src_reg : n->dst_reg;
	int size = (int)insn_width(n);
	if (base != BPF_REG_10)
		return;
	holds(c->v, n->off >= -FRAME_SIZE && n->off + size <= 0,
	      "%s: %u: %+d is outside of the frame", c->name, at, n->off);
	holds(c->v, n->off % size == 0, "%s: %u: %+d in the frame is not aligned", c->name, at,
	      n->off);
}

/* Do areas share the memory that an address of this kind points to? */
static bool region_is_shared(enum relocation_kind kind)
{
	return kind == RELOCATE_CONTROL || kind == RELOCATE_GLOBALS || kind == RELOCATE_CALLS ||
	       kind == RELOCATE_CONSTANTS || kind == RELOCATE_PROBES || kind == RELOCATE_CGROUPS;
}

/* What N, with the relocation R, makes of the registers that point to shared memory. */
static void follow_shared(struct code *c, const struct bpf_insn *n, const struct relocation *r)
{
	int class = BPF_CLASS(n->code);
	bool is_result = class == BPF_ALU || class == BPF_ALU64 || class == BPF_LDX;
	if (insn_is_wide(n))
		c->shared[n->dst_reg] = r && region_is_shared(r->kind);
	else if (n->code == (BPF_ALU64 | BPF_MOV | BPF_X))
		c->shared[n->dst_reg] = n->off == 0 && c->shared[n->src_reg];
	else if (n->code == (BPF_ALU64 | BPF_ADD | BPF_X))
		c->shared[n->dst_reg] |= c->shared[n->src_reg];
	else if (is_result && n->code != (BPF_ALU64 | BPF_ADD | BPF_K))
		c->shared[n->dst_reg] = false;
	if (insn_is_call(n))
		memset(c->shared, 0, (BPF_REG_5 + 1) * sizeof(bool));
}

/* abi/state.h: an executor may omit the lock of an atomic operation that does not fetch. */
static void verify_private(struct code *c, const struct bpf_insn *n, uint32_t at)
{
	bool is_private = BPF_CLASS(n->code) == BPF_STX && BPF_MODE(n->code) == BPF_ATOMIC &&
			  !(n->imm & BPF_FETCH);
	holds(c->v, !is_private || !c->shared[n->dst_reg],
	      "%s: %u changes memory that areas share, and does not fetch", c->name, at);
}

static void verify_instruction(struct code *c, uint32_t at)
{
	const struct bpf_insn *n = &c->group->code[at];
	int class = BPF_CLASS(n->code);
	const struct relocation *r = relocation_at(c, at);
	if (r)
		verify_relocation(c, r, n);
	holds(c->v, r || !insn_is_call(n), "%s: %u calls an unknown function", c->name, at);
	holds(c->v, n->dst_reg < REGISTERS && n->src_reg < REGISTERS,
	      "%s: %u: there is no such register", c->name, at);
	holds(c->v, class != BPF_LD || insn_is_wide(n), "%s: %u: no such instruction", c->name, at);
	if (class == BPF_JMP || class == BPF_JMP32)
		verify_jump(c, n, at);
	if (class == BPF_LDX || class == BPF_ST || class == BPF_STX)
		verify_memory(c, n, at);
	if (c->v->err)
		return;
	verify_private(c, n, at);
	follow_shared(c, n, r);
	uint32_t next = at + (insn_is_wide(n) ? 2 : 1);
	if (!insn_falls_through(n))
		memset(c->shared, 0, sizeof(c->shared));
	else
		holds(c->v, next < c->group->count && same_function(c->group, at, next),
		      "%s: %u runs over the end of its function", c->name, at);
}

static void verify_code(struct code *c)
{
	const struct group_code *h = c->group;
	holds(c->v, h->count, "%s has no code", c->name);
	find_begins(c);
	holds(c->v, h->error_entry < h->count && (!h->count || c->begins[h->error_entry]),
	      "%s: the ERROR clauses at %u are not there", c->name, h->error_entry);
	for (uint32_t i = 0; i < h->count && !c->v->err; i++)
		if (c->begins[i])
			verify_instruction(c, i);
	if (!c->v->err)
		verify_all_met(c);
}

/* --- lines, and the table of probes ------------------------------------------------- */

static void verify_lines(struct code *c)
{
	uint32_t last = 0;
	for (uint32_t i = 0; i < c->group->line_count && !c->v->err; i++) {
		const struct line_mark *line = &c->group->lines[i];
		holds(c->v, line->instruction >= last && line->instruction <= c->group->count,
		      "%s: lines are not in order", c->name);
		holds(c->v,
		      line->clause == UINT32_MAX ? line->text != NULL
						 : line->clause < c->v->program->clause_count,
		      "%s: a line is of no clause", c->name);
		last = line->instruction;
	}
}

static void verify_entry(struct code *c, const struct probe_entry *e, uint32_t index)
{
	for (unsigned i = 0; i < ARRAY_SIZE(e->names); i++)
		holds(c->v, !e->names[i] || e->names[i] < c->v->program->constants_size,
		      "%s: probe %u has a name that is not there", c->name, e->probe);
	holds(c->v, event_is_function(c->group->kind) || e->resume < c->group->table_entries,
	      "%s: entry %u resumes at %u, which is missing", c->name, index, e->resume);
}

static void verify_table(struct code *c)
{
	const struct group_code *h = c->group;
	holds(c->v,
	      h->table_entry_size >= sizeof(struct probe_entry) && h->table_entry_size % 8 == 0,
	      "%s: table entries of %u bytes", c->name, h->table_entry_size);
	uint64_t probes = (uint64_t)h->event_count * h->passes;
	holds(c->v, !h->jump_count || h->table_entry_size >= sizeof(struct exit_jump),
	      "%s: jumps in table entries of %u bytes", c->name, h->table_entry_size);
	holds(c->v,
	      !probes == (h->part > 0) && h->jump_count < h->table_entries &&
		      probes < h->table_entries - h->jump_count,
	      "%s: %llu probes and %u jumps in %u entries", c->name, (unsigned long long)probes,
	      h->jump_count, h->table_entries);
	for (uint32_t i = 0; i + h->jump_count < h->table_entries && !c->v->err; i++)
		verify_entry(c,
			     (const void *)((const char *)h->probe_table + i * h->table_entry_size),
			     i);
}

static void verify_site(struct code *c, const struct event_site *s)
{
	const struct group_code *h = c->group;
	holds(c->v, s->role <= SITE_AWAY, "%s: a site has no role", c->name);
	holds(c->v,
	      !h->follows_jumps || !site_is_jump(s) ||
		      (s->entry < h->table_entries && s->entry >= h->table_entries - h->jump_count),
	      "%s: entry %u is not a jump", c->name, s->entry);
}

static void verify_place(struct code *c, const struct event_code *code, uint32_t i)
{
	for (uint32_t k = 0; k < code->site_count; k++)
		verify_site(c, &code->sites[k]);
	holds(c->v, code->path, "%s: event %u is in no file", c->name, i);
	holds(c->v, !code->pid || !code->target, "%s: event %u is in a process and in a tree",
	      c->name, i);
	holds(c->v, !code->target == !c->group->events[0].code.target,
	      "%s: only some events are of trees", c->name);
}

static void verify_events(struct code *c)
{
	for (uint32_t i = 0; i < c->group->event_count && !c->v->err; i++) {
		const struct event *e = &c->group->events[i];
		if (!holds(c->v, e->kind == event_of_probes(c->group->kind),
			   "%s: event %u is of another kind", c->name, i))
			return;
		holds(c->v, e->kind != EVENT_TRACEPOINT || e->tracepoint.name,
		      "%s: event %u has no name", c->name, i);
		holds(c->v, e->kind != EVENT_RECORD || (e->record.group && e->record.name),
		      "%s: event %u has no name", c->name, i);
		holds(c->v,
		      !event_is_kernel(e->kind) || (e->function.name && e->function.module &&
						    (e->function.addresses || !e->function.count)),
		      "%s: event %u is nowhere", c->name, i);
		holds(c->v, !event_is_trampoline(e->kind) || c->group->event_count == 1,
		      "%s: one program is for one function", c->name);
		holds(c->v,
		      !event_is_kernel(e->kind) || !event_is_inside(e->kind) || e->function.offsets,
		      "%s: event %u has no offsets", c->name, i);
		if (event_is_function(e->kind))
			verify_place(c, &e->code, i);
	}
}

void verify_group(struct verify *v, const struct group_code *group)
{
	if (v->err || !holds(v, group->kind < EVENT_COUNT, "a group is of no kind"))
		return;
	auto_free bool *begins = mem_zalloc(group->count + 1);
	struct code c = {
		.v = v, .group = group, .name = event_name(group->kind), .begins = begins
	};
	verify_code(&c);
	verify_lines(&c);
	verify_events(&c);
	verify_table(&c);
}
