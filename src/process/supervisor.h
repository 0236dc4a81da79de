/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * supervisor - a process that ends a created process when we are killed
 *
 * PR_SET_PDEATHSIG alone is not enough: the kernel clears it when the process changes its user,
 * its group or its capabilities (su, setpriv, programs with the set-user-ID bit; commit_creds()
 * and begin_new_exec() of Linux 6.18).  No thread of ours survives SIGKILL either.
 *
 * So a second child of ours waits for the end of a pipe that only we hold open, and kills the
 * process by its pidfd, which names no other process ever.  It has no other descriptor, so it
 * keeps neither BPF programs nor a terminal or pipe; it is in a separate session and blocks all
 * signals, so signals to our group do not reach it; it makes no system call while we live, so it
 * appears in no trace.
 */
#ifndef PROCESS_SUPERVISOR_H
#define PROCESS_SUPERVISOR_H

#include <sys/types.h>

struct supervisor {
	pid_t pid;    /* 0: none */
	int lifeline; /* while we hold it open, it waits */
};

/* For the process of PIDFD.  `pid` is 0 when no process can be made: PR_SET_PDEATHSIG remains. */
struct supervisor supervisor_start(int pidfd);

/* Nothing is to be killed any more; fine for one that was not started. */
void supervisor_end(struct supervisor *s);

#endif
