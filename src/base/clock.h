/* SPDX-License-Identifier: BSD-2-Clause */
/* clock - the kernel's clocks in nanoseconds */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/*
 * CLOCK as in the kernel's code, which sets the times of our records: without the offset of a time
 * namespace.  The first call reads a file; later ones may be in signal handlers.
 */
uint64_t clock_ns(clockid_t clock);

/*
 * To be added to CLOCK_MONOTONIC, the clock of all our times, for the time of day.  Determined
 * once, so that all uses agree; a clock that is set later is not followed.
 */
uint64_t clock_wall_offset(void);

#endif
