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

struct consumer_setup;
struct executor_options;
struct mapping;
struct output_setup;
struct process_start;
struct plan_options;
struct program;
struct program_node;
struct tracer;
struct tracer_program;

/*
 * The steps are in the order of a session.  A wing has NULL where nothing is to be done.  An error
 * ends the session.
 */
struct wing {
	size_t size; /* of the state, which is zero at first: t->NAME */
	/* The tracer is new; what sema may call is set in t->sema_env. */
	void (*new)(struct tracer *t);

	/* --- compiling --- */
	/* The standard streams of a command that is about to be started. */
	struct error *(*command)(struct tracer *t, struct process_start *start);
	/* PROGRAM is about to be read; NULL: probes are about to be listed. */
	void (*open)(struct tracer *t, const struct tracer_program *program);
	/* What options mean for sema and providers: t->sema_env, probe_db_settings(). */
	void (*settings)(struct tracer *t);
	/* The program was parsed, and its pragmas were carried out; sema is next. */
	void (*parsed)(struct tracer *t, const struct program_node *program);
	void (*checked)(struct tracer *t, const struct program_node *program, bool is_right);
	/* May the programs be enabled? */
	struct error *(*permit)(struct tracer *t);
	/* All programs are known, and code is about to be made of them. */
	struct error *(*prepare)(struct tracer *t);
	/* What the plan is made by; also for probes that are added while tracing. */
	void (*plan)(struct tracer *t, struct plan_options *o);

	/* --- the start --- */
	/* What the executor is given to load the programs, which are compiled. */
	struct error *(*load)(struct tracer *t, struct executor_options *o);
	/* The programs are loaded; consumer and output are about to be made. */
	struct error *(*connect)(struct tracer *t, struct consumer_setup *consumer,
				 struct output_setup *output);
	/* Nothing is attached yet. */
	struct error *(*enable)(struct tracer *t);
	/* P is about to be attached; also a program that is added while tracing. */
	struct error *(*attach)(struct tracer *t, const struct program *p);
	/* BEGIN has run, and other probes may fire after that; or they do already (-a). */
	void (*begin)(struct tracer *t);

	/* --- while tracing --- */
	/* Readable when a round is due; or -1. */
	int (*poll_fd)(const struct tracer *t);
	/* Urgent work: called between two records and at the start of each round. */
	struct error *(*serve)(struct tracer *t);
	/* A round; STATUS: statusrate has passed. */
	struct error *(*step)(struct tracer *t, bool status);
	/* Process PID has mapped M as code.  WHEN: CLOCK_MONOTONIC; 0: it was there before. */
	void (*mapped)(struct tracer *t, int pid, const struct mapping *m, uint64_t when);
	void (*forked)(struct tracer *t, int parent, int pid, uint64_t when);
	/* A thread of PID has ended; BY_EXEC: PID has executed a program. */
	void (*left)(struct tracer *t, int pid, bool by_exec, uint64_t when);
	/* Must the next round follow at once? */
	bool (*hurries)(const struct tracer *t);
	/* Does tracing go on although all -c and -p processes have ended? */
	bool (*goes_on)(const struct tracer *t);

	/* --- the end --- */
	/* No rounds follow: threads end, and who waits for us goes on.  It may be called twice. */
	void (*end)(struct tracer *t);
	/* Losses and advice: all records but those of END have been read. */
	void (*report)(struct tracer *t);
	/* The output has its last line, or ERR has ended it: take ERR, and return it or another. */
	struct error *(*written)(struct tracer *t, struct error *err);
	/* Programs are detached and freed, as are consumer, output and symbols. */
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

/* Does STEP of some wing say so? */
#define wings_any(step, ...)                                                                       \
	({                                                                                         \
		bool any_ = false;                                                                 \
		for (const struct wing *const *wing_ = wings; *wing_ && !any_; wing_++)            \
			any_ = (*wing_)->step && (*wing_)->step(__VA_ARGS__);                      \
		any_;                                                                              \
	})

#endif
