/* SPDX-License-Identifier: BSD-2-Clause */
#include "patch/internal.h"

#include "base/sort.h"

#define PADDING_MOST 16	    /* bytes, after a function */
#define INSTRUCTION_MOST 15 /* bytes */
#define DECODED_AFTER 48    /* bytes, after the last site: more than a window needs */

struct bytes planner_bytes(const struct planner *p, uint64_t at)
{
	struct bytes code = p->function->code;
	if (at < p->function->code_at)
		return (struct bytes) { .failed = true };
	size_t offset = at - p->function->code_at;
	size_t left = offset < code.size ? code.size - offset : 0;
	return bytes_slice(&code, offset, MIN(left, (size_t)INSTRUCTION_MOST));
}

bool planner_has_target(const struct planner *p, uint64_t after, uint64_t before)
{
	const struct patch_function *f = p->function;
	size_t i = sorted_until(f->targets, f->target_count, sizeof(uint64_t), 0, after);
	return i < f->target_count && f->targets[i] < before;
}

/* May the instruction at CODE be in a window?  What returns from a signal is recognized by its
 * bytes, by unwinders. */
static bool is_movable(const struct planner *p, const struct bytes *code,
		       const struct instruction *i)
{
	const struct arch *a = p->machine->arch;
	struct bytes begin = planner_bytes(p, p->function->begin);
	return p->machine->can_move(code, i) && !a->is_signal_return(code) &&
	       !a->is_signal_return(&begin);
}

/* False: what is at AT is not known. */
static bool take_item(struct planner *p, uint64_t at)
{
	struct bytes code = planner_bytes(p, at);
	struct plan_item item = { .at = at };
	if (code.failed || !p->machine->arch->decode(&code, &item.i))
		return false;
	item.is_padding = p->machine->is_padding(&code, &item.i);
	item.is_movable = is_movable(p, &code, &item.i);
	vector_push(&p->items, item);
	return true;
}

/* After the function, as far as nothing begins there. */
static void take_padding(struct planner *p)
{
	uint64_t end = p->function->end;
	for (uint64_t at = end;
	     at < end + PADDING_MOST && !planner_has_target(p, at - 1, at + 1);) {
		if (!take_item(p, at))
			return;
		struct plan_item *item = &p->items.items[p->items.count - 1];
		bool is_whole = !planner_has_target(p, at, at + item->i.length);
		if (!item->is_padding || !is_whole) {
			p->items.count--;
			return;
		}
		at += item->i.length;
	}
}

void planner_decode(struct planner *p, uint64_t last)
{
	const struct patch_function *f = p->function;
	uint64_t at = f->begin;
	uint64_t stop =
		last < f->end && f->end - last > DECODED_AFTER ? last + DECODED_AFTER : f->end;
	while (at < stop) {
		if (!take_item(p, at))
			return;
		at += p->items.items[p->items.count - 1].i.length;
	}
	p->known_until = at;
	if (at == f->end)
		take_padding(p);
}
