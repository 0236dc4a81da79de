/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that some process maps as code for the first time while we trace
 *
 * For descriptions of every process (postgresql:::).  A link without a process is in all that map
 * the file, now and later, and their semaphores; so only a file is news.  The kernel reports each
 * executable mapping of each process (kernel/code_watch.c), which wakes us; a file that was not
 * seen before is looked at, and if it has probes that are wanted, the descriptions are matched
 * again (rematch.c).  Nobody waits meanwhile, except processes of -c and -p: a program that has
 * never run while we trace fires for some 14 ms without us (8 to 27, of 8 programs on a busy
 * machine; 6.18).  A program that is executed costs us 0.2 ms.
 *
 * Mappings that the kernel could not report, as its buffer was full, and those of CPUs that came
 * online later are found by a look at all processes: at once, and each LOOK_NS.  After a look it is
 * also known which files nobody maps any more (reap.c).
 */
#include "base/clock.h"
#include "tracer/internal.h"

#define LOOK_NS 10000000000ull
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
	auto_error struct error *err = code_watch_open(&t->code_watch);
	if (err)
		message_loss("probes of files that processes map from now on are found only each "
			     "%llu seconds: %s",
			     LOOK_NS / 1000000000ull, error_text(err));
	t->next_look = clock_ns(CLOCK_MONOTONIC) + LOOK_NS;
	t->match_again |= probe_db_files_look(t->probes);
}

void tracer_unwatch_files(struct tracer *t)
{
	code_watch_close(t->code_watch);
	t->code_watch = NULL;
}

int tracer_files_poll_fd(const struct tracer *t)
{
	return t->code_watch ? code_watch_poll_fd(t->code_watch) : -1;
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
	if (!probe_db_file_mapped(t->probes, mapped->pid, &m))
		return;
	t->match_again = true;
	t->new_files++;
}

void tracer_follow_files(struct tracer *t)
{
	if (!t->wants_files)
		return;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool lost = t->code_watch && code_watch_read(t->code_watch, note_mapped, t);
	if (!lost && now < t->next_look && t->new_files < FILES_OF_A_LOOK)
		return;
	t->next_look = now + LOOK_NS;
	t->new_files = 0;
	t->match_again |= probe_db_files_look(t->probes);
	tracer_reap(t);
}
