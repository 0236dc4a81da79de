/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A thread that is about to execute another program waits until the tracer holds it
 *
 * It is called in the C library's execve() and syscall(), whose call may fail, and then
 * be made again.  The tracer answers when it has seized the thread (inject/executed.c).  One thread
 * asks at a time.  Children are not the traced process: they leave it.
 */
#include "agent/inside/host.h"

#define TURN_NS 1000000
#define TURNS_MOST (ARRIVAL_HOLD_NS / TURN_NS)

#define STATE (&HEAD->exec.state)

static bool exec_take(void)
{
	uint32_t none = EXEC_NONE;
	return __atomic_compare_exchange_n(STATE, &none, EXEC_TAKEN, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static uint32_t exec_state(void)
{
	return __atomic_load_n(STATE, __ATOMIC_ACQUIRE);
}

static void exec_turn(uint32_t state)
{
	struct __kernel_timespec turn = { .tv_nsec = TURN_NS };
	SYSTEM(SYS_futex, STATE, FUTEX_WAIT, state, &turn);
}

void agent_executes(void)
{
	const struct control *control = (const struct control *)rt_control;
	unsigned turns = 0;
	bool is_mine = false;
	if (!agent_own.process)
		return;
	if (agent_own.is_child || is_sharing_child()) {
		child_leaves();
		return;
	}
	while (!tracer_has_ended() && control->activity == ACTIVITY_ACTIVE &&
	       turns++ < TURNS_MOST) {
		uint32_t state = exec_state();
		if (!is_mine && exec_take()) {
			is_mine = true;
			HEAD->exec.thread = (uint32_t)SYSTEM(SYS_gettid);
			__atomic_store_n(STATE, EXEC_ASKED, __ATOMIC_RELEASE);
			wake_reader();
		} else if (is_mine && state != EXEC_ASKED) {
			break;
		} else {
			exec_turn(state);
		}
	}
	if (control->activity != ACTIVITY_ACTIVE)
		HEAD->exec.is_late = 1;
	if (is_mine)
		__atomic_store_n(STATE, EXEC_NONE, __ATOMIC_RELEASE);
}

/* In syscall(), whose number has been moved to where the kernel has it. */
void agent_calls(const void *context)
{
	uint64_t number = context_number(context);
	if (number == SYS_execve || number == SYS_execveat)
		agent_executes();
}
