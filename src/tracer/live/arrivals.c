/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arrivals - requests of the executor in each round: code that has arrived in processes
 *
 * A library was mapped, or a program was executed: probes of it are matched and attached
 * (rematch.c), and the processes that wait for them go on.  Stacks that need tables, which are
 * requests, too, are served here and between records (unwind.c, copies.c).
 */
#include "base/open_files.h"
#include "tracer/internal.h"

static struct error *note_program(void *arg, const void *data, uint32_t size)
{
	struct tracer *t = arg;
	const struct arrival *arrival = data;
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_TABLE) {
		vector_push(&t->tables_asked, *arrival);
		return NULL;
	}
	t->arrivals_met++;
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_NO_MEMBER)
		return NULL;
	t->has_arrivals = true;
	if (size >= sizeof(*arrival) && arrival->waits)
		waiting_begin(&t->waiting, t->source.control, arrival->cpu);
	if (size >= sizeof(*arrival) && arrival->kind == ARRIVAL_CHILD) {
		struct descendant child = { (int)arrival->tgid, (int)arrival->target };
		vector_push(&t->children, child);
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
	vector_push(&t->executed, e);
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
		t->unseen++;
	return !has_new && !has_ended;
}

/*
 * The new program's linker is watched from now on.  If it was not before and the process has not
 * waited, it may have mapped its libraries by now, or be about to: another look shows.
 */
static void follow_program(struct tracer *t, const struct executed *e, bool has_new)
{
	report_symbols(t, e->pid);
	if (!has_probes(t, e) || tracer_watch_linker(t, e->pid) || e->waits)
		return;
	t->match_again = true;
	if (e->by_first_thread && /* of others it is reported already */
	    report_unheld(t, e->pid, has_new))
		vector_push(&t->unheld, e->pid);
}

static void look_at_unheld(struct tracer *t, bool has_new)
{
	for (size_t i = 0; i < t->unheld.count; i++)
		report_unheld(t, t->unheld.items[i], has_new);
	t->unheld.count = 0;
}

void tracer_report_unseen(struct tracer *t)
{
	const struct source_reader *reader = t->source.reader;
	if (reader->requests)
		error_free(reader->requests(t->source.self, note_program, t));
	look_at_unheld(t, false);
	for (size_t i = 0; i < t->executed.count; i++) {
		const struct executed *e = &t->executed.items[i];
		if (has_probes(t, e) && !e->waits && e->by_first_thread)
			report_unheld(t, e->pid, false);
	}
	if (t->unseen)
		message_loss("%u program%s that traced processes executed ended before they were "
			     "looked at: probes in them, if any, have not fired",
			     t->unseen, t->unseen == 1 ? "" : "s");
}

/*
 * The kernel knows a process by the thread that was its first when it was attached to.  When
 * another thread executes a program, that one is gone, and so are the probes.  The linker is
 * watched at once, so that the process may wait there.
 */
static struct error *follow_thread(struct tracer *t, struct watched *w)
{
	t->executor->forget(t->executing, w->pid);
	probe_db_code_unwatch(t->probes, w->pid);
	tracer_watch_linker(t, w->pid);
	t->match_again = true;
	return tracer_attach_anew(t, w->pid);
}

/* Has another thread of this process executed a program since?  Its links are made again then. */
static bool is_outdated(const struct tracer *t, size_t event)
{
	for (size_t i = event + 1; i < t->executed.count; i++)
		if (t->executed.items[i].pid == t->executed.items[event].pid &&
		    !t->executed.items[i].by_first_thread)
			return true;
	return false;
}

static void follow_threads(struct tracer *t)
{
	for (size_t i = 0; i < t->executed.count; i++) {
		struct executed e = t->executed.items[i];
		struct watched *w = tracer_watched(t, e.pid);
		if (e.by_first_thread || (!e.root && w->for_symbols))
			continue;
		if (!e.waits)
			report_gap(e.pid);
		if (e.root && tracer_has_private_members(t))
			vector_push(e.waits ? &t->children : &t->threads_executed,
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
			t->executor->add_member(t->executing, child.pid, child.root);
		waiting_beat(&t->waiting);
		if (err && process_start_time(child.pid))
			message_loss("pid %d, a child of a traced process, is not traced: %s",
				     child.pid, error_text(err));
	}
	members->count = 0;
}

static void report_missed(struct tracer *t)
{
	uint64_t missed = __atomic_load_n(&t->source.control->arrivals_missed, __ATOMIC_RELAXED);
	if (missed == t->arrivals_reported)
		return;
	message_loss("%llu thread%s could not wait for probes of libraries just loaded%s: calls "
		     "of these may be missing",
		     (unsigned long long)(missed - t->arrivals_reported),
		     missed - t->arrivals_reported == 1 ? "" : "s",
		     tracer_has_private_members(t) ? ", or after a fork" : "");
	t->arrivals_reported = missed;
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
	if (t->is_full || open_files_allow(open_files_next() + FILES_LEAST))
		return;
	t->is_full = true;
	message_loss("the limit of open files is reached: functions loaded from now on may not be "
		     "traced (allow more: ulimit -n)");
}

static bool something_changed(struct tracer *t)
{
	bool changed = t->match_again;
	t->match_again = false;
	for (size_t i = 0; i < t->watched.count; i++)
		changed |= probe_db_code_has_changed(t->probes, t->watched.items[i].pid);
	return changed;
}

struct error *tracer_serve_stacks(struct tracer *t)
{
	const struct source_reader *reader = t->source.reader;
	struct error *err =
		reader->requests ? reader->requests(t->source.self, note_program, t) : NULL;
	if (!err)
		err = tracer_take_copies(t);
	if (!err)
		err = tracer_make_tables(t);
	return err ? err : tracer_walk_copies(t);
}

struct error *tracer_follow_code(struct tracer *t)
{
	if (!t->source.reader->requests)
		return NULL;
	struct control *control = t->source.control;
	uint64_t seen = __atomic_load_n(&control->arrivals, __ATOMIC_SEQ_CST);
	/* The last round may have met some whose tickets it did not know yet. */
	t->has_arrivals |= t->match_again || seen != control->arrivals_seen;
	tracer_report_missed_members(t);
	report_missed(t);
	struct error *err = tracer_serve_stacks(t);
	tracer_read_mapped(t);
	tracer_follow_modules(t);
	t->has_arrivals |= t->match_again;
	if (!t->has_arrivals)
		return err;
	t->has_arrivals = false;
	allow_files();
	follow_threads(t);
	bool has_new = !err && something_changed(t) && tracer_match_again(t);
	report_full(t);
	tracer_report_modules(t, has_new);
	look_at_unheld(t, has_new);
	for (size_t i = 0; i < t->executed.count; i++)
		follow_program(t, &t->executed.items[i], has_new);
	t->executed.count = 0;
	serve_members(t, &t->children);
	__atomic_store_n(&control->arrivals_alone, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&control->arrivals_seen, seen, __ATOMIC_SEQ_CST);
	waiting_end(&t->waiting);
	serve_members(t, &t->threads_executed); /* waits for those that spin and wait for us */
	report_missed(t);
	return err;
}

bool tracer_owes_arrivals(const struct tracer *t)
{
	return t->source.control && t->arrivals_met > t->source.control->arrivals_seen;
}

/* The thread that beats works in the memory of the control, which will go. */
void tracer_let_go(struct tracer *t)
{
	waiting_end(&t->waiting);
	if (t->source.control)
		__atomic_store_n(&t->source.control->arrivals_seen, UINT64_MAX, __ATOMIC_SEQ_CST);
}
