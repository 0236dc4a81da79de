/* SPDX-License-Identifier: BSD-2-Clause */
/* The shared memory as a source of the consumer, and for BEGIN, END and ticks; a process's end */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/internal.h"

/* --- the source ------------------------------------------------------------------------------- */

struct record_visit {
	bytes_visit_fn *visit;
	void *arg;
	bool has_failed;
};

static struct error *record_visited(void *visit, const void *data, uint32_t size)
{
	struct record_visit *v = visit;
	struct error *err = v->visit(v->arg, data, size);
	v->has_failed = err != NULL;
	return err;
}

/* ERR ends the trace of the process: its memory is read no more, but for our own ring. */
static void target_damaged(struct injector *i, struct error *err)
{
	if (!i->target.is_damaged) {
		message_loss("process %d is not traced any more: %s", i->target.pid,
			     error_text(err));
		waker_end(&i->waker);
		memory_separate(i);
	}
	error_free(err);
	i->target.is_damaged = i->target.has_ended = true;
}

static struct error *process_drain(void *self, unsigned area, bytes_visit_fn *visit, void *arg)
{
	struct injector *i = self;
	struct record_visit v = { visit, arg };
	if (i->target.is_damaged && area != i->program->area_count - 1)
		return NULL;
	struct error *err = agent_drain(&i->view, area, record_visited, &v);
	if (err && !v.has_failed) {
		target_damaged(i, err);
		err = NULL;
	}
	uint64_t *lost = &injector_control(i)->records_lost;
	if (i->view.lost != *lost)
		__atomic_store_n(lost, i->view.lost, __ATOMIC_RELAXED);
	return err;
}

static struct error *process_visit(void *self, unsigned map, element_visit_fn *visit, void *arg)
{
	return agent_visit(&((struct injector *)self)->view, map, visit, arg);
}

static struct error *process_update(void *self, unsigned map, const void *key, const void *value)
{
	return agent_update(&((struct injector *)self)->view, map, key, value);
}

static struct error *process_remove(void *self, unsigned map, const void *key)
{
	return agent_remove(&((struct injector *)self)->view, map, key);
}

static const struct source_reader process_reader = {
	.drain = process_drain,
	.requests = inject_requests,
	.visit = process_visit,
	.update = process_update,
	.remove = process_remove,
	.settle = process_settle,
};

struct error *process_source(void *self, struct record_source *ret)
{
	struct injector *i = self;
	struct error *err = i->view.memory ? NULL : memory_alone(i);
	if (err)
		return err;
	*ret = agent_source(&i->view, i->program, &process_reader, i);
	return NULL;
}

/* --- the process's end ------------------------------------------------------------------------ */

static bool owner_has_ended(void *injector, uint32_t process, uint32_t thread, uint64_t own)
{
	const struct injector *i = injector;
	if (process != (uint32_t)i->target.pid)
		return i->layout.head.follows && child_has_ended(process, thread, own);
	return i->target.has_ended ||
	       (syscall(SYS_tgkill, i->target.pid, thread, 0) < 0 && errno == ESRCH);
}

/* Its memory as it was entered is gone: it ends, or has executed another program. */
static bool target_has_ended(struct injector *i)
{
	uint64_t own;
	return process_exited(i->target.process, NULL) ||
	       pread(i->target.memory, &own, sizeof(own),
		     (off_t)(i->target.base + PROCESS_OWN_AT)) == 0;
}

/* Not on its way to its end. */
static bool has_program(int pid)
{
	return process_program(pid) || process_state(pid) == PROCESS_CLOSED;
}

/* Words that no firing changes are as they were written, and those with few values have one. */
static bool control_is_sound(const struct injector *i)
{
	const struct control *c = injector_control(i);
	bool sound = __atomic_load_n(&c->activity, __ATOMIC_RELAXED) <= ACTIVITY_STOPPED &&
		     __atomic_load_n(&c->exited, __ATOMIC_RELAXED) <= 1 && !c->zero &&
		     !c->abandoned && c->self_limit == i->layout.self_limit &&
		     c->wake_bytes == i->layout.head.ring_size / 4;
	for (size_t n = 0; n < ARRAY_SIZE(c->reserved); n++)
		sound &= !c->reserved[n];
	return sound;
}

/* Our code makes system calls where a record passes a mark, or memory is not the thread's stack. */
void target_look_at_filters(struct injector *i)
{
	if (i->target.process && !i->target.has_ended && !i->target.has_filters &&
	    process_status_number(i->target.pid, "Seccomp") > i->target.seccomp) {
		i->target.has_filters = true;
		message_loss("process %d filters its system calls now (seccomp), which may end it "
			     "where clauses copy its memory or leave many records: "
			     "-x executor=kernel makes none",
			     i->target.pid);
	}
}

void target_step(struct injector *i)
{
	if (!i->target.process)
		return;
	if (!i->target.is_damaged && !control_is_sound(i))
		target_damaged(i, error_new("the traced process has damaged the memory that it "
					    "shares with dtrace: its control words"));
	executed_step(i);
	bool ends = !i->target.has_ended && target_has_ended(i);
	const struct process_head *h = (const struct process_head *)(void *)i->view.memory;
	if (ends && !h->exec.is_late && !process_exited(i->target.process, NULL) &&
	    has_program(i->target.pid))
		message("process %d has executed another program, which is not traced "
			"(-x executor=kernel can)",
			i->target.pid);
	i->target.has_ended |= ends;
	agent_release(&i->view, owner_has_ended, i);
	bool goes_on = !i->target.has_ended || (!i->target.is_damaged && children_live(i));
	injector_control(i)->members = goes_on;
	if (!goes_on)
		agent_seal(&i->view);
}
