/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * signals - effects of ^C, SIGTERM and a closed pipe during tracing
 *
 * SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR2 and the like
 *                   once: END runs, the rest is printed; again, half a second or more
 *                   after the first: leave at once, and report what was lost
 * SIGQUIT           leave at once, likewise
 * SIGUSR1           print the aggregations, and continue
 * SIGPIPE, SIGXFSZ  no death at once: the write fails, all is released; after SIGXFSZ the
 *                   failure is reported, after SIGPIPE we end by it
 *
 * Until the programs are loaded, nothing is traced, and those that end tracing end us at once.
 * A signal that was ignored when we started (nohup, a background job) stays ignored.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

#include "base/base.h"

struct tracer;

/* From here on SIGUSR1 goes to T, and then the others, too; T must outlive the process. */
void signals_catch_show(struct tracer *t);
void signals_catch(struct tracer *t);

/* A closed pipe, or a file that may not grow, makes write() fail instead of killing us. */
void signals_survive_failed_writes(void);

/* Was SIGPIPE not ignored when we started? */
bool signals_pipes_end_us(void);
/* The last call of the process. */
void signals_end_by_pipe(void);

#endif
