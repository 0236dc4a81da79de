/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * early - processes that mapped a new file before its probes were in place
 *
 * Nobody waits for probes of every process (new_files.c).  What such a process has fired by then is
 * lost, and nobody knows whether that was anything; so the processes are counted, and reported at
 * the end: those that ended, those that executed another program, and with -x debug those that ran
 * on. Of these many miss nothing: servers call the function later, and programs that look at a
 * semaphore wait for it.  Processes of -c and -p wait, too, and are not counted.
 *
 * The kernel reports mappings, forks, ends and programs with their times (kernel/code_watch.c).
 * They are noted; a round that has looked at the files of all mappings forgets them.  When the
 * probes of new files have been attached, the reports are read once more, and the notes say who
 * mapped the files before, by itself or by its parent, and when it left them.  A look at all
 * processes finds files, too, and then who has them.
 *
 *   a process maps the file      SINCE              END
 *            |---------------------|-----------------|
 *      the file is found,   who maps it now     all who have
 *      clauses are compiled    has probes       it have them
 *
 * Between SINCE and END the kernel waits for a grace period, 7 to 24 ms (kernel/link/link.c).
 *
 * Always true:
 *   1. A process that mapped a file after SINCE is not counted.
 *   2. One that mapped it before, and left it before END, is counted once, or its note was lost,
 *      which is reported, too.
 *   3. SINCE and END are the file's own: of files that are found together, each is attached after
 *      the one before it, and a process may fire all it has and end meanwhile.
 */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/live/live.h"
#include "tracer/names/names.h"

#define NOTES_MOST 65536 /* of 40 bytes */

/* --- notes ------------------------------------------------------------------------------------ */

static void early_note(struct tracer *t, struct early_note note)
{
	struct early *e = &t->live->early;
	if (!t->watched.every)
		return;
	if (e->notes.count < NOTES_MOST)
		vector_push(&e->notes, note);
	else
		e->has_lost = true;
}

void early_note_mapped(struct tracer *t, int pid, const struct mapping *m, uint64_t when)
{
	if (m->inode && pid != getpid())
		early_note(t, (struct early_note) {
				      .kind = NOTE_MAPPED,
				      .pid = pid,
				      .when = when,
				      .file = { m->inode, m->dev_major, m->dev_minor },
			      });
}

void early_note_forked(struct tracer *t, int parent, int pid, uint64_t when)
{
	early_note(t, (struct early_note) { NOTE_FORKED, parent, pid, when });
}

void early_note_left(struct tracer *t, int pid, bool by_exec, uint64_t when)
{
	early_note(t, (struct early_note) { by_exec ? NOTE_EXECUTED : NOTE_ENDED, pid, 0, when });
}

void early_note_look(struct tracer *t)
{
	t->live->early.has_looked = true;
}

void early_round(struct tracer *t)
{
	t->live->early.known = t->live->early.notes.count;
}

void early_forget(struct tracer *t)
{
	struct early *e = &t->live->early;
	e->notes.count -= e->known;
	if (e->notes.count) /* else there may be no items */
		memmove(e->notes.items, e->notes.items + e->known,
			e->notes.count * sizeof(*e->notes.items));
	e->known = 0;
	e->has_looked = false;
	hash_free(e->counted);
	e->counted = NULL;
}

/* --- files that get probes -------------------------------------------------------------------- */

/* When the probes of P's file were put into processes by the N-th program; now, if unknown. */
static struct early_file early_file_of(const struct tracer *t, const struct probe *p,
				       unsigned program)
{
	struct in_place when = { 0 };
	if (program)
		when = t->executor->follow->in_place(t->executing, program,
						     p->events->event.code.path);
	if (!when.all)
		when.since = when.all = clock_ns(CLOCK_MONOTONIC);
	return (struct early_file) { .since = when.since, .all = when.all };
}

void early_add_file(struct tracer *t, const struct probe *p, unsigned program)
{
	struct early *e = &t->live->early;
	struct file_key key;
	if (!probe_file_key(p, &key))
		return;
	if (!e->files)
		e->files = hash_new();
	void **place = hash_place(e->files, &key, sizeof(key));
	if (*place)
		return;
	struct early_file file = early_file_of(t, p, program);
	vector_push(&e->added, file);
	*place = (void *)e->added.count;
	const int *pids;
	size_t count = e->has_looked ? probe_mappers(p, &pids) : 0;
	for (size_t i = 0; i < count; i++) {
		file.pid = pids[i];
		vector_push(&e->mappers, file);
	}
}

static void files_clear(struct early *e)
{
	hash_free(e->files);
	e->files = NULL;
	e->added.count = e->mappers.count = 0;
}

void early_free(struct early *e)
{
	files_clear(e);
	hash_free(e->counted);
	vector_free(&e->added);
	vector_free(&e->mappers);
	vector_free(&e->notes);
}

/* --- who had them ----------------------------------------------------------------------------- */

struct early_process {
	int pid;
	uint64_t mapped;	  /* the first of the files; 0: before tracing began, or unknown */
	struct early_file files;  /* the latest times of those that it has */
	uint64_t ended, executed; /* 0: it has not; of ENDED the last thread */
	bool is_gone;
};

struct early_processes {
	VECTOR(struct early_process) list;
	struct hash *by_pid; /* index + 1 in LIST */
};

static bool has_counted(const struct early *e, int pid)
{
	return e->counted && hash_get(e->counted, &pid, sizeof(pid));
}

static struct early_process *process_of_note(const struct early_processes *all, int pid)
{
	size_t number = (size_t)hash_get(all->by_pid, &pid, sizeof(pid));
	return number ? &all->list.items[number - 1] : NULL;
}

/* 0: processes that our PID namespace has no number for. */
static void process_add(struct early_processes *all, int pid, const struct early_file *file,
			uint64_t mapped)
{
	if (!pid)
		return;
	if (!process_of_note(all, pid)) {
		vector_push(&all->list, ((struct early_process) { .pid = pid, .mapped = mapped }));
		*hash_place(all->by_pid, &pid, sizeof(pid)) = (void *)all->list.count;
	}
	struct early_process *p = process_of_note(all, pid);
	p->files.since = MAX(p->files.since, file->since);
	p->files.all = MAX(p->files.all, file->all);
}

/* The file that NOTE maps, if its probes came later; else NULL. */
static const struct early_file *file_of_note(const struct early *e, const struct early_note *note)
{
	size_t number = (size_t)hash_get(e->files, &note->file, sizeof(note->file));
	const struct early_file *file = number ? &e->added.items[number - 1] : NULL;
	return file && note->when < file->since ? file : NULL;
}

static void note_apply(struct early_processes *all, const struct early *e,
		       const struct early_note *note)
{
	struct early_process *p = process_of_note(all, note->pid);
	const struct early_file *file = note->kind == NOTE_MAPPED ? file_of_note(e, note) : NULL;
	if (file)
		process_add(all, note->pid, file, note->when);
	else if (note->kind == NOTE_FORKED && p && note->when < p->files.since && !p->executed)
		process_add(all, note->child,
			    &(struct early_file) { 0, p->files.since, p->files.all }, note->when);
	else if (note->kind == NOTE_ENDED && p)
		p->ended = note->when;
	else if (note->kind == NOTE_EXECUTED && p && !p->executed)
		p->executed = note->when;
}

/*
 * A process that is gone has its end in the notes after another read.  Those that have mapped a
 * file by END are in the first: all that is reported before the call is read.
 */
static void processes_find(struct tracer *t, struct early_processes *all)
{
	const struct early *e = &t->live->early;
	size_t i = 0;
	for (size_t k = 0; k < e->mappers.count; k++)
		if (!has_counted(e, e->mappers.items[k].pid))
			process_add(all, e->mappers.items[k].pid, &e->mappers.items[k], 0);
	names_read(t);
	for (; i < e->notes.count; i++)
		note_apply(all, e, &e->notes.items[i]);
	for (size_t k = 0; k < all->list.count; k++)
		all->list.items[k].is_gone = process_state(all->list.items[k].pid) == PROCESS_ENDED;
	names_read(t);
	for (; i < e->notes.count; i++)
		note_apply(all, e, &e->notes.items[i]);
}

static void process_count(struct tracer *t, const struct early_process *p)
{
	struct early *e = &t->live->early;
	uint64_t end = p->files.all;
	bool has_executed = p->executed && p->executed < end;
	bool has_ended =
		p->is_gone && p->ended < end; /* 0: its note was before that of the mapping */
	uint64_t begin = MAX(p->mapped, e->begun);
	if (has_executed ? p->executed < e->begun : has_ended && p->ended && p->ended < e->begun)
		return;
	if (has_executed || has_ended) {
		if (!e->counted)
			e->counted = hash_new();
		*hash_place(e->counted, &p->pid, sizeof(p->pid)) = e;
		e->executed += has_executed;
		e->ended += !has_executed;
	} else if (!tracer_watched(t, p->pid)) {
		e->ran_on++;
		e->longest = MAX(e->longest, end - begin);
	}
}

/* Those of processes that are counted: other new files that they mapped count no more. */
static void notes_remove(struct early *e)
{
	size_t kept = 0, known = 0;
	for (size_t i = 0; i < e->notes.count; i++) {
		if (has_counted(e, e->notes.items[i].pid))
			continue;
		known += i < e->known;
		e->notes.items[kept++] = e->notes.items[i];
	}
	e->known = known;
	e->notes.count = kept;
}

void early_count(struct tracer *t)
{
	struct early *e = &t->live->early;
	struct early_processes all = { .by_pid = hash_new() };
	if (e->files && e->begun)
		processes_find(t, &all);
	for (size_t i = 0; i < all.list.count; i++)
		process_count(t, &all.list.items[i]);
	notes_remove(e);
	files_clear(e);
	vector_free(&all.list);
	hash_free(all.by_pid);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void report_left(unsigned count, const char *how, const char *until)
{
	if (count)
		message_loss("%u process%s %s before the probes of files first mapped by %s were "
			     "in place: what %s fired%s is not traced",
			     count, count == 1 ? "" : "es", how, count == 1 ? "it" : "them",
			     count == 1 ? "it" : "they", until);
}

void early_report(struct tracer *t)
{
	const struct early *e = &t->live->early;
	report_left(e->ended, "ended", "");
	report_left(e->executed, "executed another program", " until then");
	if (e->ran_on)
		log_debug("%u other processes ran for up to %.1f ms before the probes of files "
			  "first mapped by them were in place",
			  e->ran_on, (double)e->longest / NS_PER_MS);
	if (e->has_lost)
		message_loss("processes mapped code faster than it could be read: more of them may "
			     "have ended before the probes of files first mapped by them were in "
			     "place");
}
