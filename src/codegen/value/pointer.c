/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing through pointers
 *
 * A pointer of D is a number of any origin, and may be used to write only to D's memory: that of
 * alloca() and copyin(), and the variables whose addresses, or those of their parts, the program
 * takes.  These are in regions, whose addresses are known only at run time: the slot, the globals,
 * the thread's block.  Whether a pointer into the slot leads to an allocation, RT_piece_test
 * decides (piece.c); in the other regions its distance from the region is checked against each
 * variable's place there.  So the verifier sees a known pointer plus a number within bounds.
 *
 * Elements of associative arrays are anywhere in memory.  They are read through pointers, as
 * the kernel's memory is, and written only by their names.
 */
#include "codegen/value/variable.h"

enum region { REGION_ALLOCA, REGION_THIS, REGION_GLOBAL, REGION_SELF, REGION_COUNT };

/* Bytes that D may write, at an offset in their region. */
struct extent {
	uint32_t begin, end;
	uint32_t most; /* the most at once, if the size is known only at run time */
};
typedef VECTOR(struct extent) extent_vector;

/* How many bytes are written: known when compiling, or saved at run time. */
struct amount {
	uint32_t constant;
	const struct temp *at_run_time;
};

static void add_extent(extent_vector *list, struct extent x, const struct amount *amount)
{
	if (x.end > x.begin && x.end - x.begin >= amount->constant)
		vector_push(list, x);
}

static void add_variable(const struct gen *g, extent_vector *list, const struct variable *v,
			 const struct amount *amount)
{
	uint32_t size = type_size(v->type), offset = plan_variable(g->plan, v)->offset;
	uint32_t begin = (uint32_t)sizeof(struct slot) + offset;
	if (v->scope == SCOPE_THIS) {
		add_extent(list, (struct extent) { begin, begin + size, size }, amount);
		return;
	}
	uint32_t most = MIN(size, g->plan->run_time_room[v->scope]);
	add_extent(list, (struct extent) { offset, offset + size, most }, amount);
}

/* Each write is tested against all extents: at most so many; the bytes between them count, too. */
#define EXTENTS_MOST 8

static void join_many(extent_vector *list)
{
	if (list->count <= EXTENTS_MOST)
		return;
	struct extent all = list->items[0];
	for (size_t i = 1; i < list->count; i++) {
		all.begin = MIN(all.begin, list->items[i].begin);
		all.end = MAX(all.end, list->items[i].end);
		all.most = MAX(all.most, list->items[i].most);
	}
	list->items[0] = all;
	list->count = 1;
}

/* Where a pointer into REGION can lead. */
static extent_vector extents_of(const struct gen *g, enum region region,
				const struct amount *amount)
{
	static const enum scope scopes[] = { [REGION_THIS] = SCOPE_THIS,
					     [REGION_GLOBAL] = SCOPE_GLOBAL,
					     [REGION_SELF] = SCOPE_SELF };
	extent_vector list = { 0 };
	if (region == REGION_ALLOCA) {
		/* All alloca memory: the table has its pieces. */
		uint32_t end = g->plan->alloca_end - plan_verifier_room(g->plan);
		uint32_t most = plan_largest_piece(g->plan);
		if (most >= amount->constant)
			add_extent(&list, (struct extent) { g->plan->alloca_begin, end, most },
				   amount);
		return list;
	}
	enum scope scope = scopes[region];
	for (unsigned i = 0; i < g->plan->typed->variable_count[scope]; i++) {
		const struct variable *v = g->plan->typed->variables[scope][i];
		const struct variable_place *place = plan_variable(g->plan, v);
		if (place->is_pointed_to && place->home != HOME_MAP)
			add_variable(g, &list, v, amount);
	}
	join_many(&list);
	return list;
}

/* R2 = the region's address as the verifier knows it, R1 = the same as a number. */
static void gen_region(struct gen *g, enum region region, label absent)
{
	struct code *c = &g->code;
	if (region == REGION_ALLOCA || region == REGION_THIS) {
		emit_mov(c, R2, R7);
		emit_load(c, 8, R1, R7, offsetof(struct slot, address));
		return;
	}
	if (region == REGION_GLOBAL) {
		emit_address(c, R2, RELOCATE_GLOBALS, 0, 0);
	} else {
		gen_block(g, false);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, absent);
		emit_mov(c, R2, R0);
	}
	emit_store(c, 8, R7, offsetof(struct slot, unknown), R2);
	emit_load(c, 8, R1, R7, offsetof(struct slot, unknown));
}

/* On to OUTSIDE if from R0 on the extent has fewer bytes, R3 if their number is not known. */
static void gen_extent_test(struct gen *g, struct extent x, const struct amount *amount,
			    label outside)
{
	struct code *c = &g->code;
	if (x.begin)
		emit_jump_if_number(c, BPF_JLT, R0, (int32_t)x.begin, outside);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)(x.end - amount->constant), outside);
	if (!amount->at_run_time)
		return;
	emit_jump_if_number(c, BPF_JGT, R3, (int32_t)x.most, outside);
	emit_mov(c, R4, R0);
	emit_alu(c, BPF_ADD, R4, R3);
	emit_jump_if_number(c, BPF_JGT, R4, (int32_t)x.end, outside);
}

/*
 * R0 and R3 as before the tests, in the bounds of all EXTENTS.  The slot's values are unknown to
 * the verifier, so it follows the code after the tests once, and not once for each extent.
 */
static void gen_bounds(struct gen *g, const extent_vector *extents, const struct amount *amount,
		       label outside)
{
	struct code *c = &g->code;
	uint32_t end = 0, most = 0;
	for (size_t i = 0; i < extents->count; i++) {
		end = MAX(end, extents->items[i].end);
		most = MAX(most, extents->items[i].most);
	}
	emit_load(c, 8, R0, R7, offsetof(struct slot, unknown));
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)(end - amount->constant), outside);
	if (!amount->at_run_time)
		return;
	emit_load(c, 4, R3, R7, offsetof(struct slot, bytes));
	emit_jump_if_number(c, BPF_JGT, R3, (int32_t)most, outside);
}

/* Jump to OUTSIDE if the bytes at R0 are in none of EXTENTS, of which there are several. */
static void gen_extents_test(struct gen *g, const extent_vector *extents,
			     const struct amount *amount, label outside)
{
	struct code *c = &g->code;
	label inside = label_new(c);
	emit_store(c, 8, R7, offsetof(struct slot, unknown), R0);
	if (amount->at_run_time) {
		emit_store(c, 4, R7, offsetof(struct slot, bytes), R3);
		emit_load(c, 4, R3, R7, offsetof(struct slot, bytes));
	}
	for (size_t i = 0; i < extents->count; i++) {
		bool is_last = i + 1 == extents->count;
		label next = is_last ? outside : label_new(c);
		gen_extent_test(g, extents->items[i], amount, next);
		if (is_last)
			break;
		emit_jump(c, inside);
		label_place(c, next);
	}
	label_place(c, inside);
	gen_bounds(g, extents, amount, outside);
}

/* On to OUTSIDE unless the bytes at the address in the frame are in one of the firing's pieces. */
static void gen_pieces_test(struct gen *g, const struct amount *amount, label outside)
{
	if (amount->at_run_time)
		temp_read(g, *amount->at_run_time, R3);
	else
		emit_number(&g->code, R3, amount->constant);
	gen_piece_test(g);
	emit_jump_if_number(&g->code, BPF_JNE, R0, PIECE_INSIDE, outside);
}

/*
 * R0 = the pointer into REGION whose number is in the frame, or on to OUTSIDE.
 * R3 = the bytes, if their number is known only now.
 */
static void gen_within(struct gen *g, enum region region, const extent_vector *extents,
		       const struct amount *amount, label outside)
{
	struct code *c = &g->code;
	if (region == REGION_ALLOCA)
		gen_pieces_test(g, amount, outside);
	gen_region(g, region, outside);
	emit_load(c, 8, R0, FP, g->firing.fault_address);
	emit_alu(c, BPF_SUB, R0, R1);
	if (amount->at_run_time)
		temp_read(g, *amount->at_run_time, R3);
	if (extents->count == 1)
		gen_extent_test(g, extents->items[0], amount, outside);
	else
		gen_extents_test(g, extents, amount, outside);
	emit_alu(c, BPF_ADD, R0, R2);
}

static void gen_own(struct gen *g, const struct amount *amount)
{
	struct code *c = &g->code;
	extent_vector extents[REGION_COUNT];
	enum region last = REGION_COUNT;
	for (enum region region = 0; region < REGION_COUNT; region++) {
		extents[region] = extents_of(g, region, amount);
		if (extents[region].count)
			last = region;
	}
	need_slot(g);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	label found = label_new(c), bad = fault_label(g, FAULT_BADADDR);
	for (enum region region = 0; region < REGION_COUNT; region++) {
		if (!extents[region].count)
			continue;
		label outside = region == last ? bad : label_new(c);
		gen_within(g, region, &extents[region], amount, outside);
		vector_free(&extents[region]);
		if (region == last)
			break;
		emit_jump(c, found);
		label_place(c, outside);
	}
	if (last == REGION_COUNT)
		emit_jump(c, bad);
	label_place(c, found);
}

void gen_own_pointer(struct gen *g, uint32_t size)
{
	gen_own(g, &(struct amount) { .constant = size });
}

/* The most bytes that can be written at once. */
static uint32_t most_at_once(const struct gen *g)
{
	uint32_t most = 0;
	for (enum region region = 0; region < REGION_COUNT; region++) {
		extent_vector list = extents_of(g, region, &(struct amount) { 0 });
		for (size_t i = 0; i < list.count; i++)
			most = MAX(most, list.items[i].most);
		vector_free(&list);
	}
	return most;
}

void gen_own_bytes(struct gen *g, struct temp size)
{
	struct code *c = &g->code;
	temp_read(g, size, R3);
	emit_store(c, 8, FP, g->firing.fault_address, R3);
	emit_jump_if_number(c, BPF_JGT, R3, (int32_t)most_at_once(g),
			    fault_label(g, FAULT_BADSIZE));
	gen_own(g, &(struct amount) { .at_run_time = &size });
	emit_mov(c, R1, R0);
	emit_mov(c, R2, R3);
	temp_pop(g, size, R3);
}
