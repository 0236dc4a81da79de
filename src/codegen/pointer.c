/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing through pointers
 *
 * A pointer of D is a number from anywhere, and whatever memory it may write is D's own: that of
 * alloca() and copyin(), and where the program takes the address of a part of a variable, the
 * globals, the thread's block, the this variables of the firing.  Each is one region, whose address
 * is had at run time only.  The pointer's distance from it is checked, and the verifier sees a
 * pointer that it knows, plus a number within bounds.
 *
 * Elements of associative arrays lie anywhere.  They are read through pointers, as the kernel's
 * memory is, and written by their names alone.
 */
#include "codegen/variable.h"

enum region { REGION_ALLOCA, REGION_THIS, REGION_GLOBAL, REGION_SELF, REGION_COUNT };

/* The bytes of it that may be written, from its address on. */
struct extent {
	uint32_t begin, end;
};

static struct extent extent_of(const struct gen *g, enum region region)
{
	switch (region) {
	case REGION_THIS:
		return (struct extent) { sizeof(struct slot),
					 (uint32_t)sizeof(struct slot) + g->this_slot_size };
	case REGION_GLOBAL:
		return (struct extent) { 0, g->program->globals_size };
	case REGION_SELF: /* behind the block's number, which names the thread */
		return (struct extent) { 8, g->program->self_size };
	default:
		return (struct extent) { g->alloca_begin, g->alloca_end };
	}
}

/* Can a pointer lead there at all? */
static bool is_pointed_to(const struct gen *g, enum region region, uint32_t size)
{
	static const enum scope scopes[] = { [REGION_THIS] = SCOPE_THIS,
					     [REGION_GLOBAL] = SCOPE_GLOBAL,
					     [REGION_SELF] = SCOPE_SELF };
	struct extent x = extent_of(g, region);
	if (x.begin + size > x.end)
		return false;
	return region == REGION_ALLOCA || g->points_into[scopes[region]];
}

bool may_write_variables(const struct gen *g)
{
	return g->points_into[SCOPE_GLOBAL] || g->points_into[SCOPE_SELF] ||
	       g->points_into[SCOPE_THIS];
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
		emit_call(c, RT_self_find);
		emit_jump_if_number(c, BPF_JEQ, R0, 0, absent);
		emit_mov(c, R2, R0);
	}
	emit_store(c, 8, R7, offsetof(struct slot, reserved), R2);
	emit_load(c, 8, R1, R7, offsetof(struct slot, reserved));
}

/* R0 = the pointer into REGION whose number is in R0 (and, else, in the frame), or on to OUTSIDE */
static void gen_within(struct gen *g, enum region region, uint32_t size, label outside)
{
	struct code *c = &g->code;
	struct extent x = extent_of(g, region);
	gen_region(g, region, outside);
	if (region != REGION_ALLOCA)
		emit_load(c, 8, R0, FP, g->firing.fault_address);
	emit_alu(c, BPF_SUB, R0, R1);
	if (x.begin)
		emit_jump_if_number(c, BPF_JLT, R0, (int32_t)x.begin, outside);
	emit_jump_if_number(c, BPF_JGT, R0, (int32_t)(x.end - size), outside);
	emit_alu(c, BPF_ADD, R0, R2);
}

void gen_own_pointer(struct gen *g, uint32_t size)
{
	struct code *c = &g->code;
	need_slot(g);
	emit_store(c, 8, FP, g->firing.fault_address, R0);
	enum region regions[REGION_COUNT];
	unsigned count = 0;
	for (enum region region = 0; region < REGION_COUNT; region++)
		if (is_pointed_to(g, region, size))
			regions[count++] = region;
	label found = label_new(c), bad = fault_label(g, FAULT_BADADDR);
	for (unsigned i = 0; i < count; i++) {
		bool is_last = i + 1 == count;
		label outside = is_last ? bad : label_new(c);
		gen_within(g, regions[i], size, outside);
		if (is_last)
			break;
		emit_jump(c, found);
		label_place(c, outside);
	}
	if (!count)
		emit_jump(c, bad);
	label_place(c, found);
}
