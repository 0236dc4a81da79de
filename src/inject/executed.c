/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Programs that the process executes
 *
 * A jump at the C library's execve() and execveat() leads to the agent, where the thread asks for
 * the tracer and waits (agent/inside/execute.c).  The tracer seizes it, and holds the process in
 * the new program as it held it at first (process/executed.c).  There the process gets the same
 * memory again, the jumps of files that it had before, and the probes that descriptions find in
 * the new ones (tracer/live/).  Then it is released.
 *
 * All threads but one have ended, also in the middle of a firing, so all areas become free.
 */
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/attaching.h"

static struct process_exec *exec_words(const struct injector *i)
{
	return &((struct process_head *)(void *)i->view.memory)->exec;
}

static void exec_answer(struct process_exec *e)
{
	__atomic_store_n(&e->state, EXEC_ANSWERED, __ATOMIC_RELEASE);
	syscall(SYS_futex, &e->state, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static bool has_ended_by_exec(void *arg, uint32_t process, uint32_t thread)
{
	return true;
}

/* What the process had is gone. */
static void target_forget(struct injector *i)
{
	agent_release(&i->view, has_ended_by_exec, NULL);
	exec_words(i)->state = EXEC_NONE;
	((struct process_head *)(void *)i->view.memory)->errand.state = ERRAND_NONE;
	i->target.code.count = 0;
	if (i->target.memory >= 0)
		close(i->target.memory);
	i->target.memory = -1;
	i->target.has_filters = false;
}

static struct error *target_again(struct injector *i)
{
	target_forget(i);
	struct error *err = memory_enter_again(i);
	if (!err)
		err = own_write(i);
	if (!err)
		stacks_look(i);
	return err ? err : jumps_again(i);
}

static void not_traced(struct injector *i, struct error *err)
{
	message("process %d has executed another program, which is not traced: %s", i->target.pid,
		error_text(err));
	error_free(err);
	i->target.has_ended = true;
	agent_seal(&i->view);
	error_free(process_run(i->target.process));
}

/* The thread waits. */
static void exec_catch(struct injector *i)
{
	struct process_exec *e = exec_words(i);
	struct process *p = i->target.process;
	int thread = (int)e->thread;
	bool executed = false, seized = process_seize_caller(p, thread);
	exec_answer(e);
	struct error *err = seized ? process_hold_executed(p, thread, &executed) : NULL;
	if (!err && executed)
		err = target_again(i);
	if (err) {
		not_traced(i, err);
		return;
	}
	if (!executed) {
		uint32_t answered = EXEC_ANSWERED; /* it has left without an end */
		__atomic_compare_exchange_n(&e->state, &answered, EXEC_NONE, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		return;
	}
	i->executed = EXECUTED_HELD;
}

/* Its probes are in place. */
static void exec_release(struct injector *i)
{
	auto_error struct error *err = jumps_of_agent(i);
	if (err)
		linker_refuse(i, error_text(err));
	i->executed = EXECUTED_NONE;
	error_free(process_run(i->target.process));
}

struct error *executed_report(struct injector *i, bytes_visit_fn *visit, void *arg)
{
	struct arrival a = { .tgid = (uint32_t)i->target.pid,
			     .kind = ARRIVAL_PROGRAM,
			     .waits = 1,
			     .cpu = UINT32_MAX };
	if (i->executed != EXECUTED_HELD)
		return NULL;
	i->executed = EXECUTED_REPORTED;
	i->arrival.ticket = __atomic_load_n(&injector_control(i)->arrivals, __ATOMIC_ACQUIRE);
	eventfd_write(i->waker.news, 1); /* the next round releases it */
	struct error *err = visit(arg, &a, sizeof(a));
	a.kind = ARRIVAL_CODE; /* names of its functions */
	return err ? err : visit(arg, &a, sizeof(a));
}

void executed_step(struct injector *i)
{
	const struct process_exec *e = exec_words(i);
	bool is_active = injector_control(i)->activity == ACTIVITY_ACTIVE;
	if (i->executed == EXECUTED_REPORTED || (i->executed && !is_active))
		exec_release(i);
	else if (is_active && !i->target.has_ended && !i->executed &&
		 __atomic_load_n(&e->state, __ATOMIC_ACQUIRE) == EXEC_ASKED)
		exec_catch(i);
}
