/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* From an address to the mapping that it is in, and to the table of the mapped file */
#include "runtime/stack/unwind.h"

/* --- the kernel's maple tree, without its lock ------------------------------------------------ */

#define NODE_IS_ROOT 2u
#define NODE_MASK 255ull
#define NODE_LEAF_64 1 /* enum maple_type; what is above is no leaf */
#define NODE_ARANGE_64 3
#define LEVELS_MOST 6

/* 1 if A < B, without a branch.  An unused pivot is 0, and greater than all; so are pointers. */
static always_inline uint64_t is_pivot_below(uint64_t pivot, uint64_t address)
{
	return ((((pivot - 1) << 1) >> 1) - (address - 1)) >> 63;
}

/*
 * WORDS[INDEX], of COUNT, a power of two.  The verifier of 6.1 knows nothing of a sum that the
 * compiler has made an "or": so the mask comes after it, although INDEX is below COUNT.
 */
static always_inline uint64_t table_word(const uint64_t *words, uint64_t index, uint64_t count)
{
	OPAQUE(index);
	return words[index & (count - 1)];
}

/*
 * What the node ENTRY has for ADDRESS: another node, or a mapping.  A node is
 *   range_64, leaf_64   parent, 15 pivots, 16 slots
 *   arange_64           parent,  9 pivots, 10 slots, 10 gaps
 * Slot i has what is above pivot i - 1 up to pivot i.  Branches in the search would be followed
 * by the verifier in all combinations, at all levels.
 */
__attribute__((noinline)) long rt_walk_descend(uint64_t at, uint64_t entry, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w || port_read_kernel(w->node, WALK_NODE, (void *)(entry & ~NODE_MASK)) < 0)
		return 0;
	const uint64_t *words = (const uint64_t *)(void *)w->node;
	const uint64_t *pivots = words + 1;
	uint64_t slot = 8 * is_pivot_below(pivots[7], address);
	slot += 4 * is_pivot_below(table_word(pivots, slot + 3, 16), address);
	slot += 2 * is_pivot_below(table_word(pivots, slot + 1, 16), address);
	slot += is_pivot_below(table_word(pivots, slot, 16), address);
	uint64_t first = (entry >> 3 & 15) == NODE_ARANGE_64 ? 10 : 16;
	return table_word(words, first + slot, 32);
}

/* What the tree has for ADDRESS into w->vma; 0: something. */
static always_inline long tree_look_up(struct stack_walk *w, uint64_t at, uint64_t address)
{
	uint64_t entry = w->root;
	if ((entry & 3) != NODE_IS_ROOT)
		return -1;
	for (int i = 0; i < LEVELS_MOST; i++) {
		uint64_t type = entry >> 3 & 15;
		entry = rt_walk_descend(at, entry, address);
		if (entry < PAGE)
			return -1;
		if (type <= NODE_LEAF_64)
			break;
	}
	return port_read_kernel(w->vma, WALK_VMA, (void *)entry);
}

/* What was found is of this process, and has ADDRESS. */
static always_inline int is_right(const struct stack_walk *w, uint64_t address)
{
	return VMA(w, begin) <= address && VMA(w, end) > address && VMA(w, memory) == w->memory;
}

/*
 * Between two reads another thread may replace a node: the kernel then queues the old one for
 * removal, by a link in place of its first two pivots.  Or it removes a mapping, whose memory is
 * another's at once (6.1).  What is found is checked, and what is not found is sought again from
 * the tree's root of now: on an emulated 6.1, whose processors pause at any place, 4 of 20,000
 * stacks missed a mapping without that.
 */
#define TRIES_MOST 4

__attribute__((noinline)) long rt_walk_vma(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w)
		return -1;
	for (int i = 0; i < TRIES_MOST; i++) {
		if (tree_look_up(w, at, address) == 0 && is_right(w, address))
			return 0;
		w->root = word_at(w->memory + NUMBER(rt_offset_memory_tree));
	}
	return -1;
}

/* --- files ------------------------------------------------------------------------------------ */

/* A file that is met the first time: its table is requested, once. */
static always_inline enum unwind_state ask(const struct stack_walk *w, const struct unwind_key *key,
					   uint64_t address)
{
	if (!w->process) /* of an outer PID namespace: we cannot read its files */
		return UNWIND_ASKED;
	const struct unwind_file asked = { .state = UNWIND_ASKED };
	struct arrival arrival = {
		.tgid = w->process,
		.kind = ARRIVAL_TABLE,
		.address = address,
		.key = *key,
	};
	long failed = port_map_update(rt_unwind_files, key, &asked, BPF_NOEXIST);
	if (failed)
		return failed == PORT_EXISTS ? UNWIND_ASKED : UNWIND_NO_ROOM;
	if (port_output(rt_arrivals, &arrival, sizeof(arrival), PORT_WAKE) < 0)
		port_map_remove(rt_unwind_files, key);
	return UNWIND_ASKED;
}

static always_inline void walk_find_file(const struct stack_walk *w, struct walk_mapping *m,
					 uint64_t file, uint64_t is_vdso, uint64_t address)
{
	struct unwind_key key = { 0 };
	m->file = (struct unwind_file) { .state = UNWIND_NO_FILE };
	if (file)
		key_of_file(file, &key);
	else if (is_vdso)
		key.generation = w->word == NARROW ? UNWIND_NARROW : 0;
	else
		return;
	const struct unwind_file *known = port_map_lookup(rt_unwind_files, &key);
	m->file.state = UNWIND_ASKED;
	if (known)
		m->file = *known;
	else if (file ||
		 key.generation) /* the vdso of 64-bit processes has its table at the start */
		m->file.state = ask(w, &key, address);
}

/* The number of the mapping at ADDRESS among those remembered, which it becomes; -1: none. */
__attribute__((noinline)) long rt_walk_map(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	if (!w || rt_walk_vma(at, address) < 0)
		return -1;
	uint64_t begin = VMA(w, begin), end = VMA(w, end);
	uint64_t number = w->next_mapping++ & (WALK_MAPPINGS - 1);
	struct walk_mapping *m = &w->mappings[number];
	m->begin = m->end = 0;
	m->offset = VMA(w, page) * NUMBER(rt_page_size);
	m->executable = VMA(w, flags) & VMA_EXECUTABLE;
	if (m->executable)
		walk_find_file(w, m, VMA(w, file),
			       begin == word_at(w->memory + NUMBER(rt_offset_memory_vdso)),
			       address);
	m->begin = begin;
	m->end = end;
	return number;
}
