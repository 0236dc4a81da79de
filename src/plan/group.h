/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * group - which events share a program
 *
 * In:   the typed program: clauses, the probes that they matched, their events.
 * Out:  groups of events of one kind.  The arguments that clauses ask for are at the same places
 *       in all events of a group, so one piece of code serves them.
 *
 * Events of tracepoints differ in their arguments.  A program that reads the sixth argument cannot
 * be attached where there are three, so these events are compared by what is asked for at each.
 * Where the kernel cannot tell a program which event it runs at, each event is a group.
 *
 * What is too much for one program is several, the parts of the group (split.c).
 *
 * An event may serve several probes: they fire in the order of their ids, each with all its clauses
 * in the order of the text.  The group's code goes over its clauses once for each of them (a
 * *pass*); a clause is in the passes that it is enabled in.
 */
#ifndef PLAN_GROUP_H
#define PLAN_GROUP_H

#include "base/base.h"
#include "sema/typed.h"

struct group_facts {
	bool tracepoint_cookies; /* programs at raw tracepoints know their cookies */
};

/* One event, and the probes that it fires, in the order of their ids. */
struct group_event {
	const struct event *event;
	const struct probe **probes;
	unsigned probe_count;
};

/* A clause, and where it is enabled: entries of the group's probe table, which has `passes` for
 * each event. */
struct group_clause {
	const struct tclause *clause;
	const uint32_t *entries;
	uint32_t entry_count;
};

/*
 * Steps of a group: step n is its clause n % clause_count in pass n / clause_count.  A part is what
 * one program runs of them (split.c).
 */
struct group_part {
	uint32_t begin, end;
};

struct event_group {
	enum event_kind kind;
	struct event_args args; /* where they are in each event; those not asked for may differ */
	const struct group_event *events;
	uint32_t event_count;
	const struct group_clause *clauses; /* in the order of the text */
	uint32_t clause_count;
	uint32_t passes;		/* the most probes that one event fires */
	const struct group_part *parts; /* one, nearly always */
	uint32_t part_count;
};

/* In how many of the group's events does clause number I run in this pass? */
static inline uint32_t group_events_in_pass(const struct event_group *g, uint32_t i, uint32_t pass)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k < g->clauses[i].entry_count; k++)
		count += g->clauses[i].entries[k] % g->passes == pass;
	return count;
}

struct event_groups {
	struct event_group *items; /* in the order of event.def */
	unsigned count;
};

struct event_groups plan_groups(struct arena *a, const struct typed_program *t,
				struct group_facts facts);

#endif
