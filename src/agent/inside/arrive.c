/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread whose dynamic linker has mapped libraries waits for their probes
 *
 * It is called where the linker reports them, before their initializers run.  As long as the thread
 * waits, nobody executes the code that it has mapped: so that can be changed, and by this thread
 * alone, without stopping others (inject/arrivals.c says which code that is).  The thread makes the
 * system calls by which the tracer gets memory for that (struct process_errand), and how long it
 * waits is as for the kernel's programs (runtime/process/arrival.c).
 */
#include "agent/inside/host.h"

#define TURN_NS 1000000 /* then it looks again: what it waits for has no futex */
#define TURNS_MOST(ns) ((ns) / TURN_NS)

#define FUTEX(word, operation, ...) SYSTEM(SYS_futex, word, operation, __VA_ARGS__)

static uint32_t errand_state(void)
{
	return __atomic_load_n(&HEAD->errand.state, __ATOMIC_ACQUIRE);
}

static void errand_set(uint32_t state)
{
	__atomic_store_n(&HEAD->errand.state, state, __ATOMIC_RELEASE);
	FUTEX(&HEAD->errand.state, FUTEX_WAKE, INT32_MAX); /* others wait, too */
}

static void errand_run(uint64_t ticket)
{
	struct process_errand *e = &HEAD->errand;
	const uint64_t *a = e->arguments;
	e->result = e->ticket == ticket ? SYSTEM(e->number, a[0], a[1], a[2], a[3], a[4], a[5])
					: -ESTALE;
	errand_set(ERRAND_DONE);
}

static bool errand_take(uint32_t state)
{
	if (!__atomic_compare_exchange_n(&HEAD->errand.state, &state, ERRAND_READY, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	HEAD->errand.owner = thread_number();
	return true;
}

/* The one thread that makes calls; others only wait.  It may have left by a signal handler. */
static bool errand_begin(void)
{
	uint32_t state = errand_state(), owner = HEAD->errand.owner;
	if (state == ERRAND_NONE)
		return errand_take(ERRAND_NONE);
	return owner && SYSTEM(SYS_tgkill, agent_own.pid, owner, 0) == -ESRCH && errand_take(state);
}

/* Has a whole turn passed?  Turns are the only clock: the process may forbid others (seccomp). */
static bool wait_for_turn(uint32_t state)
{
	struct __kernel_timespec turn = { .tv_nsec = TURN_NS };
	return FUTEX(&HEAD->errand.state, FUTEX_WAIT, state, &turn) == -ETIMEDOUT;
}

static bool wait_for_probes(const struct control *control, uint64_t ticket, bool makes_calls)
{
	uint64_t beats = 0, turns = 0, all = 0;
	while (agent_own.process && /* not in a child that a signal handler has made */
	       __atomic_load_n(&control->arrivals_seen, __ATOMIC_ACQUIRE) < ticket) {
		uint32_t state = errand_state();
		uint64_t beats_now = __atomic_load_n(&control->arrivals_beats, __ATOMIC_RELAXED);
		bool is_called = makes_calls && state == ERRAND_CALL;
		if (beats_now != beats || is_called)
			turns = 0;
		beats = beats_now;
		if (is_called)
			errand_run(ticket);
		else if (turns > TURNS_MOST(ARRIVAL_HOLD_NS) ||
			 all > TURNS_MOST(ARRIVAL_HOLD_MOST_NS) || tracer_has_ended())
			return false;
		else if (wait_for_turn(state))
			turns++, all++;
	}
	return true;
}

void agent_arrived(void)
{
	struct control *control = (struct control *)rt_control;
	if (tracer_has_ended() || (!agent_own.process && !child_begin()))
		return;
	if (agent_own.is_child) {
		child_arrived();
		return;
	}
	uint64_t ticket = __sync_fetch_and_add(&control->arrivals, 1) + 1;
	wake_reader();
	if (control->activity != ACTIVITY_ACTIVE || control->arrivals_alone)
		return;
	bool makes_calls = errand_begin();
	bool is_seen = wait_for_probes(control, ticket, makes_calls);
	if (makes_calls && agent_own.process)
		errand_set(ERRAND_NONE);
	if (is_seen)
		return;
	control->arrivals_alone = 1;
	__sync_fetch_and_add(&control->arrivals_missed, 1);
}
