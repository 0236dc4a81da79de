/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stacks.  What takes the program's context is seen by the verifier at each call. */
#include "runtime/text.h"

/* The kernel walks at most this many, kernel.perf_event_max_stack. */
#define FRAMES 127

/* At most FRAMES frames, into BYTES at AT; zeros behind them. */
static always_inline long walk(void *context, uint64_t at, uint64_t bytes, uint64_t flags)
{
	void *to = scratch(at);
	if (!to)
		return -1;
	uint64_t room = NUMBER(rt_slot_size) < FRAMES * 8 ? NUMBER(rt_slot_size) : FRAMES * 8;
	return port_stack(context, to, at_most(bytes, room), flags);
}

/* SKIP: frames between the program and what it probes, at most 255. */
long rt_stack(void *context, uint64_t at, uint64_t bytes, uint64_t skip)
{
	return walk(context, at, bytes, skip & 255);
}

long rt_ustack(void *context, uint64_t at, uint64_t bytes)
{
	return walk(context, at, bytes, PORT_USER_STACK);
}

/* Frames that move up by one. */
struct moving {
	uint64_t at;
	uint64_t last; /* the first one moved, and where it goes to */
};

static long move_frame(uint32_t i, struct moving *m)
{
	uint64_t to = m->last - i;
	OPAQUE(to);
	if (to > FRAMES)
		return 1;
	const uint64_t *from = scratch(m->at + to * 8 - 8);
	uint64_t *word = scratch(m->at + to * 8);
	if (from && word)
		*word = *from;
	return 0;
}

/* The chain of frame pointers, as long as it returns to one and the same place. */
struct chain {
	uint64_t pointer, caller;
	uint64_t same; /* so many frames do */
	uint64_t blur;
};

static long follow_chain(uint32_t i, struct chain *c)
{
	uint64_t frame[2]; /* the frame pointer before, the return address */
	if (port_read_user(frame, sizeof(frame), (void *)c->pointer) < 0 || frame[1] != c->caller)
		return 1;
	c->pointer = frame[0];
	c->same = i + 1 + c->blur;
	return 0;
}

/*
 * Is the caller among the COUNT frames at AT, behind the first?  Kernels from
 * 6.11 on put it there when the function begins with `push %rbp` or endbr64.
 * That it is the second frame does not tell when a function calls itself: the
 * return addresses are the same as far as it does, and one more than frame
 * pointers lead to is the kernel's.
 */
static always_inline uint64_t has_caller(uint64_t at, uint64_t count, struct chain *c)
{
	const uint64_t *frames = scratch(at);
	if (!frames || count < 2 || frames[1] != c->caller)
		return 0;
	port_loop(FRAMES, follow_chain, c, 0);
	uint64_t next = c->same + 1;
	OPAQUE(next);
	const uint64_t *differs = scratch(at + next * 8);
	return next < count && differs && *differs == c->caller;
}

/*
 * GOT bytes of frames at AT, which has room for BYTES; CALLER: where the
 * function returns to.  The bytes with the caller as the second frame.
 */
__attribute__((noinline)) long rt_stack_caller(uint64_t at, uint64_t got, uint64_t bytes,
					       uint64_t caller, uint64_t frame_pointer)
{
	uint64_t *frames = scratch(at);
	struct slot *slot = slot_of(at);
	uint64_t most = at_most(bytes / 8, FRAMES), count = at_most(got / 8, FRAMES);
	if (!frames || !slot || count == 0 || caller == 0)
		return got;
	uint64_t blur = unknown_zero(&slot->reserved[0]);
	struct chain chain = { frame_pointer + blur, caller + blur, blur, blur };
	if (has_caller(at, count, &chain))
		return got;
	if (count < most)
		count++;
	if (count < 2)
		return got;
	struct moving m = { at + blur, count - 1 + blur };
	port_loop(count - 2, move_frame, &m, 0);
	frames[1] = caller;
	return count * 8;
}

/* At the entry of a user function, whose caller has no frame yet. */
long rt_ustack_entry(void *context, uint64_t at, uint64_t bytes, uint64_t caller,
		     uint64_t frame_pointer)
{
	long got = walk(context, at, bytes, PORT_USER_STACK);
	return got > 0 ? rt_stack_caller(at, got, bytes, caller, frame_pointer) : got;
}

/* The second frame; 0: none. */
static always_inline uint64_t second_frame(void *context, uint64_t flags)
{
	uint64_t frames[2] = { 0, 0 };
	port_stack(context, frames, sizeof(frames), flags);
	return frames[1];
}

long rt_caller(void *context, uint64_t skip)
{
	return second_frame(context, skip & 255);
}

long rt_ucaller(void *context)
{
	return second_frame(context, PORT_USER_STACK);
}

static always_inline long depth(long bytes)
{
	return bytes < 0 ? 0 : (uint64_t)bytes / 8;
}

/* At most FRAMES; there is room for as many at AT. */
long rt_stackdepth(void *context, uint64_t at, uint64_t skip)
{
	return depth(walk(context, at, FRAMES * 8, skip & 255));
}
