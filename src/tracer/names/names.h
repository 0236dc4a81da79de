/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names - the wing that has names for addresses when their processes have ended
 *
 * Stacks are printed later than they are taken, maybe when the process is gone and its mappings
 * with it.  So while a script records user addresses, the mappings of all processes are kept
 * (mapped.c), and those of -c and -p processes are read at the start and in every round.  Other
 * wings use the reports of mappings: struct wing, `mapped`.
 */
#ifndef TRACER_NAMES_NAMES_H
#define TRACER_NAMES_NAMES_H

#include "tracer/internal.h"

struct names {
	struct code_watch *watch; /* NULL: not open */
	const char *problem;	  /* why it could not be opened, or NULL */
	struct mapping_log *log;  /* NULL: no names are wanted */
	VECTOR(int) present;	  /* processes still to be looked at */
	bool is_requested;	  /* by other wings */
	bool has_lost;		  /* reports, since names_have_lost() */
	bool lost_reported;
};

/* --- the door --------------------------------------------------------------------------------- */

/* Before `enable`: mappings are to be reported at once. */
void names_request_mappings(struct tracer *t);
/* Why they are not reported, or NULL. */
const char *names_problem(const struct tracer *t);
/* What has been reported is passed to the wings. */
void names_read(struct tracer *t);
/* PID has mapped code, says the executor: it is read now, if the kernel does not report it. */
void names_arrived(struct tracer *t, int pid);
/* Have reports been lost since the last call? */
bool names_have_lost(struct tracer *t);
/* What PID maps, or has mapped as code if it has ended; the caller frees it. */
void names_mappings(struct tracer *t, int pid, struct mapping **ret, size_t *count);

/* --- for the files of this folder: mapped.c --------------------------------------------------- */

void mapped_watch(struct tracer *t, bool has_log); /* from now on, if they are wanted */
int mapped_poll_fd(const struct tracer *t);	   /* readable when there may be something; or -1 */
void mapped_read(struct tracer *t);
void mapped_watch_new_cpus(struct tracer *t);
void mapped_close(struct tracer *t);

#endif
