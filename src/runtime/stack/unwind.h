/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * unwind - user stacks by tables of .eh_frame (abi/unwind.h; unwind/unwind.h has the whole design)
 *
 *   unwind.c          a walk, from the registers of the first frame to the end
 *   unwind_frame.c    one step: from a frame to its caller
 *   unwind_mapping.c  from an address to the mapped file
 *   unwind_copy.c     the rest of a stack whose table is not there yet, to user space
 *
 * A walk's state is in memory of its own, which functions find by a number: so the verifier sees
 * each of them once, apart from the others, and the loop's body is one call.  With all in one
 * function it gave up after 1,000,000 instructions.
 */
#ifndef RUNTIME_STACK_UNWIND_H
#define RUNTIME_STACK_UNWIND_H

#include "runtime/string/text.h"

#define WORD 8	 /* of a record; and what is read at once */
#define NARROW 4 /* an address of 32-bit code */
#define PAGE 4096

/* AT is the number of a walk: an offset in rt_walks. */

/* The walk's process's mapping at ADDRESS into w->vma; -1: it has none there. */
long rt_walk_vma(uint64_t at, uint64_t address);
long rt_walk_map(uint64_t at, uint64_t address);  /* its number among w->mappings; -1: none */
long rt_walk_word(uint64_t at, uint64_t address); /* of the stack; else w->failed */
long rt_walk_step(uint64_t at);			  /* 1: the walk has ended */
long rt_walk_method(uint64_t at);		  /* keep it (STACK_METHODS) */
/* The walk's stack from the current frame on, whose code is at ADDRESS: the copy's number; 0: no
 * copy. */
long rt_walk_copy(uint64_t at, uint64_t address);

static always_inline struct stack_walk *walk_of(uint64_t at)
{
	OPAQUE(at);
	if (at >= NUMBER(rt_walks_end))
		return 0;
	OPAQUE(at);
	return (struct stack_walk *)(rt_walks + at);
}

/* --- the pool --------------------------------------------------------------------------------- */

static always_inline struct unwind_pool *pool_head(void)
{
	return (struct unwind_pool *)rt_unwind_pool;
}

static always_inline uint8_t pool_byte(uint64_t offset)
{
	OPAQUE(offset);
	offset &= NUMBER(rt_pool_mask);
	return *(uint8_t *)(rt_unwind_pool + offset);
}

/* The table whose index is at INDEX is in use. */
static always_inline void note_use(uint64_t index)
{
	uint32_t epoch = pool_head()->epoch;
	index -= UNWIND_USED_SIZE;
	OPAQUE(index);
	index &= NUMBER(rt_pool_mask);
	uint32_t *used = (uint32_t *)(rt_unwind_pool + index);
	if (*used != epoch)
		*used = epoch;
}

/* The mask is for the verifier; offsets are right. */
static always_inline uint32_t pool_word(uint64_t offset)
{
	OPAQUE(offset);
	offset &= NUMBER(rt_pool_mask);
	return *(uint32_t *)(rt_unwind_pool + offset);
}

/* --- what was read of a mapping --------------------------------------------------------------- */

/* OPAQUE: else, in a loop, the sums are kept on the stack, of which a chain of calls has 512 bytes.
 */
static always_inline uint64_t vma_word(const struct stack_walk *w, uint64_t offset)
{
	OPAQUE(offset);
	return *(const uint64_t *)(void *)(w->vma + (offset & (WALK_VMA - WORD)));
}

/* A member of w->vma. */
#define VMA(w, member) vma_word(w, NUMBER(rt_offset_vma_##member))
#define VMA_EXECUTABLE 4

/* The file that the kernel's struct file at FILE is of. */
static always_inline void key_of_file(uint64_t file, struct unwind_key *key)
{
	uint64_t inode = word_at(file + NUMBER(rt_offset_file_inode));
	uint64_t sb = word_at(inode + NUMBER(rt_offset_inode_sb));
	key->inode = word_at(inode + NUMBER(rt_offset_inode_number));
	key->generation = half_at(inode + NUMBER(rt_offset_inode_generation));
	key->device = half_at(sb + NUMBER(rt_offset_sb_device));
	key->changed_s = half_at(inode + NUMBER(rt_offset_inode_changed_s));
	/* The highest bit says that somebody has asked for the time (6.13). */
	key->changed_ns = half_at(inode + NUMBER(rt_offset_inode_changed_ns)) << 1 >> 1;
}

#endif
