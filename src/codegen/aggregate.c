/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Aggregations: each word is changed by one atomic instruction.  Areas share
 * large values (plan/aggregation.c); where each has its own, programs are
 * preempted and interrupted by others in the same area.
 */
#include "abi/llquantize.h"
#include "codegen/gen.h"

/* R1 = the word to change, for a histogram: R0 (the value) + 8 * index; R1 is the index. */
static void gen_bucket(struct gen *g, struct temp index, uint32_t words, label done)
{
	struct code *c = &g->code;
	temp_pop(g, index, R1);
	emit_jump_if_number(c, BPF_JGE, R1, (int32_t)words, done); /* for the verifier */
	emit_alu_number(c, BPF_LSH, R1, 3);
	emit_alu(c, BPF_ADD, R0, R1);
}

/* The histogram's bucket for the value in R0, into R0. */
static void gen_index(struct gen *g, const struct aggregation *a)
{
	struct code *c = &g->code;
	emit_mov(c, R1, R0);
	switch (a->function) {
	case AGGREGATE_QUANTIZE:
		emit_call(c, RT_quantize_index);
		return;
	case AGGREGATE_LQUANTIZE:
		emit_number(c, R2, a->base);
		emit_number(c, R3, a->step);
		emit_number(c, R4, a->levels);
		emit_call(c, RT_lquantize_index);
		return;
	default:
		emit_number(c, R2,
			    (int64_t)((uint64_t)a->ll.factor | (uint64_t)a->ll.low << 16 |
				      (uint64_t)a->ll.high << 32 | (uint64_t)a->ll.steps << 48));
		emit_number(c, R3, (int64_t)llquantize_power(a->ll.factor, a->ll.low));
		emit_number(c, R4, (int64_t)llquantize_side(&a->ll));
		emit_call(c, RT_llquantize_index);
	}
}

static bool is_histogram(enum aggregate function)
{
	return function >= AGGREGATE_QUANTIZE;
}

/* What is kept while the value's place is looked up: x, its bucket, or x as min and max store it.
 */
static void gen_kept(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	const struct aggregation *a = s->aggregate.aggregation;
	gen_value(g, s->aggregate.value);
	if (is_histogram(a->function)) {
		gen_index(g, a);
	} else if (a->function == AGGREGATE_MIN) { /* INT64_MAX - x */
		emit_number(c, R1, INT64_MAX);
		emit_alu(c, BPF_SUB, R1, R0);
		emit_mov(c, R0, R1);
	} else if (a->function == AGGREGATE_MAX) { /* x - INT64_MIN */
		emit_number(c, R1, INT64_MIN);
		emit_alu(c, BPF_XOR, R0, R1);
	}
}

/* R0 = the address of this area's value */
static void gen_keyless(struct gen *g, const struct aggregation_layout *layout, label done)
{
	struct code *c = &g->code;
	emit_call(c, RT_area);
	emit_jump_if_number(c, BPF_JGE, R0, (int32_t)g->plan->options->area_count,
			    done); /* for the verifier */
	emit_alu_number(c, BPF_MUL, R0, (int32_t)g->plan->keyless_size);
	emit_address(c, R1, RELOCATE_KEYLESS, 0, layout->keyless_offset);
	emit_alu(c, BPF_ADD, R0, R1);
}

static void gen_place(struct gen *g, const struct tstmt *s, label done)
{
	const struct aggregation_layout *layout =
		&g->plan->aggregations[s->aggregate.aggregation->index];
	if (layout->map < 0) {
		gen_keyless(g, layout, done);
		return;
	}
	struct key_place place = plan_aggregation_key(layout);
	struct place key = gen_key(g, s->aggregate.keys, &place);
	gen_lookup_or_insert(g, layout->map, key, RT_drop_aggregation, done);
}

/* R0 is the value's place; behind its words stands whether there are any.  R1 is lost. */
static void gen_mark(struct gen *g, const struct aggregation *a)
{
	struct code *c = &g->code;
	if (!aggregate_needs_mark(a))
		return;
	uint64_t at = 8 * aggregation_words(&g->plan->aggregations[a->index]);
	if (at <= INT16_MAX) {
		emit_store_number(c, 8, R0, (int)at, 1);
		return;
	}
	emit_mov(c, R1, R0);
	emit_alu_number(c, BPF_ADD, R1, (int32_t)at);
	emit_store_number(c, 8, R1, 0, 1);
}

/* R0 is the value's place; KEPT what gen_kept() computed. */
static void gen_change(struct gen *g, const struct aggregation *a, struct temp kept)
{
	struct code *c = &g->code;
	gen_mark(g, a);
	switch (a->function) {
	case AGGREGATE_SUM:
		temp_pop(g, kept, R1);
		emit_atomic_add(c, 8, R0, 0, R1);
		return;
	case AGGREGATE_AVG:
		temp_pop(g, kept, R1);
		emit_number(c, R2, 1);
		emit_atomic_add(c, 8, R0, 0, R2);
		emit_atomic_add(c, 8, R0, 8, R1);
		return;
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
	case AGGREGATE_STDDEV:
		temp_pop(g, kept, R2);
		emit_mov(c, R1, R0);
		emit_call(c,
			  a->function == AGGREGATE_STDDEV ? RT_aggregate_stddev : RT_aggregate_max);
		return;
	default:
		return;
	}
}

static void gen_histogram(struct gen *g, const struct tstmt *s, struct temp index, label done)
{
	struct code *c = &g->code;
	struct temp weight;
	if (s->aggregate.weight) {
		gen_value(g, s->aggregate.weight);
		weight = temp_push(g, R0);
	}
	gen_place(g, s, done);
	if (s->aggregate.weight)
		temp_pop(g, weight, R2);
	else
		emit_number(c, R2, 1);
	const struct aggregation *a = s->aggregate.aggregation;
	gen_mark(g, a);
	gen_bucket(g, index, (uint32_t)aggregation_words(&g->plan->aggregations[a->index]), done);
	emit_atomic_add(c, 8, R0, 0, R2);
}

void gen_aggregate(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	const struct aggregation *a = s->aggregate.aggregation;
	int mark = c->frame_used;
	uint32_t slot_mark = g->slot_used;
	label done = label_new(c);
	if (a->function == AGGREGATE_COUNT) {
		gen_place(g, s, done);
		emit_number(c, R1, 1);
		emit_atomic_add(c, 8, R0, 0, R1);
	} else {
		gen_kept(g, s);
		struct temp kept = temp_push(g, R0);
		if (is_histogram(a->function)) {
			gen_histogram(g, s, kept, done);
		} else {
			gen_place(g, s, done);
			gen_change(g, a, kept);
		}
	}
	label_place(c, done);
	frame_release(c, mark);
	slot_release(g, slot_mark);
}
