/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The size limit of programs
 *
 * The plan splits programs of more than about PART_SIZE instructions, so that they load quickly
 * (plan/split.c).  A program that the kernel refuses all the same, because of a limit of its
 * verifier or of its compiler, is split into parts of half the size, and all programs are loaded
 * again; so they are when the kernel refuses a trampoline (trampolines.c).  A clause that is alone
 * in its program and still too large is tried without this variables in the frame
 * (plan/layout.c).
 */
#include "tracer/internal.h"

#define PART_SIZE 4000
#define PART_LEAST 100 /* a clause or two: no smaller one would help */

void tracer_split_init(struct tracer *t)
{
	for (unsigned i = 0; i < EVENT_COUNT; i++)
		t->refusals.part_size[i] = PART_SIZE;
}

/* Smaller parts of KIND's programs; false: no smaller ones would help. */
static bool halve(struct tracer *t, enum event_kind kind, uint32_t instructions)
{
	t->refusals.part_size[kind] = MIN(t->refusals.part_size[kind], instructions) / 2;
	return t->refusals.part_size[kind] >= PART_LEAST;
}

void tracer_too_large(void *arg, enum event_kind kind, uint32_t instructions)
{
	struct tracer *t = arg;
	kind = event_of_probes(kind);
	t->refusals.too_large = kind;
	t->refusals.splits = halve(t, kind, instructions);
	/* The kernel has no tail calls for programs that may sleep (6.18). */
	if (t->refusals.splits && event_is_function(kind) && !t->refusals.never_sleeps) {
		t->refusals.never_sleeps = true;
		if (!option_number(t->options, OPTION_quiet))
			message("the clauses for %s are too many for one program of the kernel: "
				"in several, copyin() and the like cannot wait for memory that is "
				"absent",
				event_name(kind));
	}
}

/* A problem takes the place of *ERR. */
static bool compile_again(struct tracer *t, tracer_step_fn *compile, void *arg, struct error **err)
{
	struct error *problem = compile(t, arg);
	if (!problem)
		return true;
	error_free(*err);
	*err = problem;
	return false;
}

static bool forget_values(struct tracer *t, tracer_step_fn *compile, void *arg, struct error **err)
{
	if (t->refusals.this_in_slot)
		return false;
	t->refusals.this_in_slot = true;
	return compile_again(t, compile, arg, err);
}

/* Compile until there are more programs; false: a clause alone is too large, and *ERR stays. */
static bool split(struct tracer *t, const struct program *p, tracer_step_fn *compile, void *arg,
		  struct error **err)
{
	uint32_t before = p->group_count;
	do {
		if (!compile_again(t, compile, arg, err))
			return false;
	} while (p->group_count <= before && halve(t, t->refusals.too_large, UINT32_MAX));
	return p->group_count > before || forget_values(t, compile, arg, err);
}

struct error *tracer_load_in_parts(struct tracer *t, const struct program *p,
				   tracer_step_fn *compile, tracer_step_fn *load, void *arg)
{
	struct error *err = load(t, arg);
	for (;;) {
		bool lost_trampoline = tracer_lost_trampoline(t);
		if (!err || (!t->refusals.splits && !lost_trampoline))
			return err;
		log_debug("%s: %s", lost_trampoline ? "trampoline" : "split", error_text(err));
		bool fine = lost_trampoline ? compile_again(t, compile, arg, &err)
					    : split(t, p, compile, arg, &err);
		t->refusals.splits = false;
		if (!fine)
			return err;
		error_free(err);
		err = load(t, arg);
	}
}
