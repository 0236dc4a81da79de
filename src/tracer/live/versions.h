/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * versions - clauses compiled again, for probes whose args[] or file have other types
 *
 * A program or library that is first mapped while we trace may give args[] other types than the
 * files of the start: another build of a server, with its own structs and its own translators in
 * its notes.  The clause is then checked again for these probes alone (sema_version()): its
 * version. A version has the clause's number, so its records, drops and faults are those of the
 * clause, and the consumer needs to know nothing; so its records must have the same layout, which
 * is compared before it is used.  A version that has mistakes, or another layout, is kept as
 * refused: each of its probes is left out, and a message names its file and the reason.
 *
 * Functions of every process (pid*) have such files from the start: sema compiles the clause for
 * one of them (check_for_files()), and the others get versions before anything fires (live.c).
 *
 * New probes are loaded in programs, each with one version of each clause at most, and all clauses
 * of a probe are in the same program, in their order: layers.  Mostly one layer is enough.
 *
 * Always true:
 *   1. Programs that run are never touched: versions are in programs of their own (rematch.c).
 *   2. A probe is read by one version of a clause, or by none, and that is reported.
 */
#ifndef TRACER_LIVE_VERSIONS_H
#define TRACER_LIVE_VERSIONS_H

#include "sema/sema.h"

struct tracer;

struct clause_version {
	struct tclause *clause;
	const char *refused; /* why it must not run; NULL: it may */
};

/*
 * C, or the version of C that reads P, which matches C; made if there is none.  NULL: P is of
 * another clause of the same text, or is left out.
 */
const struct tclause *version_for(struct tracer *t, const struct tclause *c, const struct probe *p);
/* Forget those that are known by a probe which is retired. */
void versions_forget(struct tracer *t);

/* A new probe, and a clause that it gets. */
struct found {
	const struct probe *probe;
	const struct tclause *clause; /* or a version of it */
};

struct layers {
	VECTOR(struct found) found;
};

void layers_add(struct layers *l, const struct probe *p, const struct tclause *clause);
/* The next layer as a program, in the arena A; what it has is removed from L, which is not empty.
 */
const struct typed_program *layers_take(struct layers *l, struct arena *a, struct tracer *t);
void layers_deinit(struct layers *l);

#endif
