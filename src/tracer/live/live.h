/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live - the wing of code that arrives while tracing: its probes, versions of clauses for it, and
 * what leaves
 *
 * In:   requests of the executor (arrivals.c), files that some process maps for the first time
 * (new_files.c), modules of the kernel (modules.c).
 * Out:  programs for the new probes (rematch.c), attached before the processes go on that wait for
 * them; programs whose files are mapped no more are released (reap.c).  What of a new file was
 * executed before them is reported (early.c).
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

/* A report of the kernel that has not been looked at yet (early.c). */
struct early_note {
	enum { NOTE_MAPPED, NOTE_FORKED, NOTE_ENDED, NOTE_EXECUTED } kind;
	int pid, child;	      /* of NOTE_FORKED */
	uint64_t when;	      /* CLOCK_MONOTONIC */
	struct file_key file; /* of NOTE_MAPPED */
};

/* A file whose probes have been attached, or a process that a look has found to have it. */
struct early_file {
	int pid;	/* of the process, or 0 */
	uint64_t since; /* who maps it from then on has the probes; */
	uint64_t all;	/* so has everybody else from then on */
};

/* Processes that mapped a file before its probes were in place (early.c). */
struct early {
	VECTOR(struct early_note) notes;   /* since the last round, by time */
	size_t known;			   /* so many of them are from before this round */
	struct hash *files;		   /* struct file_key -> index + 1 in ADDED */
	VECTOR(struct early_file) added;   /* in this round */
	VECTOR(struct early_file) mappers; /* of those */
	struct hash *counted;		   /* in this round: process -> any */
	uint64_t begun;			   /* nothing was traced before */
	bool has_looked;		   /* at all processes, since the last round */
	bool has_lost;			   /* notes */
	unsigned ended, executed, ran_on;  /* how many there were */
	uint64_t longest;		   /* time that one of RAN_ON ran without probes */
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
	bool told_of_kernel;			/* probes of its clauses are left out: reported */

	/* new_files.c */
	uint64_t next_look; /* at all processes' files */
	unsigned new_files; /* since the last look */

	struct early early;

	/* modules.c */
	bool wants_modules, has_modules; /* descriptions of functions; new modules */
	uint64_t next_modules;		 /* a look at the list of modules */
};

/* rematch.c: what arrives in processes is reported from now on. */
MUST_CHECK struct error *live_watch(struct tracer *t);
/* Match descriptions, and attach what is new.  Were there new probes? */
bool live_match_again(struct tracer *t);
/* The end: find what is new and never was attached. */
void live_match_last(struct tracer *t);
bool live_watch_linker(struct tracer *t, int pid); /* was it watched already? */

/* modules.c: when tracing begins, in each round, and after a match: HAS_NEW, it has found some. */
void modules_watch(struct tracer *t);
void modules_follow(struct tracer *t);
void modules_report(struct tracer *t, bool has_new);

/* new_files.c: from now on, unless there is no description of every process */
void files_watch(struct tracer *t);
void files_note(struct tracer *t, int pid, const struct mapping *m, uint64_t when);
/* In a round, when mappings have been noted, or some reports lost. */
void files_follow(struct tracer *t, bool some_lost);

/* early.c: reports, */
void early_note_mapped(struct tracer *t, int pid, const struct mapping *m, uint64_t when);
void early_note_forked(struct tracer *t, int parent, int pid, uint64_t when);
void early_note_left(struct tracer *t, int pid, bool by_exec, uint64_t when);
/* a look at all processes has found new files, */
void early_note_look(struct tracer *t);
/* the file of P has got its probes by the N-th program (0: it gets none); */
void early_add_file(struct tracer *t, const struct probe *p, unsigned program);
/* and all such files of now are known: count. */
void early_count(struct tracer *t);
/* A round begins; it has ended: the files of notes that were there when it began are known. */
void early_round(struct tracer *t);
void early_forget(struct tracer *t);
void early_report(struct tracer *t);
void early_free(struct early *e);

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
