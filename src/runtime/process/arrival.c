/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Code that arrives in a watched process
 *
 * Its dynamic linker calls an empty function when it has mapped libraries and has not run their
 * initializers yet.  There, before the first instruction of a program that is executed, and, if
 * each member of a tree has its own links (FOLLOW_PRIVATE), of a child, the thread is held until
 * the consumer has attached the new probes, so that no call of the new code is missed.
 *
 * The consumer mostly needs 20 ms, and for 19,000 functions 1 s: it says by control.arrivals_beats
 * that it is at work, and the thread waits on, ARRIVAL_HOLD_NS from the last beat (dtrace may have
 * been killed), and never longer than a limit.  If the consumer does not answer, the thread waits
 * once and not again until the consumer has answered.
 *
 * No helper sleeps, others would see a signal, and we may not use ptrace.  So there are two ways:
 *
 *   in task work   a function that the kernel runs for us before the thread returns to its program
 *                  (Linux 6.18).  It spins for a moment and schedules task work again: between two
 *                  works the kernel gives the CPU to whoever needs it, and no lock is held.
 *   by spinning    at the linker's call, in the program itself, on older kernels; there nobody is
 *                  held at exec.  The program yields the CPU: otherwise kernels that are not
 *                  preemptible (PREEMPT_NONE) would not run others.  The only helper that yields is
 *                  the one that reads the memory of a task: at each page, while it walks the page
 *                  tables and holds the lock that each new uprobe needs (mmap_lock).  So it is
 *                  called TURN_NS apart: when it was called in each round, 5,000 uprobes took 1 s
 *                  and more, and 19,000 up to 20 s on a busy machine, for a tick and more passed
 *                  until the lock was handed over.  For the same reason the consumer leaves this
 *                  CPU (tracer/live/waiting.c).  Many that spin at once keep each other from the
 * CPU: 100 programs executed at once with FOLLOW_PRIVATE lost 97 firings of 100, all reported, as
 * long as programs spun at exec, too.
 */
#include "runtime/process/arrival.h"

#define TURN_NS 3000000ull
#define TURNS (1u << 23) /* the most that the kernel allows; by far enough */

struct hold {
	uint64_t ticket, beats;
	uint64_t until, end; /* the end of the wait: as things are now, and at last */
	uint64_t turn;	     /* the next time to yield */
	uint64_t stack;	     /* the thread's, in user memory: a page that is there */
	uint64_t is_seen;
};

static always_inline void give_way(const struct hold *h)
{
	uint64_t word;
	port_read_task(&word, sizeof(word), (void *)h->stack, port_task(), 0);
}

static long look_again(uint32_t i, struct hold *h)
{
	const struct control *control = (const struct control *)rt_control;
	h->is_seen = *(volatile const uint64_t *)&control->arrivals_seen >= h->ticket;
	return h->is_seen || port_time() > h->turn;
}

static long take_turn(uint32_t i, struct hold *h)
{
	const struct control *control = (const struct control *)rt_control;
	give_way(h);
	uint64_t now = port_time(), beats = *(volatile const uint64_t *)&control->arrivals_beats;
	if (beats != h->beats) {
		h->beats = beats;
		h->until = now + ARRIVAL_HOLD_NS;
	}
	h->turn = now + TURN_NS;
	port_loop(TURNS, look_again, h, 0);
	return h->is_seen || now > h->until || now > h->end;
}

long rt_code_mapped(uint64_t pid_tgid, uint64_t unused)
{
	struct control *control = (struct control *)rt_control;
	struct watched_process *w = watched(pid_tgid);
	if (!w || !(w->flags & MEMBER_REPORTED))
		return 0;
	struct hold h = { .ticket = report_arrival(pid_tgid >> 32, w->target, ARRIVAL_CODE, 1) };
	if (control->activity != ACTIVITY_ACTIVE)
		return 0;
	h.until = port_time() + ARRIVAL_HOLD_NS;
	h.end = h.until - ARRIVAL_HOLD_NS + ARRIVAL_HOLD_MOST_NS;
	h.stack = word_at((uint64_t)port_user_regs(port_task()) + NUMBER(rt_offset_user_stack));
	if (!control->arrivals_alone)
		port_loop(TURNS, take_turn, &h, 0);
	if (h.is_seen)
		return 0;
	control->arrivals_alone = 1;
	ADD_SHARED(&control->arrivals_missed, 1);
	return 0;
}

/*
 * OLD_TID: the thread's number before exec; the executing thread takes the number of the first
 * thread.
 */
static always_inline enum arrival_kind arrival_kind_of_exec(uint64_t old_tid)
{
	int is_first = (uint32_t)old_tid == port_pid_tgid() >> 32;
	return is_first ? ARRIVAL_PROGRAM : ARRIVAL_PROGRAM_OF_THREAD;
}

/*
 * A program executed by a member of a tree: is it watched from now on?  Without FOLLOW_EXEC only
 * the root is, and those that descriptions name.
 */
static always_inline int goes_on(struct watched_process *w)
{
	struct control *control = (struct control *)rt_control;
	if (!w->target || w->flags & MEMBER_IS_ROOT)
		return w->flags & MEMBER_REPORTED;
	uint32_t flags = w->flags;
	if (NUMBER(rt_follow) & FOLLOW_EXEC) {
		if (flags & MEMBER_COUNTS)
			w->flags = flags | MEMBER_TRACED;
		return flags & MEMBER_REPORTED;
	}
	w->flags = flags & MEMBER_NAMED;
	if (flags & MEMBER_COUNTS && __sync_fetch_and_add(&control->members, -1) == 1)
		report_arrival(0, w->target, ARRIVAL_NO_MEMBER, 0);
	return flags & MEMBER_NAMED;
}

long rt_program_executed(uint64_t pid_tgid, uint64_t old_tid)
{
	struct watched_process *w = watched(pid_tgid);
	if (w && goes_on(w))
		report_arrival(pid_tgid >> 32, w->target, arrival_kind_of_exec(old_tid), 0);
	return 0;
}

/* --- in task work -----------------------------------------------------------------------------
 *
 * A work cannot schedule itself, nor has a map's value room for two; so a second one, in another
 * map, schedules the first one again.
 */
#define WORK_TURN_NS 50000ull
#define WORK_MOST_NS 60000000000ull /* as long as beats show that the tracer is at work */

/* A moment's wait; false: it is over. */
static always_inline int work_turn(struct task_wait *t)
{
	struct control *control = (struct control *)rt_control;
	uint64_t now = port_time(), beats = *(volatile const uint64_t *)&control->arrivals_beats;
	if (beats != t->beats) {
		t->beats = beats;
		t->until = now + ARRIVAL_HOLD_NS;
	}
	struct hold h = { .ticket = t->ticket, .turn = now + WORK_TURN_NS };
	port_loop(TURNS, look_again, &h, 0);
	if (h.is_seen)
		return 0;
	if (now < t->until && now < t->end && !control->arrivals_alone)
		return 1;
	control->arrivals_alone = 1;
	ADD_SHARED(&control->arrivals_missed, 1);
	return 0;
}

static always_inline void report_in_work(struct task_wait *t, uint32_t tgid, uint32_t target)
{
	if (t->ticket)
		return;
	t->ticket = report_arrival(tgid, target, t->kind, 1);
	t->until = port_time() + ARRIVAL_HOLD_NS;
	t->end = t->until - ARRIVAL_HOLD_NS + WORK_MOST_NS;
}

/* Until tracing ends.  A child waits before it begins, too, as the child is traced by then. */
static always_inline int may_wait(const struct task_wait *t)
{
	const struct control *control = (const struct control *)rt_control;
	return t->kind == ARRIVAL_CHILD ? control->activity <= ACTIVITY_ACTIVE
					: control->activity == ACTIVITY_ACTIVE;
}

static long work_waits(void *unused, const uint32_t *tgid, struct watched_process *w);

static long work_waits_again(void *unused, const uint32_t *tgid, struct task_wait *t)
{
	struct watched_process *w = port_map_lookup(rt_watched, tgid);
	if (w)
		port_before_user(port_task(), &w->work, rt_watched, work_waits, 0);
	return 0; /* else: "At async callback return the register R0 has unknown scalar value" */
}

static long work_waits(void *unused, const uint32_t *tgid, struct watched_process *w)
{
	struct task_wait *t = port_map_lookup(rt_task_waits, tgid);
	if (!t)
		return 0;
	report_in_work(t, *tgid, w->target);
	if (!may_wait(t) || !work_turn(t) ||
	    port_before_user(port_task(), &t->work, rt_task_waits, work_waits_again, 0) < 0)
		port_map_remove(rt_task_waits, tgid);
	return 0;
}

/* TASK, typed, of the process of W, waits in task work; false: it does not. */
static always_inline int wait_in_work(uint32_t tgid, struct watched_process *w, void *task,
				      uint64_t kind)
{
	struct task_wait wait = { .kind = kind };
	return !port_map_update(rt_task_waits, &tgid, &wait, 0) &&
	       !port_before_user(task, &w->work, rt_watched, work_waits, 0);
}

/*
 * Always NULL.  A pointer, because a function of numbers alone is verified by itself, and the
 * kernel treats one that refers to work_waits() as one that may sleep.
 */
void *rt_program_begins(uint64_t pid_tgid, uint64_t old_tid)
{
	struct watched_process *w = watched(pid_tgid);
	if (!w || !goes_on(w))
		return 0;
	enum arrival_kind kind = arrival_kind_of_exec(old_tid);
	if (!wait_in_work(pid_tgid >> 32, w, port_task(), kind))
		report_arrival(pid_tgid >> 32, w->target, kind, 0);
	return 0;
}

/* An arrival whose process could not be held. */
static always_inline void arrival_report_missed(uint32_t tgid, uint32_t target,
						enum arrival_kind kind)
{
	struct control *control = (struct control *)rt_control;
	report_arrival(tgid, target, kind, 0);
	ADD_SHARED(&control->arrivals_missed, 1);
}

/* The linker's function is empty, so the work that follows it comes in time. */
void *rt_libraries_begin(uint64_t pid_tgid, uint64_t unused)
{
	struct watched_process *w = watched(pid_tgid);
	if (!w || !(w->flags & MEMBER_REPORTED) ||
	    wait_in_work(pid_tgid >> 32, w, port_task(), ARRIVAL_CODE))
		return 0;
	arrival_report_missed(pid_tgid >> 32, w->target, ARRIVAL_CODE);
	return 0;
}

/* CHILD has not run yet: the work is the first that it does. */
void *rt_child_begins(uint64_t tgid, void *child)
{
	uint32_t key = tgid;
	struct watched_process *w = port_map_lookup(rt_watched, &key);
	if (!w || !(w->flags & MEMBER_TRACED) || wait_in_work(key, w, child, ARRIVAL_CHILD))
		return 0;
	arrival_report_missed(key, w->target, ARRIVAL_CHILD);
	return 0;
}
