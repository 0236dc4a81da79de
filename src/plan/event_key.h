/* SPDX-License-Identifier: BSD-2-Clause */
/* event_key - which events of a program are the same */
#ifndef PLAN_EVENT_KEY_H
#define PLAN_EVENT_KEY_H

#include "probe/probe.h"

/* What two events have in common exactly if they are the same: bytes to compare.  Two notes may say
 * of one place that it is a site of different probes, with different arguments. */
struct event_key {
	uint64_t kind, a, b, c, is_of_task;
	const void *place; /* of an event with several sites, which is like no other */
	const void *args;  /* of an instruction inside of a function */
};

/* IS_OF_TASK: of clauses about another task. */
struct event_key event_key(const struct event *e, bool is_of_task);

#endif
