/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of records and keys
 *
 * In a record, strings and stacks are in the tail and the field refers to them; in a key they are
 * in place, followed by zeros.
 */
#include "codegen/gen.h"

void gen_tail_ref(struct gen *g, struct place field)
{
	struct code *c = &g->code;
	struct clause_state *s = g->state;
	/* R0 bytes were written at the tail */
	emit_load(c, 8, R1, FP, s->tail);
	emit_mov(c, R2, R1);
	emit_load(c, 8, R3, FP, g->firing.slot_at);
	emit_alu_number(c, BPF_ADD, R3, s->record.offset);
	emit_alu(c, BPF_SUB, R2, R3);
	emit_store(c, 4, field.base, field.offset, R2);
	emit_store(c, 4, field.base, field.offset + 4, R0);
	emit_alu_number(c, BPF_ADD, R0, 7);
	emit_alu_number(c, BPF_AND, R0, -8);
	emit_alu(c, BPF_ADD, R1, R0);
	emit_store(c, 8, FP, s->tail, R1);
}

static void gen_record_string(struct gen *g, const struct texpr *e, struct place to)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot.used;
	uint32_t text = gen_string_temp(g, e);
	emit_load(c, 8, R1, FP, g->state->tail);
	gen_at(g, R2, text);
	emit_call(c, RT_string_record);
	gen_slot_check(g);
	gen_tail_ref(g, to);
	slot_release(g, mark);
}

/* As in a record; where it cannot be read, a reference to offset 0 instead of a fault. */
void gen_quiet_string(struct gen *g, const struct texpr *e, struct place to)
{
	struct code *c = &g->code;
	label unreadable = label_new(c), end = label_new(c);
	g->state->quiet = &unreadable;
	gen_record_string(g, e, to);
	g->state->quiet = NULL;
	emit_jump(c, end);
	label_place(c, unreadable);
	emit_store_number(c, 4, R7, offsetof(struct slot, fault), 0);
	emit_store_number(c, 4, to.base, to.offset, 0);
	emit_store_number(c, 4, to.base, to.offset + 4, 0);
	label_place(c, end);
}

/* Zeros from BEGIN to END of a key, in whole words if it can. */
static void gen_clear(struct gen *g, struct place key, uint32_t begin, uint32_t end)
{
	while (begin < end) {
		int bytes = begin % 8 == 0 && end - begin >= 8	 ? 8
			    : begin % 4 == 0 && end - begin >= 4 ? 4
			    : begin % 2 == 0 && end - begin >= 2 ? 2
								 : 1;
		emit_store_number(&g->code, bytes, key.base, key.offset + (int)begin, 0);
		begin += (uint32_t)bytes;
	}
}

/* Text in memory is read to where the key has it. */
static void gen_key_string(struct gen *g, const struct texpr *e, const struct value_field *f,
			   struct place to)
{
	struct code *c = &g->code;
	if (f->size <= KEY_CLEARED_IN_LINE) {
		gen_clear(g, to, 0, f->size);
	} else {
		gen_place_address(g, R1, to);
		gen_zeros(g, f->size);
	}
	if (plan_is_text(e) && f->size > g->plan->options->string_size) {
		gen_text(g, e, (uint32_t)to.offset);
		return;
	}
	uint32_t mark = g->slot.used;
	uint32_t text = gen_string_temp(g, e);
	gen_at(g, R1, (uint32_t)to.offset);
	emit_number(c, R2, f->size);
	gen_at(g, R3, text);
	emit_call(c, RT_string_key);
	gen_slot_check(g);
	slot_release(g, mark);
}

/* A literal is known to be longer than a string. */
static void gen_truncated(struct gen *g)
{
	gen_at(g, R1, 0);
	emit_call(&g->code, RT_truncated);
}

/* A literal in a key in the frame: written as words. */
static void gen_literal_words(struct gen *g, const struct texpr *e, const struct value_field *f,
			      struct place to)
{
	struct code *c = &g->code;
	uint32_t whole = (uint32_t)strnlen(e->string.text, e->string.len);
	uint32_t len = MIN(whole, g->plan->options->string_size);
	for (uint32_t i = 0; i < f->size; i += 8) {
		int64_t word = 0;
		if (i < len)
			memcpy(&word, e->string.text + i, MIN(len - i, 8u));
		if (fits_32(word)) {
			emit_store_number(c, 8, to.base, to.offset + (int)i, (int32_t)word);
		} else {
			emit_number(c, R0, word);
			emit_store(c, 8, to.base, to.offset + (int)i, R0);
		}
	}
	if (len < whole)
		gen_truncated(g);
}

/* Before about Linux 6.2 the helper does not change the bytes after the NUL (measured on 6.1). */
static void gen_comm_field(struct gen *g, const struct value_field *f, struct place to)
{
	struct code *c = &g->code;
	for (uint32_t i = 0; i < f->size; i += 8)
		emit_store_number(c, 8, to.base, to.offset + (int)i, 0);
	gen_place_address(g, R1, to);
	emit_number(c, R2, 16);
	gen_comm(g);
}

/* From R3, an address in our memory. */
static void gen_copy_here(struct gen *g, struct place to, uint32_t size)
{
	gen_place_address(g, R1, to);
	emit_number(&g->code, R2, size);
	emit_call(&g->code, RT_copy);
}

/* Bytes of a struct or array, from memory or from a variable. */
static void gen_bytes_field(struct gen *g, const struct texpr *e, const struct value_field *f,
			    struct place to)
{
	struct code *c = &g->code;
	if (e->kind == TEXPR_LOAD) {
		gen_copy(g, e->load.address, e->load.user, to, f->size);
		return;
	}
	label end = label_new(c), there = label_new(c);
	bool maybe_null = gen_address(g, e);
	emit_mov(c, R3, R0);
	if (maybe_null) { /* an element that does not exist is all zeros */
		emit_jump_if_number(c, BPF_JNE, R3, 0, there);
		emit_address(c, R3, RELOCATE_CONSTANTS, 0, 0);
		gen_copy_here(g, to, f->size);
		emit_jump(c, end);
	}
	label_place(c, there);
	gen_copy_here(g, to, f->size);
	label_place(c, end);
}

static void gen_tgid(struct gen *g, struct place to)
{
	emit_call(&g->code, RT_pid_tgid);
	emit_alu_number(&g->code, BPF_RSH, R0, 32);
	emit_store(&g->code, 8, to.base, to.offset, R0);
}

/* E's frames go to R2 = `at`, at most BYTES; R0 = bytes written. */
static void gen_stack(struct gen *g, const struct texpr *e, uint32_t bytes)
{
	uint64_t flags = (e->stack.wants_more ? STACK_WANTS_MORE : 0) |
			 (e->stack.user && type_is_kept_stack(e->type) ? STACK_IS_VALUE : 0) |
			 (e->stack.interpreted ? STACK_METHODS : 0);
	emit_number(&g->code, R3, (int64_t)(bytes | flags));
	gen_frames(g, e->stack.user);
}

static void gen_stack_key(struct gen *g, const struct texpr *e, const struct value_field *f,
			  struct place to)
{
	gen_place_address(g, R1, to);
	gen_zeros(g, f->size);
	int first = 0;
	if (f->kind == VALUE_USTACK) {
		gen_tgid(g, to);
		first = 8;
	}
	gen_at(g, R2, (uint32_t)(to.offset + first));
	gen_stack(g, e, MIN(e->stack.frames * 8, f->size - (uint32_t)first));
	if (!e->stack.interpreted)
		return;
	uint32_t after = (uint32_t)(to.offset + first) + e->stack.frames * 8;
	gen_at(g, R1, after);
	emit_number(&g->code, R2, e->stack.interpreted * 8);
	gen_at(g, R3, after);
	emit_call(&g->code, RT_interpreted);
}

/* After the R0 bytes of native frames in the record's tail; R0: all bytes. */
static void gen_interpreted(struct gen *g, const struct texpr *e)
{
	struct code *c = &g->code;
	struct temp size = temp_push(g, R0);
	emit_load(c, 8, R1, FP, g->state->tail);
	emit_alu(c, BPF_ADD, R1, R0);
	emit_alu_number(c, BPF_ADD, R1, 8);
	emit_number(c, R2, e->stack.interpreted * 8);
	emit_load(c, 8, R3, FP, g->state->tail);
	emit_alu_number(c, BPF_ADD, R3, 8 + (int32_t)e->stack.frames * 8);
	emit_call(c, RT_interpreted);
	temp_pop(g, size, R1);
	emit_alu(c, BPF_ADD, R0, R1);
}

uint32_t gen_stack_temp(struct gen *g, const struct texpr *e)
{
	struct value_field f = { .kind = type_is_user_stack(e->type) ? VALUE_USTACK : VALUE_STACK,
				 .size = type_size(e->type) };
	struct place at = { R7, (int)slot_alloc(g, f.size) };
	if (e->kind == TEXPR_STACK)
		gen_stack_key(g, e, &f, at);
	else
		gen_bytes_field(g, e, &f, at);
	return (uint32_t)at.offset;
}

/* One in memory: zeros are after its frames. */
static void gen_kept_record(struct gen *g, const struct texpr *e, struct place to)
{
	struct code *c = &g->code;
	uint32_t mark = g->slot.used;
	uint32_t temp = gen_stack_temp(g, e);
	emit_load(c, 8, R1, FP, g->state->tail);
	gen_at(g, R2, temp);
	emit_number(c, R3, type_size(e->type));
	emit_call(c, RT_bytes_copy);
	emit_number(c, R0, type_size(e->type));
	gen_tail_ref(g, to);
	slot_release(g, mark);
}

static void gen_stack_record(struct gen *g, const struct texpr *e, struct place to)
{
	struct code *c = &g->code;
	if (type_is_kept_stack(e->type)) {
		gen_kept_record(g, e, to);
		return;
	}
	uint32_t bytes = e->stack.frames * 8;
	emit_load(c, 8, R2, FP, g->state->tail);
	if (e->stack.user)
		emit_alu_number(c, BPF_ADD, R2, 8);
	gen_stack(g, e, bytes);
	if (!e->stack.user) {
		gen_tail_ref(g, to);
		return;
	}
	if (e->stack.interpreted)
		gen_interpreted(g, e);
	/* The process's number is before the frames. */
	struct temp size = temp_push(g, R0);
	emit_load(c, 8, R1, FP, g->state->tail);
	emit_call(c, RT_ustack_tgid);
	temp_pop(g, size, R0);
	emit_alu_number(c, BPF_ADD, R0, 8);
	gen_tail_ref(g, to);
}

static void gen_symbol_field(struct gen *g, const struct texpr *e, const struct value_field *f,
			     struct place to)
{
	struct code *c = &g->code;
	gen_value(g, e->symbol.address);
	int at = to.offset + (f->size == 16 ? 8 : 0);
	emit_store(c, 8, to.base, at, R0);
	if (f->size == 16)
		gen_tgid(g, to);
}

static void gen_string_any(struct gen *g, const struct texpr *e, const struct value_field *f,
			   struct place to, bool in_key)
{
	if (in_key && e->kind == TEXPR_STRING && e->string.text && f->size <= KEY_LITERAL_WORDS)
		gen_literal_words(g, e, f, to);
	else if (in_key && is_execname(e) && f->size >= 16)
		gen_comm_field(g, f, to);
	else if (in_key)
		gen_key_string(g, e, f, to);
	else
		gen_record_string(g, e, to);
}

void gen_field(struct gen *g, const struct texpr *e, const struct value_field *f, struct place base,
	       bool in_key)
{
	struct code *c = &g->code;
	struct place to = field_place(base, f);
	switch (f->kind) {
	case VALUE_INTEGER:
		gen_value(g, e);
		emit_store(c, (int)f->size, to.base, to.offset, R0);
		return;
	case VALUE_STRING:
		gen_string_any(g, e, f, to, in_key);
		return;
	case VALUE_STRING_INLINE:
		gen_comm_field(g, f, to);
		return;
	case VALUE_STRING_CONST:
		if (strnlen(e->string.text, e->string.len) > g->plan->options->string_size)
			gen_truncated(g);
		return;
	case VALUE_PROBE_PROVIDER:
	case VALUE_PROBE_MODULE:
	case VALUE_PROBE_FUNCTION:
	case VALUE_PROBE_NAME:
		if (!in_key)
			return;
		gen_entry(g, R1);
		emit_load(c, 4, R0, R1, offsetof(struct probe_entry, probe));
		emit_store(c, 4, to.base, to.offset, R0);
		return;
	case VALUE_BYTES:
	case VALUE_FLOAT:
		gen_bytes_field(g, e, f, to);
		return;
	case VALUE_MEMORY: /* action_memory.c */
		return;
	case VALUE_STACK:
	case VALUE_USTACK:
		if (in_key && e->kind != TEXPR_STACK)
			gen_bytes_field(g, e, f, to);
		else if (in_key)
			gen_stack_key(g, e, f, to);
		else
			gen_stack_record(g, e, to);
		return;
	case VALUE_SYM:
	case VALUE_MOD:
	case VALUE_USYM:
	case VALUE_UMOD:
	case VALUE_UADDR:
		gen_symbol_field(g, e, f, to);
		return;
	}
}

/* --- keys ------------------------------------------------------------------------------- */

/* Padding must not differ between equal keys. */
static void gen_clear_padding(struct gen *g, const struct key_place *place, struct place key)
{
	uint32_t end = place->id ? 8 : 0;
	for (unsigned i = 0; i < place->count; i++) {
		gen_clear(g, key, end, place->fields[i].offset);
		end = place->fields[i].offset + place->fields[i].size;
	}
	if (place->shard_offset) {
		gen_clear(g, key, end, place->shard_offset);
		end = place->shard_offset + sizeof(struct key_shard);
	}
	gen_clear(g, key, end, place->size);
}

static void gen_shard(struct gen *g, const struct key_place *place, struct place key)
{
	struct code *c = &g->code;
	emit_call(c, RT_area);
	if (place->areas_per_shard > 1)
		emit_alu_number(c, BPF_RSH, R0, __builtin_ctz(place->areas_per_shard));
	if (place->has_generations) {
		emit_address(c, R1, RELOCATE_GLOBALS, 0, place->generation_offset);
		emit_load(c, 8, R1, R1, 0);
		emit_alu_number(c, BPF_LSH, R1, 8 * offsetof(struct key_shard, generation));
		emit_alu(c, BPF_OR, R0, R1);
	}
	emit_store(c, 4, key.base, key.offset + (int)place->shard_offset, R0);
}

struct place gen_key(struct gen *g, const struct texpr *keys, const struct key_place *place)
{
	struct place key;
	if (plan_key_in_frame(g->plan, keys, place))
		key = (struct place) { FP, frame_alloc(&g->code, (int)place->size) };
	else
		key = (struct place) { R7, (int)slot_alloc(g, place->size) };
	if (place->id)
		emit_store_number(&g->code, 8, key.base, key.offset, (int32_t)place->id);
	gen_clear_padding(g, place, key);
	for (unsigned i = 0; keys; keys = keys->next, i++)
		gen_field(g, keys, &place->fields[i], key, true);
	if (place->shard_offset)
		gen_shard(g, place, key);
	return key;
}
