/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What processes map as code while we trace
 *
 * The kernel reports each executable mapping of each process (kernel/code_watch.c), for two needs:
 *
 *   files   descriptions of every process are matched in new files (live/new_files.c): this
 *           wakes us
 *   names   addresses of processes that have ended are looked up when their stacks are printed,
 *           and walked when they were copied.  The log of mappings keeps what each process had.
 *           A file that is new is opened at once: it may be deleted, or be seen only by its
 *           process.
 *
 * What processes had mapped before is read from /proc: what targets had, before they run on; what
 * others had, in the first rounds, some milliseconds in each.  One of those that ends before its
 * turn has no names, nor have its children.  The same holds when a CPU has come online, as nothing
 * was reported there before we noticed it (each statusrate).
 */
#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/names/names.h"
#include "tracer/targets/targets.h"

#define ROUND_MOST_NS (2 * NS_PER_MS) /* of a round, for processes that were there */

/* --- what is reported ------------------------------------------------------------------------ */

static void note_code(struct tracer *t, int pid, const struct mapping *m)
{
	images_note(t->images, pid, m);
	mapping_log_add(t->names->log, pid, m);
}

static void look_at(struct tracer *t, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err) /* it has ended, or is not for us to read */
		return;
	for (size_t i = 0; i < count; i++)
		if (list[i].executable) {
			note_code(t, pid, &list[i]);
			wings_do(mapped, t, pid, &list[i], 0);
		}
	process_mappings_free(list, count);
}

/* PID was there before, and does something: its turn is now. */
static void look_early(struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->names->present.count; i++)
		if (t->names->present.items[i] == pid) {
			t->names->present.items[i] =
				t->names->present.items[--t->names->present.count];
			look_at(t, pid);
			return;
		}
}

static void note_mapped(void *arg, const struct code_mapped *mapped)
{
	struct tracer *t = arg;
	const struct mapping m = {
		.start = mapped->address,
		.end = mapped->address + mapped->length,
		.offset = mapped->offset,
		.executable = true,
		.dev_major = mapped->dev_major,
		.dev_minor = mapped->dev_minor,
		.inode = mapped->inode,
		.path = (char *)mapped->path,
	};
	if (t->names->log) {
		look_early(t, mapped->pid);
		note_code(t, mapped->pid, &m);
	}
	wings_do(mapped, t, mapped->pid, &m, mapped->when);
}

static void note_forked(void *arg, int parent, int pid, uint64_t when)
{
	struct tracer *t = arg;
	if (t->names->log) {
		look_early(t, parent);
		mapping_log_fork(t->names->log, parent, pid);
	}
	wings_do(forked, t, parent, pid, when);
}

static void note_left(void *arg, int pid, bool by_exec, uint64_t when)
{
	struct tracer *t = arg;
	wings_do(left, t, pid, by_exec, when);
}

static void refresh(void *tracer)
{
	struct tracer *t = tracer;
	struct names *n = t->names;
	const struct code_watch_visitor visitor = { note_mapped, note_forked, note_left, t };
	bool lost = n->watch && code_watch_read(n->watch, &visitor);
	n->has_lost |= lost;
	if (lost && n->log && !n->lost_reported)
		message_loss("processes mapped code faster than it could be read: addresses of "
			     "those that have ended may have no names");
	n->lost_reported |= lost;
}

/* --- the beginning and the end ---------------------------------------------------------------- */

static void report_closed(struct tracer *t, const struct error *err)
{
	t->names->problem = arena_printf(t->arena, "%s", error_text(err));
	if (t->names->log)
		message_loss("addresses of processes that end before they are printed may have no "
			     "names: %s",
			     error_text(err));
}

void names_request_mappings(struct tracer *t)
{
	t->names->is_requested = true;
}

const char *names_problem(const struct tracer *t)
{
	return t->names->problem;
}

void names_read(struct tracer *t)
{
	refresh(t);
}

void names_arrived(struct tracer *t, int pid)
{
	if (t->names->log && !t->names->watch)
		look_at(t, pid);
}

bool names_have_lost(struct tracer *t)
{
	bool has_lost = t->names->has_lost;
	t->names->has_lost = false;
	return has_lost;
}

static void find_present(struct tracer *t)
{
	vector_free(&t->names->present);
	t->names->present.items = process_all(&t->names->present.count);
}

void mapped_watch(struct tracer *t, bool has_log)
{
	struct names *n = t->names;
	if (has_log) {
		n->log = mapping_log_new(refresh, t);
		symbols_set_log(t->symbols, n->log);
	}
	if (!n->is_requested && !n->log)
		return;
	/* An executor in processes reports itself what these map: names_arrived(). */
	bool is_inside = t->executor->enter && !n->is_requested;
	auto_error struct error *err =
		is_inside ? NULL : code_watch_open(n->is_requested, &n->watch);
	if (err)
		report_closed(t, err);
	if (!n->log)
		return;
	find_present(t);
	for (size_t i = 0; i < t->processes.pids.count; i++)
		look_early(t, t->processes.pids.items[i]);
	for (size_t i = 0; i < t->watched.list.count; i++)
		look_early(t, t->watched.list.items[i].pid);
	const descendant_vector *descendants = targets_descendants(t);
	for (size_t i = 0; i < descendants->count; i++)
		look_early(t, descendants->items[i].pid);
}

void mapped_close(struct tracer *t)
{
	code_watch_close(t->names->watch);
	vector_free(&t->names->present);
	mapping_log_free(t->names->log);
}

int mapped_poll_fd(const struct tracer *t)
{
	return t->names->watch ? code_watch_poll_fd(t->names->watch) : -1;
}

/* --- in each round ---------------------------------------------------------------------------- */

static void look_at_present(struct tracer *t)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + ROUND_MOST_NS;
	while (t->names->present.count && clock_ns(CLOCK_MONOTONIC) < end)
		look_at(t, t->names->present.items[--t->names->present.count]);
}

void mapped_read(struct tracer *t)
{
	refresh(t);
	look_at_present(t);
}

void mapped_watch_new_cpus(struct tracer *t)
{
	if (!t->names->watch)
		return;
	refresh(t);
	bool any;
	auto_error struct error *err = code_watch_follow_cpus(t->names->watch, &any);
	t->names->has_lost |= any;
	if (any && t->names->log)
		find_present(t);
	if (err)
		message_loss("what processes map as code on CPUs that have come online may be "
			     "missing: %s",
			     error_text(err));
}

/* --- of one process --------------------------------------------------------------------------- */

struct mapping_list {
	VECTOR(struct mapping) list;
};

static void copy_mapping(void *arg, const struct mapping *m)
{
	struct mapping_list *l = arg;
	struct mapping copy = *m;
	copy.path = mem_strdup(m->path);
	vector_push(&l->list, copy);
}

void names_mappings(struct tracer *t, int pid, struct mapping **ret, size_t *count)
{
	*ret = NULL;
	*count = 0;
	error_free(process_mappings(pid, ret, count));
	if (*count || !t->names->log)
		return;
	struct mapping_list logged = { 0 };
	mapping_log_visit(t->names->log, pid, copy_mapping, &logged);
	*ret = logged.list.items;
	*count = logged.list.count;
	for (size_t i = 0, j = *count; i + 1 < j; i++) { /* what came later holds */
		struct mapping earlier = (*ret)[i];
		(*ret)[i] = (*ret)[--j];
		(*ret)[j] = earlier;
	}
}
