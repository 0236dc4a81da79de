/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of modules of the kernel that are loaded while we trace
 *
 * The list of modules is read LOOKS times a second (some 100 us with 100 modules), if a description
 * may mean their functions.  Nothing waits for us meanwhile: what a module does first, its first
 * function among it, is not traced, which is reported.  A module with probes cannot be unloaded
 * where many are one link (kprobe_multi); elsewhere its probes go with it.
 *
 * See also provider/kernel/fbt_modules.c, which finds their functions; rematch.c, which makes and
 * attaches the probes.
 */
#include "base/clock.h"
#include "base/time_unit.h"
#include "tracer/live/live.h"

#define LOOKS 20

void modules_watch(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++)
		t->live->wants_modules |=
			probe_db_is_in_modules(t->probes, &typed->clauses[i]->desc);
}

void modules_follow(struct tracer *t)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (!t->live->wants_modules || now < t->live->next_modules)
		return;
	t->live->next_modules = now + NS_PER_SECOND / LOOKS;
	t->live->has_modules = probe_db_modules_look(t->probes);
	t->live->match_again |= t->live->has_modules;
}

void modules_report(struct tracer *t, bool has_new)
{
	if (t->live->has_modules && has_new)
		message_loss("modules of the kernel were loaded: what they called before their "
			     "probes were in place is not traced");
	t->live->has_modules = false;
}
