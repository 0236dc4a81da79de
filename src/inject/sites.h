/* SPDX-License-Identifier: BSD-2-Clause */
/* sites - the sites of a program's events to jumps in the process */
#ifndef INJECT_SITES_H
#define INJECT_SITES_H

#include "executor/executor.h"

struct injector;

/*
 * All events of a program that are in processes fire from now on.  Code is written first, then
 * the jumps.  Refused sites: request->refused().
 */
MUST_CHECK struct error *jumps_attach(struct injector *i, const struct executor_request *request);

/* What the process has mapped again, or once more, fires there, too. */
MUST_CHECK struct error *jumps_renew(struct injector *i);
/* In another program of the process, which is held: the jumps of all files that had some. */
MUST_CHECK struct error *jumps_again(struct injector *i);
/* Those of the agent, at the linker's reports and at execve(), where the program has none yet. */
MUST_CHECK struct error *jumps_of_agent(struct injector *i);
void jumps_free(struct injector *i);

#endif
