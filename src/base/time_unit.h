/* SPDX-License-Identifier: BSD-2-Clause */
/* time_unit - "5 ms", "100 hz": how D writes periods */
#ifndef BASE_TIME_UNIT_H
#define BASE_TIME_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_SECOND 1000000000ull
#define NS_PER_MS 1000000ull

/*
 * The ns of NUMBER UNITs: ns us ms s m h d and their long forms, in either case; hz gives the
 * period (0 of 0 hz).  False: there is no such unit, or the time is too long for 64 bits.
 */
bool time_unit_ns(uint64_t number, const char *unit, uint64_t *ret);

struct strbuf;

/* All units, for messages. */
void time_unit_list(struct strbuf *ret);

#endif
