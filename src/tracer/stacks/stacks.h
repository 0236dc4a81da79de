/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks - the wing of user stacks: tables by which programs walk them, copies that wait for a
 * table, frames of interpreters
 *
 * In:   requests of the executor: tables (live/arrivals.c hands them over), and copied stacks.
 * Out:  tables for the executor, and for the consumer the frames of copies and the names of frames
 * of interpreters.
 */
#ifndef TRACER_STACKS_STACKS_H
#define TRACER_STACKS_STACKS_H

#include "tracer/internal.h"

/*
 * table_retry.c: files whose table could not be made, and when to try again.  The process that met
 * the file may be gone, its files hidden from us, or the pool full.  Stacks ask again as soon as
 * the file is forgotten, so that has to wait: not at all the first time, as another process may
 * have the file mapped, then for 20 ms, and twice as long each time, up to 32 s.
 */
struct table_failure {
	struct unwind_key key;
	uint64_t due, delay; /* ns; the delay that came before it */
	bool waits;	     /* until `due`; else it has been forgotten, then */
};
typedef VECTOR(struct table_failure) table_failures;

struct stacks {
	/* unwind.c */
	VECTOR(struct arrival) asked; /* requests of tables, to be served in this round */
	struct hash *made;	      /* by struct unwind_key: for targets */
	struct hash *damaged;	      /* by struct unwind_key: reported */
	table_failures failed;
	bool has_common; /* tables of files that most processes map */

	struct copies *copies;		   /* copies.c; NULL: no stack was copied */
	struct interpreters *interpreters; /* interpreters.c; NULL: none were met */
};

/* --- the door --------------------------------------------------------------------------------- */

/* A stack met a file without a table: it is made when requests are served. */
void stacks_request(struct tracer *t, const struct arrival *request);

/* --- for the files of this folder ------------------------------------------------------------- */

/* unwind.c: if the kernel allows it */
bool stacks_are_unwound(const struct tracer *t);
uint64_t stacks_pool_size(const struct tracer *t); /* 0: no stack is walked */
/* The tables of what the targets map, before they run, and before what they load later does. */
MUST_CHECK struct error *stacks_make_target_tables(struct tracer *t);
/* In each round: requested tables; once, those of files that most processes map. */
MUST_CHECK struct error *stacks_make_tables(struct tracer *t);
/* The key by which programs find the file of M; false: it cannot be opened, or there is none. */
bool stacks_table_key(struct tracer *t, int pid, const struct mapping *m, struct unwind_key *ret);
MUST_CHECK struct error *stacks_give_table(struct tracer *t, struct image *image,
					   const struct unwind_key *key);
/* Until it is forgotten the file has no table, and does not wait for one. */
MUST_CHECK struct error *stacks_hide_file(struct tracer *t, const struct unwind_key *key);
void stacks_free_tables(struct stacks *s);

/* Making the table of KEY failed at the time NOW.  The result is the delay until it is due. */
uint64_t table_failed(table_failures *f, const struct unwind_key *key, uint64_t now);
void table_made(table_failures *f, const struct unwind_key *key); /* it was made */
/* The next one that is due at the time NOW: stacks may ask again.  False: there is none. */
bool table_due(table_failures *f, uint64_t now, struct unwind_key *ret);

/* copies.c: in each round, before tables are made: copies from the executor */
MUST_CHECK struct error *copies_take(struct tracer *t);
/* After that: their frames, by the tables. */
MUST_CHECK struct error *copies_walk(struct tracer *t);
/* consumer_names.copied_frames */
const uint64_t *copies_frames(void *tracer, uint64_t number, unsigned *count);
void copies_free(struct copies *c); /* NULL is fine */

/* interpreters.c: does a program ask for frames of interpreters?  It must be loaded. */
bool interpreters_are_wanted(const struct tracer *t);
/* PID has mapped M: perhaps it runs one. */
void interpreters_note(struct tracer *t, int pid, const struct mapping *m, uint64_t when);
void interpreters_fork(struct tracer *t, int parent, int pid, uint64_t when);
struct code_names *interpreters_names(struct tracer *t); /* NULL: they are not wanted */
void interpreters_free(struct interpreters *in);	 /* NULL is fine */

#endif
