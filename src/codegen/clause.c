/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One clause: test, claim, body, record, release
 *
 * Whether a clause needs a slot or the time, and from when on, and whether it may be suspended, an
 * earlier round has found (needs.c).
 */
#include "codegen/gen.h"

void gen_slot_pointer(struct gen *g, label none)
{
	struct code *c = &g->code;
	emit_store(c, 8, FP, g->firing.slot_at, R0);
	gen_drop_if_negative(g, CLAUSE_DROP_PRINCIPAL);
	emit_address(c, R1, RELOCATE_SLOTS_LAST, 0, 0);
	emit_jump_if(c, BPF_JGT, R0, R1, none); /* -1, too */
	emit_address(c, R7, RELOCATE_SCRATCH, 0, 0);
	emit_alu(c, BPF_ADD, R7, R0);
}

void gen_slot_claim(struct gen *g, label unclaimed)
{
	emit_call(&g->code, RT_slot_claim); /* -1: a counted drop */
	gen_slot_pointer(g, unclaimed);
}

static void gen_claim(struct gen *g)
{
	if (!g->state->has_slot) {
		gen_slot_claim(g, g->state->unclaimed);
		gen_pieces_begin(g);
	}
	g->state->has_slot = true;
	if (g->state->needs.suspends) /* and truncated_strings, truncated_stacks = 0 */
		emit_store_number(&g->code, 8, R7, offsetof(struct slot, truncations_pending), 1);
}

/* Called only for truncated strings (8 ns on 6.18, where returns are made safe). */
static void gen_truncations_end(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	if (!s->has_slot)
		return;
	if (s->needs.suspends) {
		label none = label_new(c);
		if (!s->may_lack_slot) {
			emit_store_number(c, 4, R7, offsetof(struct slot, truncations_pending), 0);
			emit_load(c, 4, R1, R7, offsetof(struct slot, truncated_strings));
			emit_jump_if_number(c, BPF_JEQ, R1, 0, none);
		}
		emit_load(c, 8, R1, FP, g->firing.slot_at);
		emit_call(c, RT_truncations_end);
		label_place(c, none);
	}
	gen_drop_truncations(g);
}

/* A fault in the code so far jumps to the clause's end. */
static bool may_have_failed(const struct clause_state *s)
{
	for (size_t i = 0; i < s->stubs.count; i++)
		if (s->stubs.items[i].kind == STUB_FAULT ||
		    s->stubs.items[i].kind == STUB_ENTRY_FAULT)
			return true;
	return false;
}

static void gen_clause_release(struct gen *g)
{
	struct code *c = &g->code;
	if (!g->state->has_slot || plan_shares_slot(g->plan))
		return;
	if (!g->state->may_lack_slot) {
		gen_slot_free(g);
		return;
	}
	emit_load(c, 8, R1, FP, g->firing.slot_at);
	emit_call(c, RT_slot_release);
}

static void gen_now(struct gen *g)
{
	struct clause_state *s = g->state;
	if (s->has_time)
		return;
	s->has_time = true;
	if (is_resumed(g))
		gen_suspended(g, R0, 8, offsetof(struct suspended, time));
	else
		emit_call(&g->code, RT_time);
	emit_store(&g->code, 8, FP, g->firing.time, R0);
}

static void gen_needs(struct gen *g, enum moment when)
{
	if (g->state->needs.time == when)
		gen_now(g);
	if (g->state->needs.run_time == when) {
		/* vtimestamp is the same throughout a clause, as timestamp is. */
		g->state->run_time = frame_alloc(&g->code, 8);
		emit_call(&g->code, RT_vtime);
		emit_store(&g->code, 8, FP, g->state->run_time, R0);
	}
	if (g->state->needs.slot == when)
		gen_claim(g);
}

/* Records are in the order in which they were left, whatever `timestamp` is. */
void gen_record_time(struct gen *g)
{
	if (is_resumed(g))
		emit_call(&g->code, RT_time);
	else
		emit_load(&g->code, 8, R0, FP, g->firing.time);
}

static void gen_header(struct gen *g, struct place record)
{
	struct code *c = &g->code;
	int at = record.offset;
	emit_store_number(c, 4, record.base, at, RECORD_DATA);
	emit_store_number(c, 4, record.base, at + 4, (int32_t)g->state->clause->index);
	gen_record_time(g);
	emit_store(c, 8, record.base, at + 8, R0);
	gen_entry(g, R1);
	emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
	emit_store(c, 8, record.base, at + 16, R0);
}

static void gen_record_thread(struct gen *g, struct place record, uint32_t offset)
{
	struct code *c = &g->code;
	if (!offset)
		return;
	record.offset += (int)offset;
	emit_call(c, RT_pid_tgid);
	emit_store(c, 8, record.base, record.offset, R0);
	record.offset += offsetof(struct record_thread, name);
	gen_place_address(g, R1, record);
	emit_number(c, R2, sizeof(((struct record_thread *)NULL)->name));
	gen_comm(g);
}

static void gen_record_begin(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	const struct clause_layout *layout = s->layout;
	if (!layout->records)
		return;
	need_time(g);
	if (plan_record_in_frame(g->plan, s->clause)) {
		s->record = (struct place) { FP, frame_alloc(c, (int)layout->fixed_size) };
		for (uint32_t i = sizeof(struct record_header); i < layout->fixed_size; i += 8)
			emit_store_number(c, 8, FP, s->record.offset + (int)i, 0);
	} else {
		uint32_t size = plan_record_size(g->plan, s->clause);
		s->record = (struct place) { R7, (int)slot_alloc(g, size) };
		s->tail = frame_alloc(c, 8);
		gen_at(g, R0, (uint32_t)s->record.offset + layout->fixed_size);
		emit_store(c, 8, FP, s->tail, R0);
		for (uint32_t i = 0; i < layout->flag_words; i++)
			emit_store_number(c, 8, R7,
					  s->record.offset + (int)sizeof(struct record_header) +
						  8 * (int)i,
					  0);
	}
	gen_header(g, s->record);
	gen_record_thread(g, s->record, layout->thread);
}

/* The flag of records that go on, in one of the words of 32 flags; 0: in another one. */
static uint32_t heading_flag(const struct clause_state *s, int word)
{
	uint32_t bit = s->layout->continues - 1;
	return bit / 32 == (uint32_t)word ? 1u << bit % 32 : 0;
}

/* The offset of a word of 32 flags. */
static int record_word(const struct clause_state *s, int word)
{
	return s->record.offset + (int)sizeof(struct record_header) + word * 4;
}

/* The record is complete: hand it to OUTPUT, or to OUTPUT_SLOT, with THIRD of the frame. */
static void gen_output(struct gen *g, enum rt_function output, enum rt_function output_slot,
		       int third)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	enum clause_drop kind =
		output == RT_output ? CLAUSE_DROP_PRINCIPAL : CLAUSE_DROP_SPECULATION;
	if (s->record.base == FP) {
		gen_place_address(g, R1, s->record);
		emit_number(c, R2, s->layout->fixed_size);
		emit_load(c, 8, R3, FP, third);
		emit_call(c, output);
		gen_drop_if_negative(g, kind);
		return;
	}
	gen_at(g, R1, (uint32_t)s->record.offset);
	emit_load(c, 8, R2, FP, s->tail);
	emit_alu(c, BPF_SUB, R2, R1);
	emit_load(c, 8, R3, FP, third);
	emit_call(c, output_slot);
	gen_drop_if_negative(g, kind);
}

/*
 * A clause whose record would not fit is not run: only the count of drops changes.  The check
 * costs 15 ns (of 370 for a getppid with its record, on 6.18).  A reservation instead of the copy
 * would be cheaper, but until the clause ends the consumer could read nothing after it, and each
 * fault would leave a hole.
 */
static void gen_record_room_test(struct gen *g, label none)
{
	struct clause_state *s = g->state;
	s->wake = frame_alloc(&g->code, 8);
	emit_number(&g->code, R1, plan_record_size(g->plan, s->clause));
	emit_call(&g->code, RT_room);
	gen_drop_if_zero(g, CLAUSE_DROP_PRINCIPAL);
	emit_jump_if_number(&g->code, BPF_JEQ, R0, 0, none);
	emit_store(&g->code, 8, FP, s->wake, R0);
}

static void gen_record_output(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	label end = label_new(c), principal = label_new(c);
	if (s->speculates == SPECULATES_NEVER) {
		gen_output(g, RT_output, RT_output_slot, s->wake);
		return;
	}
	if (s->speculates == SPECULATES_SOMETIMES) {
		emit_load(c, 8, R0, FP, s->speculation);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, principal);
	}
	gen_output(g, RT_speculative, RT_speculative_slot, s->speculation);
	if (s->speculates == SPECULATES_SOMETIMES) {
		emit_jump(c, end);
		label_place(c, principal);
		gen_record_room_test(g, end);
		gen_output(g, RT_output, RT_output_slot, s->wake);
	}
	label_place(c, end);
}

/* Jump to HAS_SOME if an action has run since the record began. */
static void gen_record_test(struct gen *g, label has_some)
{
	struct code *c = &g->code;
	const struct clause_state *s = g->state;
	for (int word = 0; word < (int)s->layout->flag_words * 2; word++) {
		uint32_t flag = heading_flag(s, word);
		emit_load(c, 4, R0, s->record.base, record_word(s, word));
		if (flag)
			emit_alu_number(c, BPF_AND, R0, (int32_t)~flag);
		emit_extend(c, R0, 4, false);
		emit_jump_if_number(c, BPF_JNE, R0, 0, has_some);
	}
}

/* The record begins again, as the one after it. */
static void gen_record_again(struct gen *g)
{
	struct code *c = &g->code;
	const struct clause_state *s = g->state;
	for (int word = 0; word < (int)s->layout->flag_words * 2; word++)
		emit_store_number(c, 4, s->record.base, record_word(s, word),
				  (int32_t)heading_flag(s, word));
	gen_at(g, R0, (uint32_t)s->record.offset + s->layout->fixed_size);
	emit_store(c, 8, FP, s->tail, R0);
}

void gen_record_flush(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	label some = label_new(c), again = label_new(c), none = label_new(c);
	if (!s->layout->continues)
		return;
	int mark = c->frame_used;
	gen_record_test(g, some);
	emit_jump(c, none);
	label_place(c, some);
	if (s->speculates == SPECULATES_NEVER)
		gen_record_room_test(g, again);
	gen_record_output(g);
	label_place(c, again);
	gen_record_again(g);
	label_place(c, none);
	frame_release(c, mark);
}

/*
 * Where all clauses have one slot, each begins with the alloca memory that earlier clauses left:
 * all except what they keep.
 */
static void gen_alloca_begin(struct gen *g)
{
	if (!plan_shares_slot(g->plan))
		return;
	gen_pieces_begin(g);
	if (!plan_clause(g->plan, g->state->clause)->alloca.calls)
		return;
	emit_load(&g->code, 4, R0, R7, offsetof(struct slot, alloca_kept));
	emit_store(&g->code, 4, R7, offsetof(struct slot, alloca_used), R0);
}

static void gen_alloca_end(struct gen *g)
{
	const struct clause_alloca *a = &plan_clause(g->plan, g->state->clause)->alloca;
	if (!a->calls || !a->is_kept)
		return;
	emit_load(&g->code, 4, R0, R7, offsetof(struct slot, alloca_used));
	emit_store(&g->code, 4, R7, offsetof(struct slot, alloca_kept), R0);
}

/* The code before the body: the predicate, and the test whether there is room. */
static void gen_way_in(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	const struct tclause *clause = s->clause;

	gen_needs(g, MOMENT_START);
	gen_alloca_begin(g);
	if (clause->predicate)
		mark_line(g, clause->predicate->range);
	s->action = 0;
	if (s->speculates != SPECULATES_NEVER) {
		s->speculation = frame_alloc(c, 8);
		emit_store_number(c, 8, FP, s->speculation, 0);
	}
	bool slot_comes =
		clause->predicate && s->needs.slot == MOMENT_BODY && !plan_shares_slot(g->plan);
	if (slot_comes)
		emit_store_number(c, 8, FP, g->firing.slot_at, -1); /* a fault releases none */
	if (clause->predicate)
		gen_condition(g, clause->predicate, s->skip);
	s->may_lack_slot = slot_comes && may_have_failed(s);
	s->action = 1;
	if (s->layout->records && s->speculates == SPECULATES_NEVER) /* else speculate() tests */
		gen_record_room_test(g, s->skip);
	gen_needs(g, MOMENT_BODY);
}

static void gen_body(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;

	gen_way_in(g);
	gen_entry_make(g);
	gen_record_begin(g);
	s->action = 0;
	s->next_layout = 0;
	s->in_body = true;
	gen_lookaheads(g);
	gen_statements(g, s->clause->body);
	s->action = 1;
	if (s->layout->continues)
		gen_record_flush(g);
	else if (s->layout->records)
		gen_record_output(g);
	c->holds = 0; /* stubs jump back to here */
	long_jump_pop(g, s->end);
	gen_alloca_end(g);
	if (s->speculates != SPECULATES_NEVER) {
		emit_load(c, 8, R1, FP, s->speculation);
		emit_call(c, RT_speculation_leave);
	}
	if (s->needs.slot == MOMENT_START)
		long_jump_pop(g, s->skip);
	gen_truncations_end(g);
	gen_clause_release(g);
	label after = label_new(c);
	emit_jump(c, after);
	gen_stubs(g);
	if (s->needs.slot != MOMENT_START)
		long_jump_pop(g, s->skip);
	long_jump_pop(g, s->unclaimed);
	label_place(c, after);
}

static void begin_clause(struct gen *g, struct clause_state *s)
{
	g->state = s;
	g->code.holds = 0;
	if (s->needs.block && !g->plan->limits.spill)
		s->block = frame_alloc(&g->code, 8);
	gen_entry_begin(g);
	g->slot.used = g->plan->alloca_end;
	const struct clause_alloca *a = &plan_clause(g->plan, s->clause)->alloca;
	g->alloca = (struct alloca_next) { a->at, a->first_call, a->first_piece };
	g->temps_used = 0;
	label *const labels[] = { &s->unclaimed, &s->skip, &s->end };
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		*labels[i] = label_new(&g->code);
		long_jump_push(g, labels[i]);
	}
	mark_line(g, s->clause->range);
}

void gen_clause(struct gen *g, const struct tclause *clause)
{
	long_jumps_place(g);
	int mark = g->code.frame_used;
	size_t relocation = g->code.relocations.count, instruction = g->code.insns.count;
	struct clause_state s = {
		.clause = clause,
		.layout = &plan_clause(g->plan, clause)->layout,
		.has_slot = plan_shares_slot(g->plan),
		.speculates = clause_speculates(clause),
		.needs = plan_needs(g->plan, clause, g->event, g->in_error),
		.found = { .slot = plan_shares_slot(g->plan) ? MOMENT_START : MOMENT_NEVER },
	};
	begin_clause(g, &s);
	gen_body(g);
	gen_needs_found(g, relocation, instruction);
	vector_free(&s.stubs);
	frame_release(&g->code, mark);
	g->state = NULL;
}
