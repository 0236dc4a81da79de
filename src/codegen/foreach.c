/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreach: the keys of an element into this variables, at the beginning of each pass
 *
 * The kernel walks the table (bpf_for_each_map_elem()) and calls the body, as that of other loops
 * (loop.c), with the element's key and value.  In no order; elements that are added or deleted
 * while it runs may be walked or not.
 *
 * Of an array of threads, the passes are for the elements of this thread, whose number is found
 * before the walk.
 *
 * Of foreach (self->x), the elements are threads (struct self_thread).  Their variables are copied
 * to the slot, where the body reads self-> (gen_block()).
 *
 * A key of an aggregation has an element for each group of areas (struct key_shard).  The pass is
 * made for the first of them, with the sum, or the greatest, of all: each is looked up, by a copy
 * of the key in the slot.  Elements of older generations are skipped: trunc() or clear() removed
 * them.
 */
#include "codegen/gen.h"

static struct key_place walked_key(const struct gen *g, const struct tstmt *s)
{
	return s->if_.array
		       ? plan_variable(g->plan, s->if_.array)->key
		       : plan_aggregation_key(&g->plan->aggregations[s->if_.aggregation->index]);
}

static bool is_of_thread(const struct tstmt *s)
{
	return s->if_.array && s->if_.array->scope == SCOPE_SELF && !tstmt_walks_threads(s);
}

/* Its cell gets the thread's number in keys; 0, which no key has: it has none. */
void gen_each_thread(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	if (!is_of_thread(s))
		return;
	label absent = label_new(c);
	g->state->loop.thread = frame_alloc(c, 8);
	gen_block(g, false);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, absent);
	emit_load(c, 8, R0, R0, 0);
	emit_alu_number(c, BPF_LSH, R0, 1); /* without SELF_RELEASED */
	label_place(c, absent);
	emit_store(c, 8, FP, g->state->loop.thread, R0);
}

void gen_each(struct gen *g, const struct tstmt *s, label body)
{
	struct code *c = &g->code;
	if (tstmt_walks_threads(s))
		emit_address(c, R1, RELOCATE_THREADS, 0, 0);
	else
		emit_address(c, R1, RELOCATE_MAP, (uint32_t)walked_key(g, s).map, 0);
	emit_function(c, R2, body);
	emit_mov(c, R3, FP);
	emit_number(c, R4, 0);
	emit_call(c, RT_for_each);
}

static int walked_slot(const struct gen *g, const struct texpr *variable)
{
	return (int)sizeof(struct slot) + (int)plan_variable(g->plan, variable->variable)->offset;
}

/* The string of SIZE bytes at FROM into the variable at OFFSET of the slot. */
static void gen_key_text(struct gen *g, struct place from, uint32_t size, int offset)
{
	struct code *c = &g->code;
	emit_mov(c, R0, from.base);
	emit_alu_number(c, BPF_ADD, R0, from.offset);
	gen_pointer_number(g);
	emit_mov(c, R2, R0);
	emit_number(c, R3, size);
	gen_read_text(g, (uint32_t)offset + (uint32_t)sizeof(struct rt_string), false);
	emit_store(c, 8, R7, offset, R0); /* the tag */
}

static void gen_key_fields(struct gen *g, const struct tstmt *s, const struct key_place *place,
			   struct place from)
{
	struct code *c = &g->code;
	const struct texpr *key = s->if_.keys;
	need_slot(g);
	for (unsigned i = 0; key; key = key->next, i++) {
		const struct value_field *f = &place->fields[i];
		const struct place field = { from.base, from.offset + (int)f->offset };
		if (f->kind == VALUE_STRING) {
			gen_key_text(g, field, f->size, walked_slot(g, key));
			continue;
		}
		emit_load(c, (int)f->size, R0, field.base, field.offset);
		if (f->is_signed)
			emit_extend(c, R0, (int)f->size, true);
		emit_store(c, (int)type_size(key->type), R7, walked_slot(g, key), R0);
	}
}

/* --- elements of aggregations --- */

/* On to SKIP if the element, whose key is in R8, is of an older generation. */
static void gen_generation_test(struct gen *g, const struct key_place *place, label skip)
{
	struct code *c = &g->code;
	emit_address(c, R1, RELOCATE_GLOBALS, 0, place->generation_offset);
	emit_load(c, 2, R1, R1, 0);
	emit_load(c, 2, R0, R8,
		  (int)(place->shard_offset + offsetof(struct key_shard, generation)));
	emit_jump_if(c, BPF_JNE, R0, R1, skip);
}

/* Add the words of the element at R0 to WORDS, or raise them. */
static void gen_words_merge(struct gen *g, const struct aggregation *a, const struct texpr *words)
{
	struct code *c = &g->code;
	unsigned count = (unsigned)aggregation_words(&g->plan->aggregations[a->index]);
	for (unsigned i = 0; words && i < count; words = words->next, i++) {
		label done = label_new(c);
		emit_load(c, 8, R1, R0, 8 * (int)i);
		emit_load(c, 8, R2, R7, walked_slot(g, words));
		if (aggregate_row(a->function)->merge == MERGE_GREATEST)
			emit_jump_if(c, BPF_JLE, R1, R2, done);
		else
			emit_alu(c, BPF_ADD, R1, R2);
		emit_store(c, 8, R7, walked_slot(g, words), R1);
		label_place(c, done);
	}
}

/* The element of the group of areas, for the key at COPY: R0 or NULL. */
static void gen_shard_lookup(struct gen *g, const struct key_place *place, struct place copy,
			     unsigned group)
{
	struct code *c = &g->code;
	if (place->shard_offset)
		emit_store_number(c, 2, copy.base, copy.offset + (int)place->shard_offset,
				  (int32_t)group);
	emit_address(c, R1, RELOCATE_MAP, (uint32_t)place->map, 0);
	gen_place_address(g, R2, copy);
	emit_call(c, RT_map_lookup);
}

/* The value of all groups; on to SKIP if it is not the first group's element that is in R8. */
static void gen_merged(struct gen *g, const struct tstmt *s, const struct key_place *place,
		       struct place copy, label skip)
{
	struct code *c = &g->code;
	const struct aggregation *a = s->if_.aggregation;
	unsigned groups = g->plan->maps[place->map].shards;
	for (const struct texpr *word = s->if_.words; word; word = word->next)
		emit_store_number(c, 8, R7, walked_slot(g, word), 0);
	for (unsigned group = 0; group < groups; group++) {
		label next = label_new(c);
		gen_shard_lookup(g, place, copy, group);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, next);
		if (place->shard_offset) {
			emit_load(c, 2, R1, R8, (int)place->shard_offset);
			emit_jump_if_number(c, BPF_JGT, R1, (int32_t)group, skip);
		}
		gen_words_merge(g, a, s->if_.words);
		label_place(c, next);
	}
	if (aggregate_row(a->function)->zero_is_result)
		return;
	emit_load(c, 8, R0, R7, walked_slot(g, s->if_.words));
	emit_jump_if_number(c, BPF_JEQ, R0, 0, skip); /* it is being made */
}

static void gen_each_aggregate(struct gen *g, const struct tstmt *s, const struct key_place *place,
			       label skip)
{
	struct code *c = &g->code;
	if (place->has_generations)
		gen_generation_test(g, place, skip);
	need_slot(g);
	uint32_t mark = g->slot.used;
	const struct place copy = { R7, (int)slot_alloc(g, place->size) };
	emit_mov(c, R0, R8);
	gen_pointer_number(g);
	gen_copy_from_r0(g, false, copy, place->size);
	gen_merged(g, s, place, copy, skip);
	gen_key_fields(g, s, place, copy);
	slot_release(g, mark);
}

/* R2 is the key, R3 the struct self_thread.  On to SKIP if it has the variable no more. */
static void gen_each_block(struct gen *g, const struct tstmt *s, label skip)
{
	struct code *c = &g->code;
	emit_load(c, 8, R0, R3, offsetof(struct self_thread, task));
	need_slot(g);
	emit_store(c, 8, R7, walked_slot(g, s->if_.keys), R0);
	g->state->loop.block = slot_alloc(g, g->plan->self_size);
	emit_mov(c, R4, R2);
	gen_place_address(g, R1, (struct place) { R7, (int)g->state->loop.block });
	emit_number(c, R2, g->plan->self_size);
	emit_call(c, RT_self_copy);
	emit_jump_if_number(c, BPF_JEQ, R0, 0, skip);
	gen_condition(g, s->if_.condition, skip);
}

/* R2 is the key, R3 the value.  On to SKIP if it is not an element of the array, or zero. */
void gen_each_key(struct gen *g, const struct tstmt *s, label skip)
{
	struct code *c = &g->code;
	if (tstmt_walks_threads(s)) {
		gen_each_block(g, s, skip);
		return;
	}
	const struct key_place place = walked_key(g, s);
	emit_mov(c, R8, R2);
	c->in_r8 = true;
	if (place.id) {
		emit_load(c, 8, R0, R8, 0);
		emit_jump_if_number(c, BPF_JNE, R0, (int32_t)place.id, skip);
	}
	if (is_of_thread(s)) {
		emit_load(c, 8, R0, R8, (int)place.fields[s->if_.array->key_count].offset);
		emit_load(c, 8, R1, FP, g->state->loop.thread);
		emit_jump_if(c, BPF_JNE, R0, R1, skip);
	}
	if (s->if_.array && type_is_scalar(s->if_.array->type)) { /* could not be deleted */
		emit_load(c, 8, R0, R3, 0);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, skip);
	}
	if (s->if_.array)
		gen_key_fields(g, s, &place, (struct place) { R8, 0 });
	else
		gen_each_aggregate(g, s, &place, skip);
	c->in_r8 = false;
}
