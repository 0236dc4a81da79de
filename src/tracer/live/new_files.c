/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that some process maps as code for the first time while we trace
 *
 * For descriptions of every process (postgresql:::).  A link without a process is in all that map
 * the file, now and later, and their semaphores; so only a file is news.  Each executable mapping
 * of each process is reported (mapped.c), which wakes us; a file that was not seen before is looked
 * at, and if it has probes that are wanted, the descriptions are matched again (rematch.c).  Nobody
 * waits meanwhile, except processes of -c and -p: a program that has never run while we trace fires
 * for some 14 ms without us (8 to 27, of 8 programs on a busy machine; 6.18).  A program that is
 * executed costs us 0.2 ms.  Programs built with our headers wait for us if one of our commands
 * runs them (announce.c).  Nobody knows what another program has fired by then; but one that has
 * ended has fired all of it unseen, which is reported.
 *
 * Mappings that the kernel could not report, as its buffer was full, or a CPU was not yet known to
 * be online, are found by a look at all processes: at once, and each LOOK_NS.  After a look it is
 * also known which files nobody maps any more (reap.c).
 */
#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/internal.h"

#define LOOK_NS (FILES_LOOK_SECONDS * NS_PER_SECOND)
#define FILES_OF_A_LOOK 32 /* so many new ones, and the next look is now: old ones may be gone */

bool tracer_of_every_process(const struct tracer *t, const struct tclause *c)
{
	return probe_db_of_every_process(t->probes, c->desc.provider);
}

bool tracer_wants_files(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++)
		if (tracer_of_every_process(t, typed->clauses[i]))
			return true;
	return false;
}

/* The files that were mapped before are looked at again: they may have been while we compiled. */
void tracer_watch_files(struct tracer *t)
{
	if (!t->wants_files)
		return;
	t->next_look = clock_ns(CLOCK_MONOTONIC) + LOOK_NS;
	t->match_again |= probe_db_files_look(t->probes);
}

void tracer_note_file(struct tracer *t, int pid, const struct mapping *m)
{
	if (!t->wants_files || !probe_db_file_mapped(t->probes, pid, m))
		return;
	t->match_again = true;
	t->new_files++;
}

/* A file's probes may be in several programs, and several clauses. */
static bool is_noted(const struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->ended_early.count; i++)
		if (t->ended_early.items[i] == pid)
			return true;
	return false;
}

void tracer_note_ended(struct tracer *t, const struct typed_program *more)
{
	int last = 0;
	for (unsigned i = 0; i < more->clause_count; i++) {
		const struct tclause *c = more->clauses[i];
		for (unsigned j = 0; j < c->probe_count; j++) {
			int pid = probe_mapped_by(c->probes[j]);
			if (!pid || pid == last)
				continue;
			last = pid;
			if (process_state(pid) == PROCESS_ENDED && !is_noted(t, pid))
				vector_push(&t->ended_early, pid);
		}
	}
}

void tracer_sum_ended(struct tracer *t)
{
	t->all_ended_early += (unsigned)t->ended_early.count;
	t->ended_early.count = 0;
}

void tracer_report_ended(struct tracer *t)
{
	if (t->all_ended_early)
		message_loss("%u process%s ended before the probes of files first mapped by %s "
			     "were in place: what %s fired is not traced",
			     t->all_ended_early, t->all_ended_early == 1 ? "" : "es",
			     t->all_ended_early == 1 ? "it" : "them",
			     t->all_ended_early == 1 ? "it" : "they");
}

void tracer_follow_files(struct tracer *t, bool some_lost)
{
	if (!t->wants_files)
		return;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!some_lost && now < t->next_look && t->new_files < FILES_OF_A_LOOK)
		return;
	t->next_look = now + LOOK_NS;
	t->new_files = 0;
	t->match_again |= probe_db_files_look(t->probes);
	tracer_reap(t);
}
