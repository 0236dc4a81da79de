/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keeper - a link in a separate descriptor table
 *
 * A thread inside a function with a return probe of the kernel holds a lock
 * that every detaching of uprobes waits for (uretprobes_srcu).  After 100 ms a
 * timer lifts it, but each further return probe that the thread passes restarts the timer
 * (Linux 6.13, and still 6.18).  So a link that is closed while another link's return probes still
 * fire may wait until the outer function returns: for main(), until the process ends.
 *
 * Therefore all links with return probes must be removed before one of them waits.
 * Closing them in parallel is enough as long as we live; but if we are killed,
 * the kernel closes a table of descriptors from its beginning to its end.  A
 * keeper is a thread whose table holds one link and nothing else: threads die at
 * the same time.
 */
#ifndef KERNEL_KEEPER_H
#define KERNEL_KEEPER_H

struct keeper;

/* Makes a link and returns its descriptor, or a negative number. */
typedef int keeper_make_fn(void *arg);

/*
 * Let a new thread call MAKE(ARG), sheltered.  NULL when that failed, or was not
 * called for want of a thread.
 */
struct keeper *keeper_start(keeper_make_fn *make, void *arg);

/* Let the link go; the thread waits for the kernel. */
void keeper_release(struct keeper *k);
/* After keeper_release(): returns when the link is gone. */
void keeper_join(struct keeper *k);

#endif
