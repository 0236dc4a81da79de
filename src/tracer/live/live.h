/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live - the wing of code that arrives while tracing: its probes, versions of clauses for it, and
 * what leaves
 *
 * In:   requests of the executor (arrivals.c), files that some process maps for the first time
 * (new_files.c), modules of the kernel (modules.c).
 * Out:  programs for the new probes (rematch.c), attached before the processes go on that wait for
 * them; programs whose files are mapped no more are released (reap.c).
 */
#ifndef TRACER_LIVE_LIVE_H
#define TRACER_LIVE_LIVE_H

#include <sched.h>

#include "tracer/beat.h"
#include "tracer/internal.h"
#include "tracer/live/versions.h"
#include "tracer/targets/targets.h"

/* New probes and their program: running number 1 and more (rematch.c). */
struct addition {
	struct arena *arena; /* of all below; NULL: released (reap.c) */
	const struct typed_program *typed;
	struct program *program;
};

/* The probes of a clause, once some were added to those it had at first. */
struct kept_probes {
	VECTOR(const struct probe *) list;
};

/* A process that has just executed another program. */
struct executed {
	int pid;
	bool by_first_thread;
	int root;   /* of its tree, which is followed; 0: it is in none */
	bool waits; /* the process waits for us before its first instruction */
};

/* While processes wait for their probes (waiting.c); `control` is NULL when none does. */
struct waiting {
	struct control *control;
	struct beat beat;
	bool has_moved;
	cpu_set_t before; /* our CPUs, if we have left one */
};

struct live {
	bool match_again; /* in the next round, even if nothing arrives */

	/* arrivals.c */
	uint64_t seen;		/* control->arrivals before requests were read */
	uint64_t met;		/* arrivals that were read */
	bool has_arrivals;	/* since the last round, */
	struct waiting waiting; /* and the processes of some wait */
	VECTOR(struct executed) executed;
	VECTOR(int) unheld;	    /* of those, looked at too early, maybe */
	unsigned unseen;	    /* and those that ended before they were looked at */
	descendant_vector children; /* that wait for their own links (loader/attach/members.c) */
	descendant_vector threads_executed; /* members whose links are dead */
	uint64_t missed_reported;	    /* of control->arrivals_missed */
	bool is_full;			    /* no more files may be open: reported */

	/* rematch.c, versions.c, reap.c */
	VECTOR(struct addition) additions;	/* those of running programs from 1 on */
	VECTOR(struct kept_probes) kept;	/* by clause; or empty */
	VECTOR(struct clause_version) versions; /* of clauses, for probes that came later */

	/* new_files.c */
	uint64_t next_look;	  /* at all processes' files */
	unsigned new_files;	  /* since the last look */
	VECTOR(int) ended_early;  /* processes that mapped the files matched now */
	unsigned all_ended_early; /* how many there were before them */

	/* modules.c */
	bool wants_modules, has_modules; /* descriptions of functions; new modules */
	uint64_t next_modules;		 /* a look at the list of modules */
};

/* rematch.c: what arrives in processes is reported from now on. */
MUST_CHECK struct error *live_watch(struct tracer *t);
/* Match descriptions, and attach what is new.  Were there new probes? */
bool live_match_again(struct tracer *t);
bool live_watch_linker(struct tracer *t, int pid); /* was it watched already? */

/* modules.c: when tracing begins, in each round, and after a match: HAS_NEW, it has found some. */
void modules_watch(struct tracer *t);
void modules_follow(struct tracer *t);
void modules_report(struct tracer *t, bool has_new);

/* new_files.c: from now on, unless there is no description of every process */
void files_watch(struct tracer *t);
void files_note(struct tracer *t, int pid, const struct mapping *m, bool is_new);
/* In a round, when mappings have been noted, or some reports lost. */
void files_follow(struct tracer *t, bool some_lost);
/* MORE is about to be attached: count the processes that have run its files and ended. */
void files_note_ended(struct tracer *t, const struct typed_program *more);
void files_sum_ended(struct tracer *t); /* all that was new has been attached */
void files_report_ended(struct tracer *t);

/* arrivals.c: read requests */
MUST_CHECK struct error *arrivals_serve(struct tracer *t);
/* In each round: attach probes in code that has arrived. */
MUST_CHECK struct error *arrivals_step(struct tracer *t, bool status);
/* Has an arrival been met whose ticket came later?  Then its process waits for another round. */
bool arrivals_are_due(const struct tracer *t);
void arrivals_free(struct live *l);
void arrivals_let_go(struct tracer *t);	       /* release the processes that wait for probes */
void arrivals_report_unseen(struct tracer *t); /* at the end: programs that ended too early */

/* reap.c: detach the additions whose probes can fire no more, after a look at all processes. */
void additions_reap(struct tracer *t);
void additions_free(struct live *l);
/* C's probes from now on; in order of their ids. */
void live_keep_probes(struct tracer *t, struct tclause *c, const probe_vector *list);

/* waiting.c: a process waits, spinning on CPU; it is called for each of them. */
void waiting_begin(struct waiting *w, struct control *control, unsigned cpu);
void waiting_beat(struct waiting *w); /* those that wait see that we are at work */
void waiting_end(struct waiting *w);  /* for all */

#endif
