/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of patch/; see patch.h */
#ifndef PATCH_INTERNAL_H
#define PATCH_INTERNAL_H

#include "patch/patch.h"

struct patch_machine {
	const struct arch *arch;
	unsigned jump_size;
	/* Bytes that make the instruction at the function's first byte that stays there; 0. */
	unsigned (*mark_size)(const struct bytes *code);
	/* What is between functions, and is never executed. */
	bool (*is_padding)(const struct bytes *code, const struct instruction *i);
	bool (*can_move)(const struct bytes *code, const struct instruction *i);
	/* The instruction CODE of address FROM, appended to TO. */
	void (*move)(const struct bytes *code, const struct instruction *i, uint64_t from,
		     struct patch_code *to);
	void (*jump)(struct patch_code *to, uint64_t target);
	/* BYTE, the first one in a window, AT its beginning or later, that is not the file's. */
	enum patch_refusal (*foreign)(unsigned char byte, size_t at);
};

extern const struct patch_machine patch_x86_64;

/* Does control continue after I? */
static inline bool patch_continues(const struct instruction *i)
{
	return i->is_call || i->flow == FLOW_NEXT || i->flow == FLOW_BRANCH;
}

/* --- plan.c, code.c: the instructions of a function, for its windows --- */

struct plan_item {
	uint64_t at;
	struct instruction i;
	bool is_padding, is_movable;
};

/* Items FIRST ... END - 1. */
struct plan_range {
	size_t first, end;
};

/* A firing whose window may still grow. */
struct plan_firing {
	uint64_t at; /* of the instruction before which it fires */
	uint8_t kind;
	struct patch_firing firing;
};

struct planner {
	const struct patch_machine *machine;
	const struct patch_function *function;
	const struct patch_site *sites;
	uint64_t probe;	      /* offset in the file where the kernel's probe of an entry is */
	uint64_t known_until; /* so far instructions are known; of the function */
	VECTOR(struct plan_item) items;
	VECTOR(struct plan_range) windows;
	VECTOR(struct plan_firing) firings;
};

/* --- code.c: instructions --- */

struct bytes planner_bytes(const struct planner *p, uint64_t at);
/* Does control come to a place between the two, other than from the instruction before? */
bool planner_has_target(const struct planner *p, uint64_t after, uint64_t before);
/* The items, as far as a site at LAST needs them. */
void planner_decode(struct planner *p, uint64_t last);

#endif
