/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * anonymous - dtrace -A and -x anon: programs that an early service runs
 *
 * -A replaces the programs in a file by those just compiled, and writes a unit by which systemd
 * runs them.  With -o FILE the file is for another boot (an initial RAM disk's, say), and no unit
 * is written.
 */
#ifndef CMD_ANONYMOUS_H
#define CMD_ANONYMOUS_H

#include "cmd/arguments.h"
#include "tracer/tracer.h"

/* What makes no sense with -A is refused before anything is done. */
int anonymous_check(const struct arguments *a);

/* The work of -A, after all programs were compiled. */
int anonymous_save(struct tracer *t, const struct arguments *a);

/* Does -x anon ask for something? */
bool anonymous_is_asked(const struct tracer *t);
/*
 * T is replaced by another tracer: the one that runs the saved programs, until anon=run has left
 * it.
 */
int anonymous_control(struct tracer **t, const struct arguments *a);

/* What -a has claimed is *T from then on: another tracer, with the options that were saved. */
void anonymous_renew(struct tracer **t, char **pins);

#endif
