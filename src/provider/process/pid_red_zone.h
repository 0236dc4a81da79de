/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_red_zone - may a probe overwrite what a function keeps below its stack pointer?
 *
 * On x86-64 a function that calls no other may keep variables in the 128 bytes below its stack
 * pointer, the red zone.  Linux 6.18 replaces a probed nop of 5 bytes by a call at its second
 * firing; a call writes there: of 100,000 calls of such a function 99,999 had a wrong result.
 * So a place is refused if it has such a nop, this kernel replaces it, and the function may use
 * its red zone.  A function that calls others has none.  At a function's first instruction
 * nothing is kept below the stack pointer yet.
 *
 * What this kernel does is tested on a function of our own, once, when a place with such a nop is
 * met: the probe takes 100 ms to remove.
 */
#ifndef PROVIDER_PID_RED_ZONE_H
#define PROVIDER_PID_RED_ZONE_H

#include "provider/process/pid_object.h"

/* Why a probe at ADDRESS (link-time) of O's code would do damage; NULL: it would not. */
const char *pid_red_zone_danger(struct pid_object *o, uint64_t address);

#endif
