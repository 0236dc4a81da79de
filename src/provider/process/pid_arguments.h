/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_arguments - args[] of entry and return probes, by the object's debug information
 *
 * Types and names come from the function's DWARF entry (types/), found only when a program uses
 * args[] or -lv lists the probe.  An argument's place is what DWARF says for the function's first
 * instruction, else what the calling convention says (arch/call.h).  All that is read is a register
 * or the process's memory: floating-point registers cannot be read.
 *
 * Rust and Go have conventions of their own.  Go passes each scalar in a register; Rust passes
 * numbers and pointers as C does, larger objects by their address, and what is between as it likes:
 * from such a parameter on, places are known by DWARF only.
 */
#ifndef PROVIDER_PID_ARGUMENTS_H
#define PROVIDER_PID_ARGUMENTS_H

#include "probe/probe.h"

struct pid_arguments;

const struct probe_args *pid_arguments(struct probe_db *db, const struct probe *probe);
void pid_arguments_free(struct pid_arguments *a); /* NULL is fine */

#endif
