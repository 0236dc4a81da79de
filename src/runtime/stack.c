/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stacks.  All take the context of the program, so the verifier sees them at each call. */
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

long rt_ustackdepth(void *context, uint64_t at)
{
	return depth(walk(context, at, FRAMES * 8, PORT_USER_STACK));
}
