/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arrivals - requests of the executor in each round: code that has arrived in processes
 *
 * A library was mapped, or a program was executed: probes of it are matched and attached
 * (rematch.c), and the processes that wait for them go on.  Stacks that need tables, which are
 * requests, too, are served here and between records (unwind.c, copies.c).
 */
#include "base/open_files.h"
#include "tracer/live/live.h"
#include "tracer/names/names.h"
#include "tracer/stacks/stacks.h"
#include "tracer/targets/targets.h"

static struct error *note_program(void *arg, const void *data, uint32_t size)
{
	struct tracer *t = arg;
	const struct arrival *arrival = data;
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_TABLE) {
		stacks_request(t, arrival);
		return NULL;
	}
	t->live->met++;
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_NO_MEMBER)
		return NULL;
	t->live->has_arrivals = true;
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_CODE)
		names_arrived(t, (int)arrival->tgid);
	if (size >= sizeof(*arrival) && arrival->waits)
		waiting_begin(&t->live->waiting, t->source.control, arrival->cpu);
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_CHILD) {
		struct descendant child = { (int)arrival->tgid, (int)arrival->target };
		vector_push(&t->live->children, child);
		return NULL;
	}
	/* Trees may be there for the variable target alone. */
	int root = size >= sizeof(*arrival) && tracer_follows(t) ? (int)arrival->target : 0;
	if (root)
		probe_db_code_join(t->probes, root, (int)arrival->tgid);
	if (size < sizeof(*arrival) || arrival->kind == ARRIVAL_CODE)
		return NULL;
	struct executed e = {
		.pid = (int)arrival->tgid,
		.root = root,
		.by_first_thread = arrival->kind == ARRIVAL_PROGRAM,
		.waits = arrival->waits,
	};
	vector_push(&t->live->executed, e);
	return NULL;
}

/* Like drops, reported under -q, too. */
static void report_gap(int pid)
{
	message_loss(
		"pid %d executed another program: what that called before its probes were in place "
		"is not traced",
		pid);
}

/* Clauses are compiled with the addresses that the former program's symbols have. */
static void report_symbols(const struct tracer *t, int pid)
{
	if (pid == t->sema_env.target && sema_result(t->sema)->uses_user_symbols)
		message_loss(
			"pid %d executed another program: the symbols of the target that D names "
			"(``x) are read where those of the former one were",
			pid);
}

static bool has_probes(const struct tracer *t, const struct executed *e)
{
	return e->root ? !!tracer_watched(t, e->root) : !tracer_watched(t, e->pid)->for_symbols;
}

/* HAS_NEW: probes were found in code that has arrived.  True: it must be looked at again. */
static bool report_unheld(struct tracer *t, int pid, bool has_new)
{
	bool has_ended = process_state(pid) == PROCESS_ENDED;
	if (has_new)
		report_gap(pid);
	else if (has_ended)
		t->live->unseen++;
	return !has_new && !has_ended;
}

/*
 * The new program's linker is watched from now on.  If it was not before and the process has not
 * waited, it may have mapped its libraries by now, or be about to: another look shows.
 */
static void follow_program(struct tracer *t, const struct executed *e, bool has_new)
{
	report_symbols(t, e->pid);
	if (!has_probes(t, e) || live_watch_linker(t, e->pid) || e->waits)
		return;
	t->live->match_again = true;
	if (e->by_first_thread && /* of others it is reported already */
	    report_unheld(t, e->pid, has_new))
		vector_push(&t->live->unheld, e->pid);
}

static void look_at_unheld(struct tracer *t, bool has_new)
{
	for (size_t i = 0; i < t->live->unheld.count; i++)
		report_unheld(t, t->live->unheld.items[i], has_new);
	t->live->unheld.count = 0;
}

void arrivals_report_unseen(struct tracer *t)
{
	const struct source_reader *reader = t->source.reader;
	if (reader->requests)
		error_free(reader->requests(t->source.self, note_program, t));
	look_at_unheld(t, false);
	for (size_t i = 0; i < t->live->executed.count; i++) {
		const struct executed *e = &t->live->executed.items[i];
		if (has_probes(t, e) && !e->waits && e->by_first_thread)
			report_unheld(t, e->pid, false);
	}
	if (t->live->unseen)
		message_loss("%u program%s that traced processes executed ended before they were "
			     "looked at: probes in them, if any, have not fired",
			     t->live->unseen, t->live->unseen == 1 ? "" : "s");
}

/*
 * The kernel knows a process by the thread that was its first when it was attached to.  When
 * another thread executes a program, that one is gone, and so are the probes.  The linker is
 * watched at once, so that the process may wait there.
 */
static struct error *follow_thread(struct tracer *t, struct watched *w)
{
	t->executor->follow->forget(t->executing, w->pid);
	probe_db_code_unwatch(t->probes, w->pid);
	live_watch_linker(t, w->pid);
	t->live->match_again = true;
	return tracer_attach_anew(t, w->pid);
}

/* Has another thread of this process executed a program since?  Its links are made again then. */
static bool is_outdated(const struct tracer *t, size_t event)
{
	for (size_t i = event + 1; i < t->live->executed.count; i++)
		if (t->live->executed.items[i].pid == t->live->executed.items[event].pid &&
		    !t->live->executed.items[i].by_first_thread)
			return true;
	return false;
}

static void follow_threads(struct tracer *t)
{
	for (size_t i = 0; i < t->live->executed.count; i++) {
		struct executed e = t->live->executed.items[i];
		struct watched *w = tracer_watched(t, e.pid);
		if (e.by_first_thread || (!e.root && w->for_symbols))
			continue;
		if (!e.waits)
			report_gap(e.pid);
		if (e.root && targets_have_private_members(t))
			vector_push(e.waits ? &t->live->children : &t->live->threads_executed,
				    ((struct descendant) { e.pid, e.root }));
		if (e.root) /* its links are in no particular process */
			continue;
		auto_error struct error *err = is_outdated(t, i) ? NULL : follow_thread(t, w);
		if (err && process_start_time(e.pid))
			message_loss("pid %d is not traced any more: %s", e.pid, error_text(err));
	}
}

/* All programs are there: also those for what its parent has mapped just before. */
static void serve_members(struct tracer *t, descendant_vector *members)
{
	for (size_t i = 0; i < members->count; i++) {
		struct descendant child = members->items[i];
		auto_error struct error *err =
			t->executor->follow->add_member(t->executing, child.pid, child.root);
		waiting_beat(&t->live->waiting);
		if (err && process_start_time(child.pid))
			message_loss("pid %d, a child of a traced process, is not traced: %s",
				     child.pid, error_text(err));
	}
	members->count = 0;
}

static void report_missed(struct tracer *t)
{
	uint64_t missed = __atomic_load_n(&t->source.control->arrivals_missed, __ATOMIC_RELAXED);
	if (missed == t->live->missed_reported)
		return;
	message_loss("%llu thread%s could not wait for probes of libraries just loaded%s: calls "
		     "of these may be missing",
		     (unsigned long long)(missed - t->live->missed_reported),
		     missed - t->live->missed_reported == 1 ? "" : "s",
		     targets_have_private_members(t) ? ", or after a fork" : "");
	t->live->missed_reported = missed;
}

/* Libraries, programs and links stay open: so many of them may come at once, */
#define FILES_AT_ONCE 1024
/* and these are the least that one library may need. */
#define FILES_LEAST 16

static void allow_files(void)
{
	uint64_t next = open_files_next(), more = FILES_AT_ONCE;
	while (more >= FILES_LEAST && !open_files_allow(next + more))
		more /= 2;
}

static void report_full(struct tracer *t)
{
	if (t->live->is_full || open_files_allow(open_files_next() + FILES_LEAST))
		return;
	t->live->is_full = true;
	message_loss("the limit of open files is reached: functions loaded from now on may not be "
		     "traced (allow more: ulimit -n)");
}

static bool something_changed(struct tracer *t)
{
	bool changed = t->live->match_again;
	t->live->match_again = false;
	for (size_t i = 0; i < t->watched.list.count; i++)
		changed |= probe_db_code_has_changed(t->probes, t->watched.list.items[i].pid);
	return changed;
}

struct error *arrivals_serve(struct tracer *t)
{
	const struct source_reader *reader = t->source.reader;
	if (!reader->requests)
		return NULL;
	t->live->seen = __atomic_load_n(&t->source.control->arrivals, __ATOMIC_SEQ_CST);
	return reader->requests(t->source.self, note_program, t);
}

/* Probes of all that has arrived are put in place; then the processes go on that wait for them. */
static void follow_arrivals(struct tracer *t)
{
	struct live *l = t->live;
	struct control *control = t->source.control;
	allow_files();
	follow_threads(t);
	bool has_new = something_changed(t) && live_match_again(t);
	report_full(t);
	modules_report(t, has_new);
	look_at_unheld(t, has_new);
	for (size_t i = 0; i < l->executed.count; i++)
		follow_program(t, &l->executed.items[i], has_new);
	l->executed.count = 0;
	serve_members(t, &l->children);
	__atomic_store_n(&control->arrivals_alone, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&control->arrivals_seen, l->seen, __ATOMIC_SEQ_CST);
	waiting_end(&l->waiting);
	serve_members(t, &l->threads_executed); /* waits for those that spin and wait for us */
	report_missed(t);
}

struct error *arrivals_step(struct tracer *t, bool status)
{
	struct live *l = t->live;
	if (!t->source.reader->requests)
		return NULL;
	early_round(t);
	report_missed(t);
	files_follow(t, names_have_lost(t));
	modules_follow(t);
	/* The last round may have met some whose tickets it did not know yet. */
	if (l->has_arrivals || l->match_again || l->seen != t->source.control->arrivals_seen) {
		l->has_arrivals = false;
		follow_arrivals(t);
	}
	early_forget(t);
	return NULL;
}

bool arrivals_are_due(const struct tracer *t)
{
	return t->live->match_again || t->live->met > t->source.control->arrivals_seen;
}

/* The thread that beats works in the memory of the control, which will go. */
void arrivals_let_go(struct tracer *t)
{
	waiting_end(&t->live->waiting);
	if (t->source.control)
		__atomic_store_n(&t->source.control->arrivals_seen, UINT64_MAX, __ATOMIC_SEQ_CST);
}

void arrivals_free(struct live *l)
{
	vector_free(&l->executed);
	vector_free(&l->unheld);
	vector_free(&l->children);
	vector_free(&l->threads_executed);
}
