/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Firings under way, and their end
 *
 * A firing counts itself nowhere: that would cost as much as count().  So each thread is looked at.
 * One that is outside of our code, seen once, has ended what it had begun before.  Our code calls
 * nothing but the vdso, and leaves its place otherwise only for a signal handler.  So a firing is
 * under way if the thread's pc is in our code; in the vdso, and a return address next to the
 * stack's end is in our code; or if the stack has a signal frame whose pc is.  (Other words on the
 * stack may be left over from a firing that has ended.)
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "inject/internal.h"

#define STACK_MOST 65536 /* bytes above the stack pointer that are looked at */
#define LOOKS_MOST 50	 /* a firing that a signal handler has left for good never ends */
#define LOOK_NS 1000000

static bool is_our_code(const struct injector *i, uint64_t address)
{
	bool is = false;
	for (size_t k = 0; k < i->target.code.count && !is; k++)
		is = address >= i->target.code.items[k].begin &&
		     address < i->target.code.items[k].end;
	return is;
}

#define VDSO_WORDS 64 /* of the stack that a function of the vdso uses, at most */

/* Words of the kernel's struct sigcontext of x86_64: the stack pointer, pc, flags, segments. */
#define SEGMENTS_OF_USER 0x33

static bool is_signal_frame(const struct injector *i, const uint64_t *pc, uint64_t stack)
{
	return is_our_code(i, pc[0]) && pc[-1] > stack && (pc[2] & 0xffff) == SEGMENTS_OF_USER;
}

static bool stack_has_code(const struct injector *i, uint64_t stack, bool in_vdso)
{
	auto_free uint64_t *words = mem_alloc(STACK_MOST);
	ssize_t got = pread(i->target.memory, words, STACK_MOST, (off_t)(stack & ~7ull));
	size_t count = got < 0 ? 0 : (size_t)got / sizeof(*words);
	bool has = false;
	for (size_t k = 0; in_vdso && k < MIN(count, (size_t)VDSO_WORDS) && !has; k++)
		has = is_our_code(i, words[k]);
	for (size_t k = 1; k + 2 < count && !has; k++)
		has = is_signal_frame(i, &words[k], stack);
	return has;
}

enum firing_state { FIRING_NONE, FIRING_UNDER_WAY, FIRING_UNKNOWN };

static enum firing_state thread_firing(const struct injector *i, int thread)
{
	struct thread_place place;
	if (!process_thread_place(i->target.process, thread, &place))
		return FIRING_UNKNOWN;
	bool in_vdso = place.pc >= i->target.vdso.begin && place.pc < i->target.vdso.end;
	bool fires = is_our_code(i, place.pc) || stack_has_code(i, place.stack, in_vdso);
	return fires ? FIRING_UNDER_WAY : FIRING_NONE;
}

/* THREADS get those alone whose firings have not ended; *ALL: false, if that is not known. */
static void threads_look(const struct injector *i, int *threads, size_t *count, bool *all)
{
	size_t left = 0;
	for (size_t k = 0; k < *count; k++) {
		enum firing_state state = thread_firing(i, threads[k]);
		if (state == FIRING_UNDER_WAY)
			threads[left++] = threads[k];
		*all &= state != FIRING_UNKNOWN || process_thread_has_ended(threads[k]);
	}
	*count = left;
}

struct error *process_settle(void *self, bool *all)
{
	struct injector *i = self;
	size_t count = 0;
	*all = true;
	if (!i->target.process || process_exited(i->target.process, NULL))
		return NULL;
	auto_free int *threads = process_threads(i->target.pid, &count);
	for (unsigned n = 0; count && n < LOOKS_MOST; n++) {
		if (n)
			nanosleep(&(struct timespec) { .tv_nsec = LOOK_NS }, NULL);
		threads_look(i, threads, &count, all);
	}
	*all &= !count;
	return NULL;
}
