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

/* The histogram's bucket for the value in R1, into R0. */
static void index_quantize(struct code *c, const struct aggregation *a)
{
	emit_call(c, aggregate_calls(a->function));
}

static void index_lquantize(struct code *c, const struct aggregation *a)
{
	emit_number(c, R2, a->base);
	emit_number(c, R3, a->step);
	emit_number(c, R4, a->levels);
	emit_call(c, aggregate_calls(a->function));
}

static void index_llquantize(struct code *c, const struct aggregation *a)
{
	emit_number(c, R2,
		    (int64_t)((uint64_t)a->ll.factor | (uint64_t)a->ll.low << 16 |
			      (uint64_t)a->ll.high << 32 | (uint64_t)a->ll.steps << 48));
	emit_number(c, R3, (int64_t)llquantize_power(a->ll.factor, a->ll.low));
	emit_number(c, R4, (int64_t)llquantize_side(&a->ll));
	emit_call(c, aggregate_calls(a->function));
}

#define index_none NULL
static void (*const index_of[])(struct code *c, const struct aggregation *a) = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	index_##buckets,
#include "abi/aggregate.def"
#undef AGGREGATE
};

/* R0 as its FORM is stored; R1 is lost. */
static void gen_form(struct code *c, enum aggregate_form form)
{
	if (form == FORM_FROM_MOST) {
		emit_number(c, R1, INT64_MAX);
		emit_alu(c, BPF_SUB, R1, R0);
		emit_mov(c, R0, R1);
	} else if (form == FORM_FROM_LEAST) { /* x - INT64_MIN */
		emit_number(c, R1, INT64_MIN);
		emit_alu(c, BPF_XOR, R0, R1);
	}
}

static uint32_t sum_word(const struct gen *g, const struct aggregation *a)
{
	return g->plan->aggregations[a->index].sum_word;
}

/* Kept during the look-up of the value's place: x as it is stored; its bucket, and x for the sum.
 */
static void gen_kept(struct gen *g, const struct tstmt *s, struct temp *value)
{
	struct code *c = &g->code;
	const struct aggregation *a = s->aggregate.aggregation;
	gen_value(g, s->aggregate.value);
	if (sum_word(g, a))
		*value = temp_push(g, R0);
	if (index_of[a->function]) {
		emit_mov(c, R1, R0);
		index_of[a->function](c, a);
	}
	gen_form(c, aggregate_row(a->function)->form);
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

/* R0 is the value's place; the word after its words is not 0 if there are values.  R1 is lost. */
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

/* Do several areas add to one element of A? */
static bool is_shared_by_areas(const struct gen *g, const struct aggregation *a)
{
	return g->plan->aggregations[a->index].areas_per_shard > 1 &&
	       g->plan->options->area_count > 1;
}

/*
 * Add SRC to the word at R0 + OFFSET.  An element that areas share takes the form that fetches
 * (abi/state.h), which costs the kernel the same; SRC is lost then.
 */
static void gen_add(struct gen *g, const struct aggregation *a, int offset, enum reg src)
{
	if (is_shared_by_areas(g, a))
		emit_fetch(&g->code, BPF_ADD, 8, R0, offset, src);
	else
		emit_atomic_add(&g->code, 8, R0, offset, src);
}

/*
 * How a value at R0 changes.  KEPT is what gen_kept() computed; of a histogram VALUE is for its sum
 * and WEIGHT is its weight, or they are nothing; R0 to R5 may be lost, and DONE is where nothing
 * more is to be done.
 */
struct change {
	const struct tstmt *statement;
	struct temp kept, value, weight;
	label done;
};

static void change_count(struct gen *g, const struct aggregation *a, const struct change *how)
{
	emit_number(&g->code, R1, 1);
	gen_add(g, a, 0, R1);
}

static void change_sum(struct gen *g, const struct aggregation *a, const struct change *how)
{
	temp_pop(g, how->kept, R1);
	gen_add(g, a, 0, R1);
}

static void change_avg(struct gen *g, const struct aggregation *a, const struct change *how)
{
	temp_pop(g, how->kept, R1);
	emit_number(&g->code, R2, 1);
	gen_add(g, a, 0, R2);
	gen_add(g, a, 8, R1);
}

/* The function in the row gets the value and the kept values; stddev's has two forms. */
static void change_call(struct gen *g, const struct aggregation *a, const struct change *how)
{
	enum rt_function function = aggregate_calls(a->function);
	if (function == RT_aggregate_stddev && is_shared_by_areas(g, a))
		function = RT_aggregate_stddev_shared;
	temp_pop(g, how->kept, R2);
	emit_mov(&g->code, R1, R0);
	emit_call(&g->code, function);
}

/* Add the value, R2 times, to the sum of the histogram at R0. */
static void gen_add_to_sum(struct gen *g, const struct aggregation *a, struct temp value)
{
	int32_t at = 8 * (int32_t)sum_word(g, a);
	temp_pop(g, value, R1);
	emit_alu(&g->code, BPF_MUL, R1, R2);
	emit_alu_number(&g->code, BPF_ADD, R0, at); /* it may be too far for an instruction */
	gen_add(g, a, 0, R1);
	emit_alu_number(&g->code, BPF_ADD, R0, -at);
}

static void change_bucket(struct gen *g, const struct aggregation *a, const struct change *how)
{
	if (how->statement->aggregate.weight)
		temp_pop(g, how->weight, R2);
	else
		emit_number(&g->code, R2, 1);
	gen_mark(g, a);
	if (sum_word(g, a))
		gen_add_to_sum(g, a, how->value);
	gen_bucket(g, how->kept, (uint32_t)aggregation_words(&g->plan->aggregations[a->index]),
		   how->done);
	gen_add(g, a, 0, R2);
}

static void (*const change_of[])(struct gen *g, const struct aggregation *a,
				 const struct change *how) = {
#define AGGREGATE(id, name, arguments, words, change, ...) change_##change,
#include "abi/aggregate.def"
#undef AGGREGATE
};

void gen_aggregate(struct gen *g, const struct tstmt *s)
{
	struct code *c = &g->code;
	const struct aggregation *a = s->aggregate.aggregation;
	int mark = c->frame_used;
	uint32_t slot_mark = g->slot.used;
	struct change how = { .statement = s, .done = label_new(c) };
	if (s->aggregate.value) {
		gen_kept(g, s, &how.value);
		how.kept = temp_push(g, R0);
	}
	if (s->aggregate.weight) {
		gen_value(g, s->aggregate.weight);
		how.weight = temp_push(g, R0);
	}
	gen_place(g, s, how.done);
	if (!index_of[a->function])
		gen_mark(g, a);
	change_of[a->function](g, a, &how);
	label_place(c, how.done);
	frame_release(c, mark);
	slot_release(g, slot_mark);
}
