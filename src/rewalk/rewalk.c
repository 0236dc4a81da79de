/* SPDX-License-Identifier: BSD-2-Clause */
#include "rewalk/host.h"

#include "runtime/stack/unwind_frame.c"

/* --- what the library's other files do in programs -------------------------------------------- */

/* The number of the mapping at ADDRESS among those remembered; -1: none. */
long rt_walk_map(uint64_t at, uint64_t address)
{
	struct stack_walk *w = &rewalking.walk;
	uint64_t number = w->next_mapping++ & (WALK_MAPPINGS - 1);
	struct walk_mapping *m = &w->mappings[number];
	*m = (struct walk_mapping) { 0 };
	if (!rewalking.setup->mapping(rewalking.setup->arg, address, m))
		return -1;
	return (long)number;
}

/* It is copied already. */
long rt_walk_copy(uint64_t at, uint64_t address)
{
	return 0;
}

/* --- a walk ----------------------------------------------------------------------------------- */

/* The first one, as a number; 0: there are none. */
static uint64_t list_returns(const struct stack_copy *copy)
{
	unsigned n = 0;
	for (; n < COPY_RETURNS && copy->returns[n].place; n++)
		pending_returns[n] = (struct pending_return) {
			.place = copy->returns[n].place,
			.address = copy->returns[n].address,
			.next = n + 1 < COPY_RETURNS ? (uint64_t)&pending_returns[n + 1] : 0,
		};
	if (n && n < COPY_RETURNS)
		pending_returns[n - 1].next = 0;
	return n ? (uint64_t)pending_returns : 0;
}

/*
 * The walk as it was when its last frame was recorded, whose caller is to be found: that frame is
 * recorded again, at the beginning of FRAMES.
 */
static void copy_walk_begin(const struct stack_copy *copy)
{
	struct stack_walk *w = &rewalking.walk;
	*w = (struct stack_walk) {
		.pc = copy->pc,
		.stack = copy->stack,
		.frame = copy->frame,
		.how = copy->how,
		.word = copy->word,
		.saved = copy->saved,
		.has_saved = copy->has_saved,
		.is_lost = copy->is_lost,
		.count = copy->count - 1,
		.most = copy->most,
		.at_entry = copy->at_entry,
		.trampoline = copy->trampoline,
		.returns = list_returns(copy),
		.end = STACK_END_FULL,
		.evictions = rewalking.setup->pool->evictions,
	};
	w->at = -(w->count * WORD);
	memcpy(w->registers, copy->registers, sizeof(w->registers));
}

#define TRIES 3

/* A table that is made for this walk may remove another one that the walk uses. */
static void copy_walk(const struct stack_copy *copy)
{
	for (int i = 0; i < TRIES; i++) {
		copy_walk_begin(copy);
		while (!rt_walk_step(0))
			;
		if (rewalking.walk.evictions == rewalking.setup->pool->evictions)
			return;
	}
}

static void choose_machine(const struct arch *a)
{
#define MACHINE(name, value) host_rt_##name = value;
#include "abi/machine.def"
#undef MACHINE
}

enum stack_end rewalk(const struct rewalk_setup *setup, const struct stack_copy *copy,
		      uint64_t *frames, uint32_t *count)
{
	uint64_t most = copy->most - copy->count + 1;
	uint64_t *all = mem_zalloc(most * WORD);
	rewalking = (struct rewalking) {
		.setup = setup,
		.copy = copy,
		.bytes = (const char *)(copy + 1),
		.frames = (char *)all,
		.frames_size = most * WORD,
		.pool = (char *)setup->pool,
	};
	choose_machine(setup->arch);
	copy_walk(copy);
	uint64_t got = rewalking.walk.count - (copy->count - 1);
	*count = got ? (uint32_t)got - 1 : 0;
	memcpy(frames, all + 1, *count * WORD);
	free(all);
	return (enum stack_end)rewalking.walk.end;
}
