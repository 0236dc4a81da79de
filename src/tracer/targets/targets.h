/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * targets - the wing of whose events are traced: trees of -c and -p processes (targets.c), and what
 * -x target names (task_tests.c)
 *
 * A tree is the process of -c or -p, its root, and all that descend from it.  BPF keeps the set of
 * members: children join before they run (runtime/process/member.c).  The variable target reads it,
 * and -x follow says in which members the probes of pid$target fire:
 *
 *   fork     children, until they execute a program
 *   exec     children, from the program on that they execute
 *   all      both
 *   tree     both, and those that are there when tracing begins
 *   private  both, each member by its own links
 *
 * A child inherits its parent's breakpoints, but a link with a process number refuses to fire in
 * it.  So links of followed processes have no number (event_code.target), nothing is attached in a
 * child, and the program tests the set.  The price: other processes that run the file stop there,
 * too; how many there are is reported beforehand.  Under private each member has links with its
 * number instead, and a child waits for them before its first instruction
 * (loader/attach/members.c).
 *
 * An executor in the process follows by itself: children have its jumps (inject/children.c), and
 * events are the process's.  It follows children until they execute a program.
 *
 * The tracer itself knows of members only what it needs: those that were there, and those that have
 * reported new code.
 */
#ifndef TRACER_TARGETS_TARGETS_H
#define TRACER_TARGETS_TARGETS_H

#include "tracer/internal.h"
#include "tracer/targets/cgroups.h"
#include "tracer/targets/named_target.h"

/* Processes that may be members of trees at once. */
#define MEMBERS_MOST 65536

/* A process in the tree of a -c or -p process. */
struct descendant {
	int pid, root;
};
typedef VECTOR(struct descendant) descendant_vector;

struct targets {
	descendant_vector descendants; /* that were there when tracing began */
	uint32_t missed_reported;      /* of control->members_missed */

	/* task_tests.c */
	struct hierarchy hierarchy;	/* of control groups; mount NULL: not looked for */
	cgroup_rules rules;		/* of all targets in their order */
	VECTOR(struct task_test) tests; /* one for all control groups */
};

/* --- the door --------------------------------------------------------------------------------- */

bool targets_have_private_members(const struct tracer *t); /* each has its own links */
const descendant_vector *targets_descendants(const struct tracer *t);

/* --- for the files of this folder ------------------------------------------------------------- */

bool targets_has_member(const struct tracer *t, int pid); /* as far as we know */

/* task_tests.c: -x target */
MUST_CHECK struct error *task_tests_make(struct tracer *t);	   /* before compiling */
MUST_CHECK struct error *task_tests_add_targets(struct tracer *t); /* before probes are attached */
void task_tests_report(struct tracer *t);			   /* losses, at the end */
void task_tests_plan(struct tracer *t, struct plan_options *o);

/* tree_files.c: the files of P's events in trees of processes */
/* Warn of other processes that run them. */
void tree_files_report_others(const struct tracer *t, const struct program *p);
/* Our own process does not run them any more, but copies: before P is attached. */
void tree_files_leave(const struct tracer *t, const struct program *p);
/* What programs that start with them pay: once all is attached. */
void tree_files_report_starts(struct tracer *t);

#endif
