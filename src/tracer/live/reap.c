/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reap - additions whose files nobody maps any more
 *
 * A trace of every process (prov*:::) that runs for days sees many files: each program that is
 * compiled, runs and is deleted is a file with probes.  Its link would hold the file on its disk,
 * and our program for it would stay in the kernel.  So an addition (rematch.c) all of whose probes
 * are gone is released: its links, its program, its memory.  What a probe has fired is in the
 * buffers, by the probe's id, and stays.
 *
 * Which probes are gone, the provider knows (mapped_files.h).  Programs of the start stay: they are
 * few.
 */
#include <string.h>

#include "tracer/live/live.h"

static const struct program nothing; /* has no groups: nobody finds an event in it */

/* --- the probes of clauses -------------------------------------------------------------------- */

void live_keep_probes(struct tracer *t, struct tclause *c, const probe_vector *list)
{
	while (t->live->kept.count <= c->index)
		vector_push(&t->live->kept, (struct kept_probes) { 0 });
	struct kept_probes *k = &t->live->kept.items[c->index];
	k->list.count = 0;
	for (size_t i = 0; i < list->count; i++)
		vector_push(&k->list, list->items[i]);
	c->probes = k->list.items;
	c->probe_count = (unsigned)k->list.count;
}

static void forget_retired(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	versions_forget(t);
	for (unsigned i = 0; i < typed->clause_count; i++) {
		struct tclause *c = typed->clauses[i];
		probe_vector left = { 0 };
		for (unsigned j = 0; j < c->probe_count; j++)
			if (!c->probes[j]->is_retired)
				vector_push(&left, c->probes[j]);
		if (left.count < c->probe_count)
			live_keep_probes(t, c, &left);
		vector_free(&left);
	}
}

/* --- additions -------------------------------------------------------------------------------- */

/* ERROR is in each addition, and has no event. */
static bool is_reapable(struct tracer *t, const struct probe *p)
{
	return p->id == PROBE_ERROR || probe_db_is_gone(t->probes, p);
}

static bool is_gone(struct tracer *t, const struct addition *a)
{
	for (unsigned i = 0; i < a->typed->clause_count; i++) {
		const struct tclause *c = a->typed->clauses[i];
		for (unsigned j = 0; j < c->probe_count; j++)
			if (!is_reapable(t, c->probes[j]))
				return false;
	}
	return true;
}

/* Several clauses may have a probe. */
static void retire_probes(struct tracer *t, const struct addition *a)
{
	for (unsigned i = 0; i < a->typed->clause_count; i++) {
		const struct tclause *c = a->typed->clauses[i];
		for (unsigned j = 0; j < c->probe_count; j++)
			if (c->probes[j]->id != PROBE_ERROR && !c->probes[j]->is_retired)
				probe_db_retire(t->probes, c->probes[j]);
	}
}

static void release(struct tracer *t, unsigned n)
{
	struct addition *a = &t->live->additions.items[n - 1];
	t->executor->follow->release(t->executing, n);
	t->running.items[n] = &nothing;
	retire_probes(t, a);
	log_debug("the probes of program %u are gone", n);
}

void additions_reap(struct tracer *t)
{
	bool any = false;
	for (unsigned n = 1; n < t->running.count && t->executor->follow; n++) {
		struct addition *a = &t->live->additions.items[n - 1];
		if (!a->program || !is_gone(t, a))
			continue;
		release(t, n);
		arena_free(a->arena);
		*a = (struct addition) { 0 };
		any = true;
	}
	if (!any)
		return;
	forget_retired(t);
	probe_db_files_forget(t->probes);
}

void additions_free(struct live *l)
{
	for (size_t i = 0; i < l->additions.count; i++)
		arena_free(l->additions.items[i].arena);
	for (size_t i = 0; i < l->kept.count; i++)
		vector_free(&l->kept.items[i].list);
	vector_free(&l->additions);
	vector_free(&l->kept);
	vector_free(&l->versions);
}
