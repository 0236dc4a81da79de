/* SPDX-License-Identifier: BSD-2-Clause */
/* Scratch slots, the firing's shared values, and the ways out of a clause that fails */
#include <errno.h>

#include "codegen/gen.h"

uint32_t slot_alloc(struct gen *g, uint32_t size)
{
	need_slot(g);
	uint32_t offset = g->slot.used;
	g->slot.used += ALIGN_UP(size, 8);
	g->slot.max = MAX(g->slot.max, g->slot.used);
	return offset;
}

void slot_release(struct gen *g, uint32_t mark)
{
	g->slot.used = mark;
}

/* WHAT is needed here. */
static void need(const struct gen *g, enum moment *what)
{
	const struct clause_state *s = g->state;
	enum moment now = s->action == 0 && !s->in_body ? MOMENT_START : MOMENT_BODY;
	*what = MAX(*what, now);
}

void need_slot(struct gen *g)
{
	need(g, &g->state->found.slot);
}

void need_time(struct gen *g)
{
	need(g, &g->state->found.time);
}

void need_run_time(struct gen *g)
{
	need(g, &g->state->found.run_time);
}

void gen_at(struct gen *g, enum reg r, uint32_t offset)
{
	need_slot(g);
	emit_load(&g->code, 8, r, FP, g->firing.slot_at);
	emit_alu_number(&g->code, BPF_ADD, r, (int32_t)offset);
}

void gen_slot_free(struct gen *g)
{
	emit_store_number(&g->code, 8, R7, offsetof(struct slot, busy), 0);
}

void gen_entry(struct gen *g, enum reg r)
{
	emit_load(&g->code, 8, r, FP, g->firing.entry);
}

void gen_exits(struct gen *g, enum reg r, int bytes, size_t offset)
{
	emit_load(&g->code, 8, r, FP, g->firing.exits);
	emit_load(&g->code, bytes, r, r, (int)offset);
}

void gen_place_address(struct gen *g, enum reg r, struct place p)
{
	emit_mov(&g->code, r, p.base);
	emit_alu_number(&g->code, BPF_ADD, r, p.offset);
}

static label stub_label(struct gen *g, enum stub_kind kind, enum fault code, bool suspends)
{
	struct clause_state *s = g->state;
	if (s->quiet)
		return *s->quiet;
	for (size_t i = 0; i < s->stubs.count; i++) {
		const struct stub *stub = &s->stubs.items[i];
		if (stub->kind == kind && stub->code == code && stub->action == s->action &&
		    stub->suspends == suspends)
			return stub->at;
	}
	label at = label_new(&g->code);
	vector_push(&s->stubs, (struct stub) { .kind = kind,
					       .at = at,
					       .code = code,
					       .suspends = suspends,
					       .action = s->action });
	return at;
}

label fault_label(struct gen *g, enum fault code)
{
	return stub_label(g, STUB_FAULT, code, false);
}

label user_fault_label(struct gen *g)
{
	return stub_label(g, STUB_FAULT, FAULT_BADADDR, gen_suspends(g));
}

label body_fault_label(struct gen *g)
{
	return stub_label(g, STUB_BODY_FAULT, FAULT_UNKNOWN, false);
}

label entry_fault_label(struct gen *g)
{
	return stub_label(g, STUB_ENTRY_FAULT, FAULT_UNKNOWN, false);
}

void gen_slot_check(struct gen *g)
{
	emit_load(&g->code, 4, R1, R7, offsetof(struct slot, fault));
	emit_jump_if_number(&g->code, BPF_JNE, R1, 0,
			    stub_label(g, STUB_SLOT_FAULT, FAULT_UNKNOWN, false));
}

void gen_read_text(struct gen *g, uint32_t offset, bool user)
{
	struct code *c = &g->code;
	if (user && is_resumed(g)) {
		emit_store(c, 8, FP, g->firing.fault_address, R2);
		gen_gone_fault(g);
	}
	gen_at(g, R1, offset);
	emit_call(c, !user				 ? RT_text_kernel
		     : plan_may_sleep(g->plan, g->event) ? RT_text_user_sleepable
							 : RT_text_user);
	emit_jump_if_number(c, BPF_JEQ, R0, 0,
			    stub_label(g, STUB_SLOT_FAULT, FAULT_UNKNOWN, user && gen_suspends(g)));
}

/* The fault's code and address into the frame, from the slot where the run-time left them. */
static void gen_slot_fault(struct gen *g, const struct stub *stub)
{
	struct code *c = &g->code;
	emit_load(c, 8, R1, R7, offsetof(struct slot, fault_address));
	emit_store(c, 8, FP, g->firing.fault_address, R1);
	emit_load(c, 4, R1, R7, offsetof(struct slot, fault));
	emit_alu_number(c, BPF_SUB, R1, 1);
	emit_store(c, 4, FP, g->firing.fault_where, R1);
	emit_store_number(c, 4, FP, g->firing.fault_where + 4, (int32_t)stub->action);
	emit_store_number(c, 4, R7, offsetof(struct slot, fault), 0);
}

/* The same from the cell R0, where the entry has left them. */
static void gen_entry_fault(struct gen *g, const struct stub *stub)
{
	struct code *c = &g->code;
	emit_load(c, 8, R1, R0, sizeof(struct call_cell));
	emit_store(c, 8, FP, g->firing.fault_address, R1);
	emit_load(c, 4, R1, R0, offsetof(struct call_cell, fault));
	emit_alu_number(c, BPF_SUB, R1, 1);
	emit_store(c, 4, FP, g->firing.fault_where, R1);
	emit_store_number(c, 4, FP, g->firing.fault_where + 4, (int32_t)stub->action);
}

/* A fault of a clause that saves a value: it is that of whoever reads the value. */
static void gen_fault_save(struct gen *g)
{
	struct code *c = &g->code;
	emit_load(c, 8, R0, FP, g->state->cells);
	if (g->state->clause->predicate) /* the fault may be the predicate's */
		emit_jump_if_number(c, BPF_JEQ, R0, 0, g->state->end);
	emit_load(c, 8, R1, FP, g->firing.fault_address);
	emit_store(c, 8, R0, sizeof(struct call_cell), R1);
	emit_load(c, 4, R1, FP, g->firing.fault_where);
	emit_alu_number(c, BPF_ADD, R1, 1);
	emit_store(c, 4, R0, offsetof(struct call_cell, fault), R1);
}

/* A new key: put zeros under it, look it up again; still nothing is a counted drop. */
static void gen_insert(struct gen *g, const struct stub *stub)
{
	struct code *c = &g->code;
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)stub->map, 0);
	gen_place_address(g, R2, stub->key);
	emit_address(c, R3, RELOCATE_CONSTANTS, 0, 0);
	emit_number(c, R4, BPF_NOEXIST);
	emit_call(c, RT_map_update);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)stub->map, 0);
	gen_place_address(g, R2, stub->key);
	emit_call(c, RT_map_lookup);
	emit_jump_if_number(c, BPF_JNE, R0, 0, stub->resume);
	emit_call(c, stub->drop);
	gen_drop(g,
		 stub->drop == RT_drop_aggregation ? CLAUSE_DROP_AGGREGATION : CLAUSE_DROP_DYNAMIC);
	emit_jump(c, stub->done);
}

/*
 * The kernel deletes no element while code that this firing interrupted holds the bucket (-EBUSY,
 * -EDEADLK).  Then the element stays and gets zero, the value of a missing one; if the element is
 * too long for this, it is a counted drop.  A missing element is not a failure.
 */
static void gen_delete(struct gen *g, const struct stub *stub)
{
	struct code *c = &g->code;
	emit_extend(c, R0, 4, true);
	emit_jump_if_number(c, BPF_JEQ, R0, -ENOENT, stub->resume);
	if (stub->drop == RT_drop_dynamic) {
		emit_call(c, stub->drop);
		gen_drop(g, CLAUSE_DROP_DYNAMIC);
		emit_jump(c, stub->resume);
		return;
	}
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)stub->map, 0);
	gen_place_address(g, R2, stub->key);
	emit_call(c, RT_map_lookup);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, stub->resume);
	emit_store_number(c, 8, R0, 0, 0);
	emit_jump(c, stub->resume);
}

void gen_delete_check(struct gen *g, const struct variable *v, struct place key)
{
	struct code *c = &g->code;
	label failed = label_new(c), resume = label_new(c);
	bool is_long = v->type->kind != TYPE_STRING && type_size(v->type) > 8;
	/* An int: before 6.4 nothing is said of the upper half. */
	emit_jump_if_bits(c, R0, 1u << 31, failed);
	label_place(c, resume);
	vector_push(&g->state->stubs,
		    (struct stub) { .kind = STUB_DELETE,
				    .at = failed,
				    .resume = resume,
				    .action = UINT32_MAX,
				    .map = plan_variable(g->plan, v)->key.map,
				    .key = key,
				    .drop = is_long ? RT_drop_dynamic : RT_COUNT });
}

void gen_lookup_or_insert(struct gen *g, int map, struct place key, enum rt_function drop,
			  label done)
{
	struct code *c = &g->code;
	label insert = label_new(c), found = label_new(c);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)map, 0);
	gen_place_address(g, R2, key);
	emit_call(c, RT_map_lookup);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, insert);
	label_place(c, found);
	vector_push(&g->state->stubs, (struct stub) { .kind = STUB_INSERT,
						      .at = insert,
						      .resume = found,
						      .done = done,
						      .action = UINT32_MAX,
						      .map = map,
						      .key = key,
						      .drop = drop });
}

/* The record of a fault; in ERROR clauses it is only counted. */
static void gen_fault_report(struct gen *g)
{
	struct code *c = &g->code;
	struct firing *f = &g->firing;
	int mark = c->frame_used;
	int header = frame_alloc(c, sizeof(struct record_header));
	emit_store_number(c, 4, FP, header, RECORD_FAULT);
	emit_store_number(c, 4, FP, header + 4, (int32_t)g->state->clause->index);
	emit_call(c, RT_time);
	emit_store(c, 8, FP, header + 8, R0);
	gen_entry(g, R1);
	emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
	emit_store(c, 8, FP, header + 16, R0);
	emit_mov(c, R1, FP);
	emit_alu_number(c, BPF_ADD, R1, header);
	emit_load(c, 8, R2, FP, f->fault_where);
	emit_load(c, 8, R3, FP, f->fault_address);
	emit_call(c, g->in_error ? RT_error_in_error : RT_fault);
	if (!g->in_error)
		gen_drop_if_negative(g, CLAUSE_DROP_PRINCIPAL);
	frame_release(c, mark);
}

/* The 64-bit word R1 + R5 as argument N of the ERROR clauses. */
static void gen_error_word(struct gen *g, int info, int n)
{
	emit_alu(&g->code, BPF_ADD, R1, R5);
	emit_store(&g->code, 8, FP, info + 8 * n, R1);
}

/*
 * Call the group's ERROR clauses with arg1 ... arg5. R5 is a zero that is an unknown number to the
 * verifier: 6.1 follows constants in a caller's stack wrongly and would remove live code
 * (runtime/string/text.h).
 */
static void gen_error_call(struct gen *g)
{
	struct code *c = &g->code;
	int mark = c->frame_used;
	int info = frame_alloc(c, sizeof(struct error_info));
	emit_address(c, R5, RELOCATE_CONTROL, 0, offsetof(struct control, zero));
	emit_load(c, 8, R5, R5, 0);
	emit_number(c, R1, (int64_t)g->state->clause->index + 1);
	gen_error_word(g, info, 0);
	emit_load(c, 4, R1, FP, g->firing.fault_where + 4);
	gen_error_word(g, info, 1);
	emit_number(c, R1, -1);
	gen_error_word(g, info, 2);
	emit_load(c, 4, R1, FP, g->firing.fault_where);
	gen_error_word(g, info, 3);
	emit_load(c, 8, R1, FP, g->firing.fault_address);
	gen_error_word(g, info, 4);
	emit_mov(c, R1, R6);
	emit_mov(c, R2, FP);
	emit_alu_number(c, BPF_ADD, R2, info);
	emit_address(c, R0, RELOCATE_ERROR, 0, 0);
	frame_release(c, mark);
}

void gen_stubs(struct gen *g)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	bool any_fault = false;
	label report = label_new(c);

	for (size_t i = 0; i < s->stubs.count; i++) {
		const struct stub *stub = &s->stubs.items[i];
		label_place(c, stub->at);
		if (stub->kind == STUB_INSERT) {
			gen_insert(g, stub);
			continue;
		}
		if (stub->kind == STUB_DELETE) {
			gen_delete(g, stub);
			continue;
		}
		if (stub->kind == STUB_LOOKAHEAD) {
			gen_suspend(g, stub->resume);
			continue;
		}
		any_fault = true;
		if (stub->kind == STUB_BODY_FAULT) {
			emit_jump(c, report);
			continue;
		}
		if (stub->kind == STUB_SLOT_FAULT) {
			gen_slot_fault(g, stub);
		} else if (stub->kind == STUB_ENTRY_FAULT) {
			gen_entry_fault(g, stub);
		} else {
			emit_store_number(c, 4, FP, g->firing.fault_where, stub->code);
			emit_store_number(c, 4, FP, g->firing.fault_where + 4,
					  (int32_t)stub->action);
		}
		if (stub->suspends)
			gen_suspend(g, report);
		else
			emit_jump(c, report);
	}
	s->stubs.count = 0;
	label_place(c, report);
	if (!any_fault)
		return;
	bool reports = !s->loop.depth && !s->clause->saves; /* else after the loop */
	if (s->clause->saves && !s->clause->saves->is_register)
		gen_fault_save(g);
	if (reports)
		gen_fault_report(g);
	if (reports && !g->in_error && g->plan->error_probe)
		gen_error_call(g);
	emit_jump(c, s->end);
}

void unsupported(struct gen *g, struct range range, const char *what)
{
	diagnose(g->diagnostics, range, D_UNKNOWN, "%s is not yet supported", what);
}
