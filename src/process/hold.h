/* SPDX-License-Identifier: BSD-2-Clause */
/* hold - stops of a created process, and how it comes to the one where it is held */
#ifndef PROCESS_HOLD_H
#define PROCESS_HOLD_H

#include "process/process.h"
#include "process/supervisor.h"

struct process {
	int pid;
	int pidfd; /* -1: kernel older than 5.3 */
	bool created, held, exited;
	int status;
	struct supervisor supervisor; /* of one that was created, until it is freed */
};

/* Wait for the next stop of a held process; false: it has ended. */
bool hold_wait(struct process *p, int *status);

/* Let it run to its next stop.  SIGNAL is delivered to it; 0: none. */
bool hold_resume(struct process *p, int signal, int *status);

/* The signal that a stop is about; 0 for ptrace's own events, where nothing is to be passed on. */
int hold_signal_of(int status);

/* From its exec stop to WHERE.  A 32-bit program stays there; that is an error if it MUST not. */
MUST_CHECK struct error *hold_run_to(struct process *p, enum process_hold where, bool must);

#endif
