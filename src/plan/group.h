/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * group - which events share a program
 *
 * In:   the typed program: clauses, the probes that they matched, their events.
 * Out:  groups of events of one kind.  The arguments that clauses read are at the same places
 *       in all events of a group, so the same code can be used for all of them.
 *
 * Events of tracepoints differ in their arguments.  A program that reads the sixth argument cannot
 * be attached to a tracepoint with three, so events are compared by the arguments read at each.
 * Where a kernel has no cookies, so that a program does not know its event, each event is a group.
 *
 * Up to 16 tracepoints are also a group each, on every kernel.  The kernel keeps a program out of
 * itself on a CPU: if two tracepoints share one, a firing of the one in an interrupt of the other
 * is missed (io:::start of a thread, io:::done in the disk's interrupt).  Each further program
 * takes 0.2 ms to load.
 *
 * Of an event that is a tracepoint's formatted record, the record is made only if a clause reads
 * one of its fields; otherwise the tracepoint itself is the event.
 *
 * If a clause reads arg0 (the offset) at a kernel function's return, the events are its return
 * instructions: a return probe does not know which one ran.
 *
 * Up to 20 entries and returns of the kernel's functions are of the kinds fentry and fexit, each
 * with a program of its own, where the kernel takes them: a trampoline calls it directly, with the
 * arguments.  Each takes 0.1 s to detach.  If they are more than 20 together but the returns alone
 * are not, only the returns are fexit: for a return probe the kernel follows only some calls of a
 * function at once (2 for each CPU on 6.12, 10 at least on 6.1; of 40 threads that slept 38 and 31
 * were missed), for fexit all.  Many entries are those of one kprobe.multi link, which detaches in
 * 0.1 s.
 *
 * Sites of static probes differ in their arguments, too, depending on the compiler's registers at
 * the site: a program that was built with 70 probes has some 60 operand strings.  They are one
 * group all the same, never a program for each.  The group has a *layout* for each distinct set
 * of places; an entry of the probe table says which one is its event's.  Code that reads an
 * argument selects the place by this number, in a tree of jumps: no jump if the places are all
 * the same, as with one site; six for 60.
 *
 * Events of trees of processes (-x follow) are a group of their own: their program first tests
 * whether the process belongs to a tree.
 *
 * A function of the kernel that programs call may be probed if it is named in full.  A program of
 * ours that has called it may hold a lock, of its buffer or of a map: a program at the function
 * that waits for it would wait for ever, and the machine with it (seen on 6.12: a record at
 * _raw_spin_unlock_irqrestore() while another one is written).  So such functions are groups of
 * their own (in_programs), whose programs do nothing while another one is under way on the CPU;
 * the programs of all other groups count themselves in and out then, where the kernel itself does
 * not keep them apart.
 *
 * With -x target programs test their task first.  The timers of tick, which are not tested, are a
 * group of their own then.
 *
 * A group that is too large for one program is split into several, its parts (split.c).
 *
 * An event may serve several probes: they fire in the order of their ids, each with all its clauses
 * in the order of the text.  The group's code runs over its clauses once for each probe (a *pass*);
 * a clause is in the passes in which it is enabled.
 */
#ifndef PLAN_GROUP_H
#define PLAN_GROUP_H

#include "base/base.h"
#include "sema/typed.h"

#define TRACEPOINTS_ALONE 16

struct group_facts {
	/* Can programs at raw tracepoints read their cookies?  Asked if it matters: the answer
	 * takes 0.1 ms.  NULL: no. */
	bool (*tracepoint_cookies)(void);
	unsigned tracepoints_alone; /* up to so many have a program each: TRACEPOINTS_ALONE */
	bool tests_tasks;	    /* programs test their task, but not those of tick */
	/* Of a function's return: the instructions that return, as EVENT_KERNEL_INSIDE; the result
	 * is NULL if they are unknown.  The function may be NULL. */
	const struct event *(*exits)(void *arg, const struct event *e);
	unsigned exits_most; /* with more than this in all, none is probed */
	/* Is called with the number of such returns, 0: none; required with `exits`. */
	void (*exits_dropped)(void *arg, unsigned returns);
	/* Of a function's entry or return: the same as EVENT_KERNEL_FENTRY or _FEXIT; the result is
	 * NULL if the kernel does not take it.  The function may be NULL. */
	const struct event *(*trampoline)(void *arg, const struct event *e);
	void *arg;
};

/* One event, and the probes that it fires, in the order of their ids. */
struct group_event {
	const struct event *event;
	const struct probe **probes;
	unsigned probe_count;
	uint32_t layout; /* of the group's */
};

/* A clause, and the entries of the group's probe table where it is enabled; the table has
 * `passes` entries for each event. */
struct group_clause {
	const struct tclause *clause;
	const uint32_t *entries;
	uint32_t entry_count;
};

/*
 * Steps of a group: step n is its clause n % clause_count in pass n / clause_count.  A part is the
 * steps that one program runs (split.c).
 */
struct group_part {
	uint32_t begin, end;
};

struct event_group {
	enum event_kind kind;
	/* The places of arguments in its events, except those that no clause reads. */
	const struct event_args *layouts;
	uint32_t layout_count; /* 1, except for static probes */
	const struct group_event *events;
	uint32_t event_count;
	const struct group_clause *clauses; /* in the order of the text */
	uint32_t clause_count;
	uint32_t passes;		/* the most probes that one event fires */
	const struct group_part *parts; /* one, nearly always */
	uint32_t part_count;
};

/* Are its events those of trees of processes (event_code.target)? All are, or none. */
static inline bool group_is_of_trees(const struct event_group *g)
{
	return g->event_count && event_of_tree(g->events[0].event);
}

/* Are its clauses about other tasks than the one that runs, which they test themselves?  All are,
 * or none, if tasks are tested. */
static inline bool group_is_of_tasks(const struct event_group *g)
{
	return g->clause_count && g->clauses[0].clause->is_of_task;
}

/* Are its events at functions that programs call? All are, or none. */
static inline bool group_is_in_programs(const struct event_group *g)
{
	return g->event_count && event_in_programs(g->events[0].event);
}

/* The sites of its events that are jumps out of functions. */
uint32_t group_jump_count(const struct event_group *g);

/* The number of the group's events at which clause number I runs in this pass. */
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
