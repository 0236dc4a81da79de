/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Stacks.  What takes the program's context is seen by the verifier at each call. */
#include "runtime/string/text.h"

/* What BYTES of frames may take of scratch memory, where a word more is free. */
static always_inline uint64_t stack_room(uint64_t bytes)
{
	return at_most(bytes & ~STACK_FLAGS, NUMBER(rt_slot_size) - 8);
}

/* The stack at AT is longer than the kernel's walk or our space. */
long rt_truncated_stack(uint64_t at);

/*
 * GOT bytes of BYTES: count the stack as truncated if fewer were written than requested, and not
 * because the stack ends.  The SKIPped frames are among those that the kernel walks.  A stack of
 * exactly the maximum of frames is counted, too: its end cannot be seen.
 */
static always_inline long stack_check(uint64_t at, long got, uint64_t bytes, uint64_t skip)
{
	int is_full = got >= (long)stack_room(bytes);
	int is_limit = got + skip * 8 >= NUMBER(rt_frames) * 8;
	if (got > 0 && (bytes & STACK_WANTS_MORE ? is_full || is_limit : !is_full && is_limit))
		rt_truncated_stack(at);
	return got;
}

/* Is the return address in the function between BEGIN and END?  A call may be its last instruction.
 */
static always_inline int returns_into(uint64_t address, uint64_t begin, uint64_t end)
{
	return address > begin && address <= end;
}

static always_inline int returns_into_stub(uint64_t address)
{
	return returns_into(address, NUMBER(rt_stub_begin), NUMBER(rt_stub_end));
}

static always_inline int returns_into_iterator(uint64_t address)
{
	return returns_into(address, NUMBER(rt_iterator_begin), NUMBER(rt_iterator_end));
}

/*
 * Write kernel frames from the probed code on to BYTES after the word at WORD, which is not
 * changed.  SKIP: our own frames and the one that calls us, at most 250; then the number
 * skipped.
 *
 * A system call's stack begins with rt_stack(), the program, bpf_trace_run2(), and then
 * __bpf_trace_sys_enter(), which the compiler may have left out (a call at a function's end is a
 * jump): a property of this kernel, found at the first walk.  Then comes __traceiter_sys_enter(),
 * but only where the kernel cannot call __bpf_trace_sys_enter() directly: always on aarch64, on
 * x86_64 while another tracer is attached.  A walk costs 2 us, so we expect the frames of the last
 * walk: the iterator's frame is then written to the word before the others.  Otherwise we walk
 * again.
 *
 * Other tracepoints have no such stub on x86_64.  The iterator is known where all firings of the
 * program are of one tracepoint.
 */
static always_inline long walk_kernel(void *context, uint64_t *word, uint64_t bytes, uint64_t *skip)
{
	uint64_t *to = word + 1;
	if (NUMBER(rt_iterator_end) == 0)
		return port_stack(context, to, bytes, *skip & 255);
	struct control *control = (struct control *)rt_control;
	volatile uint16_t *seen = &control->callers_seen[NUMBER(rt_callers_seen)];
	uint16_t before = *seen;
	*skip += before & CALLER_HAS_STUB;
	if (before & CALLER_HAS_ITERATOR) {
		uint64_t kept = *word;
		long got = port_stack(context, word, bytes + 8, *skip & 255);
		int is_there = got >= 8 && returns_into_iterator(*word);
		*word = kept;
		if (is_there) {
			++*skip;
			return got - 8;
		}
		*seen = before &= (uint16_t)~CALLER_HAS_ITERATOR;
	}
	long got = port_stack(context, to, bytes, *skip & 255);
	if (got >= 8 && returns_into_stub(*to)) {
		*seen = before |= CALLER_HAS_STUB;
		++*skip;
		got = port_stack(context, to, bytes, *skip & 255);
	}
	if (got >= 8 && returns_into_iterator(*to)) {
		*seen = before | CALLER_HAS_ITERATOR;
		++*skip;
		got = port_stack(context, to, bytes, *skip & 255);
	}
	return got;
}

/* Write to BYTES at AT; zeros after the frames. */
static always_inline long walk_kernel_at(void *context, uint64_t at, uint64_t bytes, uint64_t skip)
{
	uint64_t *word = scratch(at - 8); /* of the slot's head at least */
	if (!word)
		return -1;
	long got = walk_kernel(context, word, stack_room(bytes), &skip);
	return stack_check(at, got, bytes, skip);
}

/* The kernel's walk keeps none. */
static always_inline void no_methods(uint64_t at)
{
	uint64_t *to = scratch(at);
	if (to)
		*to = 0;
}

static always_inline long walk_user_at(void *context, uint64_t at, uint64_t bytes)
{
	void *to = scratch(at);
	if (!to)
		return -1;
	if (bytes & STACK_METHODS)
		no_methods(at + (bytes & ~STACK_FLAGS));
	if (bytes & STACK_COUNTS) /* the memory for them is there all the same */
		bytes = NUMBER(rt_frames) * 8 + (bytes & STACK_WANTS_MORE);
	long got = port_stack(context, to, stack_room(bytes), PORT_USER_STACK);
	return stack_check(at, got, bytes, 0);
}

long rt_stack(void *context, uint64_t at, uint64_t bytes, uint64_t skip)
{
	return walk_kernel_at(context, at, bytes, skip);
}

long rt_ustack(void *context, uint64_t at, uint64_t bytes)
{
	return walk_user_at(context, at, bytes);
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
	if (to > STACK_FRAMES_MAX)
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
 * Is the caller among the COUNT frames at AT, after the first? Kernels from 6.11 on insert it if
 * the function begins with `push %rbp` or endbr64. That the caller is the second frame is no proof
 * if a function calls itself: then the return addresses are equal up to the depth of the
 * recursion, and one more than frame pointers lead to is the kernel's.
 */
static always_inline uint64_t has_caller(uint64_t at, uint64_t count, struct chain *c)
{
	const uint64_t *frames = scratch(at);
	if (!frames || count < 2 || frames[1] != c->caller)
		return 0;
	port_loop(STACK_FRAMES_MAX, follow_chain, c, 0);
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
	uint64_t most = at_most((bytes & ~STACK_FLAGS) / 8, STACK_FRAMES_MAX),
		 count = at_most(got / 8, STACK_FRAMES_MAX);
	if (!frames || !slot || count == 0 || caller == 0)
		return got;
	uint64_t blur = unknown_zero(&slot->unknown);
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
	long got = walk_user_at(context, at, bytes);
	return got > 0 ? rt_stack_caller(at, got, bytes, caller, frame_pointer) : got;
}

long rt_caller(void *context, uint64_t skip)
{
	uint64_t frames[3] = { 0, 0, 0 };
	walk_kernel(context, frames, 2 * sizeof(frames[0]), &skip);
	return frames[2];
}

long rt_ucaller(void *context)
{
	uint64_t frames[2] = { 0, 0 };
	port_stack(context, frames, sizeof(frames), PORT_USER_STACK);
	return frames[1];
}
