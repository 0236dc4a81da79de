/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wing - a feature of tracing, as the session sees it
 *
 * The session (the files of tracer/ itself) compiles, loads, attaches, runs and ends, and names no
 * feature.  A wing is a folder in tracer/ that owns the state of a feature, and its table says what
 * is to be done for the feature at each step of the session.  The session takes a step of all wings
 * in the order of wing.def.
 *
 * Always true:
 *   1. The session calls a wing by its table alone.
 *   2. The state of a wing is read and written in its folder alone.  Other wings call the functions
 *      of its front header, NAME/NAME.h.
 *
 * To add a wing: a row of wing.def, the row of its folder in ARCHITECTURE.md, and there a struct
 * NAME and the table NAME_wing.
 */
#ifndef TRACER_WING_H
#define TRACER_WING_H

#include <stddef.h>

#include "base/base.h"

struct executor_options;
struct tracer;

/* The steps are in the order of a session.  A wing has NULL where nothing is to be done. */
struct wing {
	size_t size; /* of the state, which is zero at first: t->NAME */

	/* --- the start --- */
	/* What the executor is given to load the programs, which are compiled. */
	struct error *(*load)(struct tracer *t, struct executor_options *o);
	/* BEGIN has run, and other probes may fire after that; or they do already (-a). */
	void (*begin)(struct tracer *t);

	/* --- the end --- */
	/* No rounds follow: threads end, and who waits for us goes on.  It may be called twice. */
	void (*end)(struct tracer *t);
	/* The tracer is freed: programs are detached, and the session's objects still there. */
	void (*free)(struct tracer *t);
};

/* NULL after the last. */
extern const struct wing *const wings[];

void wings_new(struct tracer *t);
void wings_free(struct tracer *t);

/* Take STEP of each wing that has it. */
#define wings_do(step, ...)                                                                        \
	({                                                                                         \
		for (const struct wing *const *wing_ = wings; *wing_; wing_++)                     \
			if ((*wing_)->step)                                                        \
				(*wing_)->step(__VA_ARGS__);                                       \
	})

/* The same until one returns an error, which is the value. */
#define wings_try(step, ...)                                                                       \
	({                                                                                         \
		struct error *error_ = NULL;                                                       \
		for (const struct wing *const *wing_ = wings; *wing_ && !error_; wing_++)          \
			if ((*wing_)->step)                                                        \
				error_ = (*wing_)->step(__VA_ARGS__);                              \
		error_;                                                                            \
	})

#endif
