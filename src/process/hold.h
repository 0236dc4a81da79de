/* SPDX-License-Identifier: BSD-2-Clause */
/* hold - stops of a created process, and its run to the stop where it is held */
#ifndef PROCESS_HOLD_H
#define PROCESS_HOLD_H

#include "process/process.h"
#include "process/supervisor.h"

struct process {
	int pid;
	int pidfd; /* -1: kernel older than 5.3 */
	bool created, held, exited;
	int status;
	struct error *late; /* why it is held at its entry, not at preinit; NULL: it is not */
	struct supervisor supervisor; /* of one that was created, until it is freed */
};

/* Wait for the next stop of a held process; false: it has ended. */
bool hold_wait(struct process *p, int *status);

/* Let the process run to its next stop.  SIGNAL is delivered to it; 0: none. */
bool hold_resume(struct process *p, int signal, int *status);

/* The signal of a stop; 0 for ptrace's own events, where no signal is to be delivered. */
int hold_signal_of(int status);

/*
 * Run P from its exec stop to WHERE.  If it cannot be held there it is held elsewhere, an error if
 * MUST: instead of preinit at its entry (P->late says why), a 32-bit program of a machine whose
 * registers we do not know at exec.
 */
MUST_CHECK struct error *hold_run_to(struct process *p, enum process_hold where, bool must);

#endif
