/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The size limit of programs
 *
 * The plan splits programs of more than about PART_SIZE instructions, so that they load quickly
 * (plan/split.c).  A program that the kernel refuses all the same, because of a limit of its
 * verifier or of its compiler, is split into parts of half the size, and all programs are loaded
 * again.
 */
#include "tracer/internal.h"

#define PART_SIZE 4000
#define PART_LEAST 100 /* a clause or two: no smaller one would help */

void tracer_split_init(struct tracer *t)
{
	for (unsigned i = 0; i < EVENT_COUNT; i++)
		t->part_size[i] = PART_SIZE;
}

void tracer_too_large(void *arg, enum event_kind kind, uint32_t instructions)
{
	struct tracer *t = arg;
	kind = kind == EVENT_SYSCALL_RESUME ? EVENT_SYSCALL_ENTRY : kind;
	t->part_size[kind] = MIN(t->part_size[kind], instructions) / 2;
	t->splits = t->part_size[kind] >= PART_LEAST;
	/* The kernel has no tail calls for programs that may sleep (6.18). */
	if (t->splits && event_is_function(kind) && !t->never_sleeps) {
		t->never_sleeps = true;
		if (!option_number(t->options, OPTION_quiet))
			message("the clauses for %s are too many for one program of the kernel: "
				"in several, copyin() and the like cannot wait for memory that is "
				"absent",
				event_name(kind));
	}
}

bool tracer_splits(struct tracer *t, struct error **err)
{
	bool splits = *err && t->splits;
	t->splits = false;
	if (!splits)
		return false;
	log_debug("split: %s", error_text(*err));
	error_free(*err);
	*err = NULL;
	return true;
}
