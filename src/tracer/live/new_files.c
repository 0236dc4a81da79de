/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that some process maps as code for the first time while we trace
 *
 * For descriptions of every process (postgresql:::).  A link without a process is in all that map
 * the file, now and later, and their semaphores; so only a file is news.  Each executable mapping
 * of each process is reported (names/mapped.c), which wakes us; a file that was not seen before is
 * looked at, and if it has probes that are wanted, the descriptions are matched again (rematch.c).
 * Nobody waits meanwhile, except processes of -c and -p: a program that has never run while we
 * trace fires for some 14 ms without us (8 to 27, of 8 programs on a busy machine; 6.18).  A
 * program that is executed costs us 0.2 ms.  Programs built with our headers wait for us if one of
 * our commands runs them (announce.c).  Nobody knows what others have fired by then: they are
 * counted (early.c).
 *
 * Mappings that the kernel could not report, as its buffer was full, or a CPU was not yet known to
 * be online, are found by a look at all processes: at once, and each LOOK_NS.  After a look it is
 * also known which files nobody maps any more (reap.c).
 */
#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/live/live.h"
#include "tracer/names/names.h"

#define FILES_LOOK_SECONDS 10u /* between looks at all processes */
#define LOOK_NS (FILES_LOOK_SECONDS * NS_PER_SECOND)
#define FILES_OF_A_LOOK 32 /* so many new ones, and the next look is now: old ones may be gone */

static void look_at_files(struct tracer *t)
{
	if (!probe_db_files_look(t->probes))
		return;
	t->live->match_again = true;
	early_note_look(t);
}

/* The files that were mapped before are looked at again: they may have been while we compiled. */
void files_watch(struct tracer *t)
{
	if (!t->watched.every)
		return;
	if (names_problem(t))
		message_loss("probes of files that processes map from now on are found only each "
			     "%u seconds: %s",
			     FILES_LOOK_SECONDS, names_problem(t));
	t->live->next_look = clock_ns(CLOCK_MONOTONIC) + LOOK_NS;
	look_at_files(t);
}

void files_note(struct tracer *t, int pid, const struct mapping *m, uint64_t when)
{
	if (!when || !t->watched.every)
		return;
	early_note_mapped(t, pid, m, when);
	if (!probe_db_file_mapped(t->probes, pid, m))
		return;
	t->live->match_again = true;
	t->live->new_files++;
}

void files_follow(struct tracer *t, bool some_lost)
{
	if (!t->watched.every)
		return;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	t->live->early.has_lost |= some_lost;
	if (!some_lost && now < t->live->next_look && t->live->new_files < FILES_OF_A_LOOK)
		return;
	t->live->next_look = now + LOOK_NS;
	t->live->new_files = 0;
	look_at_files(t);
	additions_reap(t);
}
