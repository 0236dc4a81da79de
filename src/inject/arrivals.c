/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Libraries that the process loads while it is traced
 *
 * A jump in the dynamic linker leads to the agent, where the thread that has mapped a library
 * reports it and waits (agent/inside/arrive.c).  The tracer compiles the clauses for the library's
 * probes, as with each executor (tracer/live/); their constants have room in the shared memory, and
 * their code comes into the process by calls of the waiting thread (remote.c).
 */
#include <string.h>

#include "inject/internal.h"

/*
 * Which code other threads may run.  A report is counted by the thread, and then it waits.  So if
 * there was one report since the last look, what is mapped now and was not then is of the thread
 * that waits, unless the program has mapped it itself (jumps.c compares with the linker's list).
 * If there were more reports, somebody did not wait: all that is mapped may run.
 */

/* --- what is mapped --------------------------------------------------------------------------- */

static bool is_file_code(const struct mapping *m)
{
	return m->executable && m->inode;
}

static bool code_has(const mapped_code_vector *list, const struct mapping *m)
{
	bool has = false;
	for (size_t i = 0; i < list->count; i++) {
		const struct mapped_code *c = &list->items[i];
		has |= c->begin == m->start && c->end == m->end && c->offset == m->offset &&
		       c->inode == m->inode;
	}
	return has;
}

static void code_add(mapped_code_vector *list, const struct mapping *m)
{
	vector_push(list, ((struct mapped_code) { m->start, m->end, m->offset, m->inode }));
}

bool arrival_is_new(const struct injector *i, const struct mapping *m)
{
	return code_has(&i->arrival.fresh, m);
}

void arrival_begin(struct injector *i, const struct mapping *list, size_t count)
{
	i->arrival.known.count = 0;
	for (size_t n = 0; n < count; n++)
		if (is_file_code(&list[n]))
			code_add(&i->arrival.known, &list[n]);
}

void arrival_deinit(struct injector *i)
{
	vector_free(&i->arrival.known);
	vector_free(&i->arrival.fresh);
}

/* ARRIVALS: control.arrivals now. */
static void arrival_look(struct injector *i, uint64_t arrivals)
{
	struct injected_arrival *a = &i->arrival;
	struct mapping *list;
	size_t count;
	bool is_alone = arrivals == a->ticket + 1;
	a->ticket = arrivals;
	a->fresh.count = 0;
	auto_error struct error *err = process_mappings(i->target.pid, &list, &count);
	if (err) /* it is gone */
		return;
	for (size_t n = 0; n < count && is_alone; n++)
		if (is_file_code(&list[n]) && !code_has(&a->known, &list[n]))
			code_add(&a->fresh, &list[n]);
	arrival_begin(i, list, count);
	process_mappings_free(list, count);
}

/* --- reports ---------------------------------------------------------------------------------- */

static struct error *visit_unknown(struct injector *i, bytes_visit_fn *visit, void *arg)
{
	struct error *err = NULL;
	struct arrival a;
	stacks_look(i);
	for (size_t n = 0; !err && i->layout.walks_by_tables && stacks_unknown(i, n, &a); n++)
		err = visit(arg, &a, sizeof(a));
	return err;
}

/* Probes that are known, in libraries that are loaded again. */
static void renew(struct injector *i)
{
	auto_error struct error *err = i->arrival.fresh.count ? jumps_renew(i) : NULL;
	if (err)
		message_loss("functions of libraries that process %d has loaded again are not "
			     "traced: %s",
			     i->target.pid, error_text(err));
}

struct error *inject_requests(void *self, bytes_visit_fn *visit, void *arg)
{
	struct injector *i = self;
	uint64_t arrivals = __atomic_load_n(&injector_control(i)->arrivals, __ATOMIC_ACQUIRE);
	struct arrival code = {
		.tgid = (uint32_t)i->target.pid, .kind = ARRIVAL_CODE, .waits = 1, .cpu = UINT32_MAX
	};
	if (i->executed)
		return executed_report(i, visit, arg);
	if (arrivals == i->arrival.ticket || i->target.has_ended)
		return NULL;
	arrival_look(i, arrivals);
	renew(i);
	struct error *err = visit(arg, &code, sizeof(code));
	return err ? err : visit_unknown(i, visit, arg);
}

/* --- their probes ----------------------------------------------------------------------------- */

/*
 * The linker's jump is made with those of the clauses.
 */
static struct error *inject_watch(void *self, int pid, const struct event_code *linker)
{
	struct injector *i = self;
	bool is_new = linker && (!i->linker.at || strcmp(i->linker.path, linker->path) != 0);
	if (is_new && pid == i->target.pid)
		i->linker = (struct injected_linker) { .path = linker->path,
						       .name = linker->name,
						       .at = linker->sites[0].function };
	return NULL;
}

static struct error *inject_load_more(void *self, const struct program *p)
{
	struct injector *i = self;
	const struct process_head *h = &i->layout.head;
	uint64_t size = ALIGN_UP(constants_region_size(p), 64u);
	uint64_t at = h->more_constants + i->constants_used;
	if (!regions_agree(p, i->program) || p->slot_size > i->program->slot_size)
		return error_new("its variables would move");
	if (size > PROCESS_MORE_CONSTANTS - i->constants_used)
		return error_new("there is no room for more than %u MB of their constants",
				 PROCESS_MORE_CONSTANTS >> 20);
	constants_fill(p, i->view.memory + at);
	i->constants_used += size;
	vector_push(&i->programs, ((struct injected_program) { p, at }));
	return NULL;
}

/* Only probes of every process are released, which this executor does not have. */
static void inject_release(void *self, unsigned program)
{
}

/* --- trees ------------------------------------------------------------------------------------ */

/* Later children join by themselves (children.c); those that are there have no jumps. */
static struct error *inject_join(void *self, int pid, int target, uint32_t flags, bool *is_new)
{
	*is_new = false;
	return NULL;
}

static struct error *inject_add_member(void *self, int pid, int target)
{
	return error_new("executor=process has no links of members");
}

static struct error *inject_watch_cgroups(void *self)
{
	return error_new("executor=process traces no control groups");
}

static struct error *inject_add_cgroup(void *self, uint64_t id, bool *is_new)
{
	return inject_watch_cgroups(self);
}

/* The process is another one for its memory, whichever thread has executed the program. */
static void inject_forget(void *self, int pid)
{
}

const struct executor_follow inject_follow = {
	.watch = inject_watch,
	.join = inject_join,
	.add_member = inject_add_member,
	.watch_cgroups = inject_watch_cgroups,
	.add_cgroup = inject_add_cgroup,
	.forget = inject_forget,
	.load_more = inject_load_more,
	.release = inject_release,
};
