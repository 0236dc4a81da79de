/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rest of a stack that meets a file whose table is not there yet, to user space
 *
 * User space makes the table, and walks the copy by it: so the first stacks of a file are whole,
 * too.  Copies are made only until the table is there.  From the page of the current frame on, all
 * pages to the end of the mapping, at most 128 KiB: usually 3 to 5 pages.
 */
#include "runtime/stack/unwind.h"

/* --- pending return probes, which only the kernel knows --------------------------------------- */

struct gathering {
	uint64_t at, next, blur;
};

static long gather(uint32_t i, struct gathering *g)
{
	struct stack_walk *w = walk_of(g->at);
	uint64_t to = i * sizeof(struct copied_return);
	OPAQUE(to);
	to &= WALK_PIECE - sizeof(struct copied_return);
	if (!w)
		return 1;
	struct copied_return *r = (struct copied_return *)(void *)(w->piece + to);
	r->place = g->next ? word_at(g->next + NUMBER(rt_offset_return_stack)) : 0;
	r->address = g->next ? word_at(g->next + NUMBER(rt_offset_return_address)) : 0;
	g->next = g->next ? word_at(g->next + NUMBER(rt_offset_return_next)) + g->blur : 0;
	return !r->place;
}

/* Into the memory for pieces of the stack, as struct copied_return. */
static always_inline void gather_returns(struct stack_walk *w, uint64_t at)
{
	uint64_t blur = w->blur;
	struct gathering g = { at + blur, w->trampoline ? w->returns : 0, blur };
	w->piece_size = w->piece_words = 0;
	port_loop(COPY_RETURNS, gather, &g, 0);
}

/* --- the copy --------------------------------------------------------------------------------- */

static always_inline void copy_fill(struct stack_copy *c, const struct stack_walk *w,
				    const struct unwind_key *key, uint64_t mapped_at)
{
	c->process = w->process;
	c->key = *key;
	c->mapped_at = mapped_at;
	c->pc = w->pc;
	c->stack = w->stack;
	c->frame = w->frame;
	c->how = w->how;
	c->word = w->word;
	c->saved = w->saved;
	c->has_saved = w->has_saved;
	c->is_lost = w->is_lost;
	c->count = w->count;
	c->most = w->most;
	c->wants_more = w->wants_more;
	c->at_entry = w->at_entry;
	c->trampoline = w->trampoline;
	port_copy(c->registers, sizeof(c->registers), w->registers);
	port_copy(c->returns, sizeof(c->returns), w->piece);
}

/*
 * Up to the last page that is there.  A frame of many pages may have some that are not in memory
 * (24 KB of one in libjvm.so).
 */
static always_inline uint64_t copy_pages(struct stack_copy *c, uint64_t from, uint64_t pages,
					 uint64_t most)
{
	char *to = (char *)(c + 1);
	uint64_t there = 0, absent = 0;
	for (uint64_t n = 0; n < most && n < pages; n++) {
		if (port_read_user(to + n * COPY_PAGE, COPY_PAGE, (void *)(from + n * COPY_PAGE)) <
		    0)
			absent |= 1ull << n;
		else
			there = n + 1;
	}
	c->absent = absent;
	return there;
}

/* PAGES, which are not above MOST, a constant. */
static always_inline long copy_stack(struct stack_walk *w, const struct unwind_key *key,
				     uint64_t mapped_at, uint64_t pages, uint64_t most)
{
	uint64_t from = w->stack & ~(COPY_PAGE - 1ull);
	struct stack_copy *c = port_reserve(rt_stack_copies, sizeof(*c) + most * COPY_PAGE, 0);
	if (!c) {
		COUNT(uncopied_stacks);
		return 0;
	}
	uint64_t number = __sync_fetch_and_add(&pool_head()->copies, 1) + 1;
	c->number = number;
	c->begin = from;
	c->page_count = copy_pages(c, from, pages, most);
	copy_fill(c, w, key, mapped_at);
	port_submit(c, 0);
	return number;
}

/* A reserved size is a constant to the verifier. */
__attribute__((noinline)) long rt_walk_copy(uint64_t at, uint64_t address)
{
	struct stack_walk *w = walk_of(at);
	uint64_t pages_most = NUMBER(rt_copy_pages);
	OPAQUE(pages_most);
	if (!w || !pages_most || w->at == WALK_NO_FRAMES || !w->process ||
	    rt_walk_vma(at, address) < 0)
		return 0;
	struct unwind_key key = { 0 };
	uint64_t mapped_at = VMA(w, begin);
	if (VMA(w, file))
		key_of_file(VMA(w, file), &key);
	else /* the one mapping without a file whose table is requested (walk_find_file()) */
		key.generation = UNWIND_NARROW;
	if (rt_walk_vma(at, w->stack) < 0)
		return 0;
	uint64_t pages = (VMA(w, end) - (w->stack & ~(COPY_PAGE - 1ull))) / COPY_PAGE;
	gather_returns(w, at);
	OPAQUE(pages);
	if (pages > pages_most)
		pages = pages_most;
	if (pages <= 2)
		return copy_stack(w, &key, mapped_at, pages, 2);
	if (pages <= 4)
		return copy_stack(w, &key, mapped_at, pages, 4);
	if (pages <= 8)
		return copy_stack(w, &key, mapped_at, pages, 8);
	if (pages <= 16)
		return copy_stack(w, &key, mapped_at, pages, 16);
	return copy_stack(w, &key, mapped_at, pages, COPY_PAGES_MOST);
}
