/* SPDX-License-Identifier: BSD-2-Clause */
/* clock - the kernel's clocks in nanoseconds */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/*
 * CLOCK as the kernel's own code reads it, where our records get their times: without what a time
 * namespace adds for us.  The first call reads a file; later ones are fit for signal handlers.
 */
uint64_t clock_ns(clockid_t clock);

/*
 * What is to be added to CLOCK_MONOTONIC, which all our times are of, for the time of day.  It is
 * taken once, so that all who show times agree; a clock that is set later is not followed.
 */
uint64_t clock_wall_offset(void);

#endif
