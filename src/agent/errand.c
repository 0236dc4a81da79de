/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System calls that a waiting thread of the process makes for the tracer (inside/arrive.c)
 *
 * The thread may go on, be killed, or write anything: so each wait is bounded, and the result is a
 * number that the caller does not trust.
 */
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent.h"
#include "base/clock.h"

#define READY_NS 100000000ull /* until a thread that has reported itself is ready */
#define DONE_NS 1000000000ull /* until the call is made */
#define TURN_NS 10000000      /* it may have been killed */

static bool errand_change(struct process_errand *e, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&e->state, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Until the state is WANTED, or NONE if that ENDS it. */
static bool errand_await(struct process_errand *e, uint32_t wanted, bool none_ends, uint64_t ns)
{
	uint64_t until = clock_ns(CLOCK_MONOTONIC) + ns;
	struct timespec turn = { .tv_nsec = TURN_NS };
	for (;;) {
		uint32_t state = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE);
		if (state == wanted)
			return true;
		if ((state == ERRAND_NONE && none_ends) || clock_ns(CLOCK_MONOTONIC) > until)
			return false;
		syscall(SYS_futex, &e->state, FUTEX_WAIT, state, &turn);
	}
}

struct error *agent_errand(struct agent_view *v, uint64_t ticket, long number,
			   const uint64_t *arguments, int64_t *ret)
{
	struct process_head *h = (struct process_head *)(void *)v->memory;
	struct process_errand *e = &h->errand;
	if (!errand_await(e, ERRAND_READY, false, READY_NS))
		return error_new("no thread waits for probes of a library");
	e->ticket = ticket;
	e->number = (uint64_t)number;
	memcpy(e->arguments, arguments, sizeof(e->arguments));
	if (errand_change(e, ERRAND_READY, ERRAND_CALL)) {
		syscall(SYS_futex, &e->state, FUTEX_WAKE, INT32_MAX); /* others wait, too */
		if (errand_await(e, ERRAND_DONE, true, DONE_NS)) {
			*ret = e->result;
			errand_change(e, ERRAND_DONE, ERRAND_READY);
			if (*ret != -ESTALE)
				return NULL;
		}
	}
	return error_new("the thread that waited for probes of a library has gone on");
}
