/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Firings under way, and their end; where threads of a held process are
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

#include "inject/code/code.h"
#include "inject/internal.h"

#define STACK_MOST 65536 /* bytes above the stack pointer that are looked at */
#define LOOKS_MOST 50	 /* a firing that a signal handler has left for good never ends */
#define LOOK_NS 1000000

static bool is_our_code(const struct injected *t, uint64_t address)
{
	bool is = false;
	for (size_t k = 0; k < t->code.count && !is; k++)
		is = address >= t->code.items[k].begin && address < t->code.items[k].end;
	return is;
}

static bool is_in_vdso(const struct injected *t, uint64_t address)
{
	return address >= t->vdso.begin && address < t->vdso.end;
}

#define VDSO_WORDS 64 /* of the stack that a function of the vdso uses, at most */

/* Words of the kernel's struct sigcontext of x86_64: the stack pointer, pc, flags, segments. */
#define SEGMENTS_OF_USER 0x33

static bool is_signal_frame(const struct injected *t, const uint64_t *pc, uint64_t stack)
{
	return is_our_code(t, pc[0]) && pc[-1] > stack && (pc[2] & 0xffff) == SEGMENTS_OF_USER;
}

enum firing_state {
	FIRING_NONE,
	FIRING_UNKNOWN,
	FIRING_INTERRUPTED, /* by a signal handler, perhaps for good */
	FIRING_RUNS,
};

static enum firing_state firing_on_stack(const struct injected *t, uint64_t stack, bool in_vdso)
{
	auto_free uint64_t *words = mem_alloc(STACK_MOST);
	ssize_t got = pread(t->memory, words, STACK_MOST, (off_t)(stack & ~7ull));
	size_t count = got < 0 ? 0 : (size_t)got / sizeof(*words);
	bool runs = false, is_interrupted = false;
	for (size_t k = 0; in_vdso && k < MIN(count, (size_t)VDSO_WORDS) && !runs; k++)
		runs = is_our_code(t, words[k]);
	for (size_t k = 1; k + 2 < count && !is_interrupted; k++)
		is_interrupted = is_signal_frame(t, &words[k], stack);
	return runs ? FIRING_RUNS : is_interrupted ? FIRING_INTERRUPTED : FIRING_NONE;
}

static enum firing_state thread_firing(const struct injected *t, int thread)
{
	struct thread_place place;
	if (!process_thread_place(t->process, thread, &place))
		return FIRING_UNKNOWN;
	return is_our_code(t, place.pc) ? FIRING_RUNS
					: firing_on_stack(t, place.stack, is_in_vdso(t, place.pc));
}

struct settling {
	bool all;	   /* false: not known of all threads that their firings have ended */
	uint64_t sleeping; /* firings that were in our code at the last look */
};

/* THREADS get those alone whose firings have not ended.  The result: how many are in our code. */
static uint64_t threads_look(const struct injected *t, int *threads, size_t *count,
			     struct settling *s)
{
	size_t left = 0;
	uint64_t running = 0;
	for (size_t k = 0; k < *count; k++) {
		enum firing_state state = thread_firing(t, threads[k]);
		if (state > FIRING_UNKNOWN)
			threads[left++] = threads[k];
		running += state == FIRING_RUNS;
		s->all &= state != FIRING_UNKNOWN || process_thread_has_ended(threads[k]);
	}
	*count = left;
	return running;
}

static struct error *target_settle(void *arg, struct injected *t)
{
	struct settling *s = arg;
	size_t count = 0;
	uint64_t running = 0;
	auto_free int *threads = process_threads(t->pid, &count);
	for (unsigned n = 0; count && n < LOOKS_MOST; n++) {
		if (n)
			nanosleep(&(struct timespec) { .tv_nsec = LOOK_NS }, NULL);
		running = threads_look(t, threads, &count, s);
	}
	s->all &= !count && t->code.count;
	s->sleeping += running;
	return NULL;
}

struct error *process_settle(void *self, bool *all)
{
	struct injector *i = self;
	struct settling s = { .all = true };
	bool lives = i->target.process && !process_exited(i->target.process, NULL);
	struct error *err = lives ? target_settle(&s, &i->target) : NULL;
	if (!err)
		err = children_each(i, target_settle, &s);
	*all = s.all;
	i->sleeping = s.sleeping;
	return err;
}

/* A firing that was in our code at each look waits there for memory. */
uint64_t process_sleeping(void *self)
{
	struct injector *i = self;
	bool all;
	if (i->sleeping)
		error_free(process_settle(i, &all));
	return i->sleeping;
}

/* --- a held process ---------------------------------------------------------------------------
 *
 * A signal handler may run on a stack of its own, above the frame that the kernel has put there; it
 * has the stack pointer of what it has interrupted.
 */

#define HELD_STACK_MOST (1ull << 20)
#define STACKS_MOST 8 /* of one thread */
#define FLAG_ALWAYS 2 /* in flags, which have no bits above */
#define FLAGS_END (1u << 22)

struct stand_search {
	const struct injected *target;
	struct mapping *list; /* of its memory */
	size_t count;
	struct stands *found;
};

static void stands_on_stack(struct stand_search *s, int thread, uint64_t stack, unsigned depth)
{
	stack &= ~7ull;
	const struct mapping *m = mappings_find(s->list, s->count, stack);
	size_t size = m ? MIN(m->end - stack, HELD_STACK_MOST) : 0;
	auto_free uint64_t *words = mem_alloc(size + 1);
	ssize_t got = pread(s->target->memory, words, size, (off_t)stack);
	size_t count = got < 0 ? 0 : (size_t)got / sizeof(*words);
	for (size_t k = 1; k + 2 < count; k++) {
		if ((words[k + 2] & 0xffff) != SEGMENTS_OF_USER || !(words[k + 1] & FLAG_ALWAYS) ||
		    words[k + 1] >= FLAGS_END)
			continue;
		vector_push(&s->found->list,
			    ((struct stand) { .thread = thread,
					      .pc = words[k],
					      .stack = words[k - 1],
					      .word = stack + k * sizeof(*words) }));
		if (words[k - 1] - stack >= (uint64_t)got && depth < STACKS_MOST)
			stands_on_stack(s, thread, words[k - 1], depth + 1);
	}
}

struct error *stands_find(const struct injected *t, struct stands *ret)
{
	struct held_thread *threads = NULL;
	size_t count = 0;
	struct stand_search s = { .target = t, .found = ret };
	struct error *err = process_mappings(t->pid, &s.list, &s.count);
	if (!err)
		err = process_held_threads(t->process, &threads, &count);
	for (size_t i = 0; i < count; i++) {
		const struct held_thread *h = &threads[i];
		vector_push(&ret->list, ((struct stand) { .thread = h->thread,
							  .restarts = h->restarts,
							  .pc = h->pc,
							  .stack = h->stack }));
		stands_on_stack(&s, h->thread, h->stack, 0);
	}
	free(threads);
	process_mappings_free(s.list, s.count);
	return err;
}

static bool stand_is_inside(const struct injected *t, const struct stand *s)
{
	uint64_t words[VDSO_WORDS];
	bool is = is_our_code(t, s->pc);
	ssize_t got =
		is_in_vdso(t, s->pc) ? pread(t->memory, words, sizeof(words), (off_t)s->stack) : 0;
	for (ssize_t k = 0; k < got / (ssize_t)sizeof(*words); k++)
		is |= is_our_code(t, words[k]);
	return is;
}

enum stands_inside stands_in_code(const struct injected *t, const struct stands *s)
{
	enum stands_inside ret = STANDS_OUTSIDE;
	for (size_t i = 0; i < s->list.count; i++)
		if (stand_is_inside(t, &s->list.items[i]))
			ret = MAX(ret, s->list.items[i].restarts ? STANDS_WAITING : STANDS_INSIDE);
	return ret;
}
