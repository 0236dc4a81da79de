/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes whose code the clauses mean */
#include "tracer/internal.h"

bool tracer_process_of(const struct probe_desc *desc, int *pid)
{
	for (const struct provider *const *p = providers; *p; p++)
		if (provider_process_of(*p, desc->provider, pid))
			return true;
	return false;
}

bool tracer_of_every_process(const struct tracer *t, const struct tclause *c)
{
	return probe_db_of_every_process(t->probes, c->desc.provider);
}

struct watched *tracer_watched(const struct tracer *t, int pid)
{
	for (size_t i = 0; i < t->watched.list.count; i++)
		if (t->watched.list.items[i].pid == pid)
			return &t->watched.list.items[i];
	return NULL;
}

static void watched_add(struct tracer *t, int pid, bool for_symbols)
{
	if (!tracer_watched(t, pid))
		vector_push(&t->watched.list, ((struct watched) { pid, for_symbols }));
}

void tracer_choose_watched(struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	for (unsigned i = 0; i < typed->clause_count; i++) {
		int pid;
		if (tracer_process_of(&typed->clauses[i]->desc, &pid))
			watched_add(t, pid, false);
		t->watched.every |=
			!t->request.is_anonymous && tracer_of_every_process(t, typed->clauses[i]);
	}
	/* So that these wait for probes of the libraries that they load. */
	for (size_t i = 0; i < t->processes.pids.count && t->watched.every; i++)
		watched_add(t, t->processes.pids.items[i], false);
	if (typed->uses_user_symbols && t->sema_env.target)
		watched_add(t, (int)t->sema_env.target, true);
}
