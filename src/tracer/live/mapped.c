/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What processes map as code while we trace
 *
 * The kernel reports each executable mapping of each process (kernel/code_watch.c), for two needs:
 *
 *   files   descriptions of every process are matched in new files (new_files.c): this wakes us
 *   names   addresses of processes that have ended are looked up when their stacks are printed, and
 *           walked when they were copied.  The log of mappings keeps what each process had.  A file
 *           that is new is opened at once: it may be deleted, or be seen only by its process.
 *
 * What processes had mapped before is read from /proc: what targets had, before they run on; what
 * others had, in the first rounds, some milliseconds in each.  One of those that ends before its
 * turn has no names, nor have its children.  The same holds when a CPU has come online, as nothing
 * was reported there before we noticed it (each statusrate).
 */
#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/internal.h"

#define ROUND_MOST_NS (2 * NS_PER_MS) /* of a round, for processes that were there */

/* --- what is reported ------------------------------------------------------------------------ */

static void note_code(struct tracer *t, int pid, const struct mapping *m)
{
	images_note(t->images, pid, m);
	mapping_log_add(t->mapping_log, pid, m);
	tracer_note_interpreter(t, pid, m);
}

static void look_at(struct tracer *t, int pid)
{
	struct mapping *list;
	size_t count;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err) /* it has ended, or is not for us to read */
		return;
	for (size_t i = 0; i < count; i++)
		if (list[i].executable)
			note_code(t, pid, &list[i]);
	process_mappings_free(list, count);
}

/* PID was there before, and does something: its turn is now. */
static void look_early(struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->present.count; i++)
		if (t->present.items[i] == pid) {
			t->present.items[i] = t->present.items[--t->present.count];
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
	tracer_note_file(t, mapped->pid, &m);
	if (!t->mapping_log)
		return;
	look_early(t, mapped->pid);
	note_code(t, mapped->pid, &m);
}

static void note_forked(void *arg, int parent, int pid)
{
	struct tracer *t = arg;
	if (!t->mapping_log)
		return;
	look_early(t, parent);
	mapping_log_fork(t->mapping_log, parent, pid);
	tracer_fork_interpreter(t, parent, pid);
}

static void refresh(void *tracer)
{
	struct tracer *t = tracer;
	const struct code_watch_visitor visitor = { note_mapped, note_forked, t };
	bool lost = t->code_watch && code_watch_read(t->code_watch, &visitor);
	t->lost_mapped |= lost;
	if (lost && t->mapping_log && !t->told_lost_mapped)
		message_loss("processes mapped code faster than it could be read: addresses of "
			     "those that have ended may have no names");
	t->told_lost_mapped |= lost;
}

/* --- the beginning and the end ---------------------------------------------------------------- */

static void report_closed(const struct tracer *t, const struct error *err)
{
	if (t->wants_files)
		message_loss("probes of files that processes map from now on are found only each "
			     "%u seconds: %s",
			     FILES_LOOK_SECONDS, error_text(err));
	if (t->mapping_log)
		message_loss("addresses of processes that end before they are printed may have no "
			     "names: %s",
			     error_text(err));
}

static void find_present(struct tracer *t)
{
	vector_free(&t->present);
	t->present.items = process_all(&t->present.count);
}

void tracer_watch_mapped(struct tracer *t)
{
	if (tracer_wants_names(t)) {
		t->mapping_log = mapping_log_new(refresh, t);
		symbols_set_log(t->symbols, t->mapping_log);
	}
	if (!t->wants_files && !t->mapping_log)
		return;
	bool at_once = t->wants_files || tracer_wants_interpreters(t);
	auto_error struct error *err = code_watch_open(at_once, &t->code_watch);
	if (err)
		report_closed(t, err);
	if (!t->mapping_log)
		return;
	find_present(t);
	for (size_t i = 0; i < t->targets.count; i++)
		look_early(t, t->targets.items[i]);
	for (size_t i = 0; i < t->descendants.count; i++)
		look_early(t, t->descendants.items[i].pid);
}

void tracer_unwatch_mapped(struct tracer *t)
{
	code_watch_close(t->code_watch);
	t->code_watch = NULL;
	vector_free(&t->present);
	mapping_log_free(t->mapping_log);
}

int tracer_mapped_poll_fd(const struct tracer *t)
{
	return t->code_watch ? code_watch_poll_fd(t->code_watch) : -1;
}

/* --- in each round ---------------------------------------------------------------------------- */

static void look_at_present(struct tracer *t)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + ROUND_MOST_NS;
	while (t->present.count && clock_ns(CLOCK_MONOTONIC) < end)
		look_at(t, t->present.items[--t->present.count]);
}

void tracer_read_mapped(struct tracer *t)
{
	refresh(t);
	look_at_present(t);
	tracer_follow_files(t, t->lost_mapped);
	t->lost_mapped = false;
}

void tracer_watch_new_cpus(struct tracer *t)
{
	if (!t->code_watch)
		return;
	refresh(t);
	bool any;
	auto_error struct error *err = code_watch_follow_cpus(t->code_watch, &any);
	t->lost_mapped |= any;
	if (any && t->mapping_log)
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

void tracer_mappings(struct tracer *t, int pid, struct mapping **ret, size_t *count)
{
	*ret = NULL;
	*count = 0;
	error_free(process_mappings(pid, ret, count));
	if (*count || !t->mapping_log)
		return;
	struct mapping_list logged = { 0 };
	mapping_log_visit(t->mapping_log, pid, copy_mapping, &logged);
	*ret = logged.list.items;
	*count = logged.list.count;
	for (size_t i = 0, j = *count; i + 1 < j; i++) { /* what came later holds */
		struct mapping earlier = (*ret)[i];
		(*ret)[i] = (*ret)[--j];
		(*ret)[j] = earlier;
	}
}
