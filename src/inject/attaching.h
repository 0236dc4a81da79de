/* SPDX-License-Identifier: BSD-2-Clause */
/* attaching - sites on their way to jumps: sites.c makes the lists, jumps.c the jumps */
#ifndef INJECT_ATTACHING_H
#define INJECT_ATTACHING_H

#include "inject/code/groups.h"

typedef VECTOR(struct placed) placed_vector;

/* Sites of one file. */
struct site_file {
	const char *path;
	struct code_file file;
	struct file_key key; /* of its mappings */
	unsigned program;    /* of the injector */
	code_site_vector sites;
	code_site_vector left; /* sites that are refused before others are placed */
	VECTOR(struct address_range)
	known;		      /* its mappings that have jumps, or must not have them */
	placed_vector places; /* of its code, until the jumps are made */
};

/* Of all programs, those with jumps: the process may map them again. */
struct jumped_files {
	VECTOR(struct site_file) list;
};

struct reason {
	const char *words;
	unsigned count;
};

struct attaching {
	struct injector *injector;
	const struct executor_request *request; /* NULL: jumps are made again */
	struct remote remote;
	struct mapping *list;
	struct link_maps *maps; /* NULL: the process is held */
	const char *problem;	/* why no file gets jumps, or NULL */
	struct code_space space;
	VECTOR(struct site_file) files;
	offset_vector *covered; /* of each group: struct placed */
	VECTOR(struct reason) reasons;
	uint64_t thread_number; /* of struct process_own */
	unsigned program;	/* of the injector */
	unsigned sites, refused, fatal;
	unsigned may_run; /* mappings that threads may run already: without jumps */
	struct stands stands;
	bool holds;	  /* the process, which runs, while the jumps are written */
	char *fatal_name; /* of the first one, a function of a file */
};

/* Does M map code of the file? */
bool site_file_maps(const struct site_file *f, const struct mapping *m);

const struct program *attaching_program(const struct attaching *a);

/* The file of CODE among those of A, or a new one (sites.c). */
struct site_file *site_file_of(struct attaching *a, const struct event_code *code);
/* The agent's own sites in the C library, unless it has them (executed.c). */
void agent_collect(struct attaching *a);

/* Code for jumps at the sites of F in all its mappings that may get them (jumps.c). */
MUST_CHECK struct error *file_plan(struct attaching *a, struct site_file *f);
/* Does the process still have what F's code was made for, and room for it? */
bool file_fits(const struct attaching *a, const struct site_file *f);
/* The code, and the jumps. */
MUST_CHECK struct error *file_write_jumps(struct attaching *a, struct site_file *f);
void file_unplan(struct site_file *f);

/*
 * The process is held from here on (remote.c), if a->holds: what it has mapped may have changed.
 * The caller releases it.
 */
MUST_CHECK struct error *attaching_hold(struct attaching *a);

/* a->covered (exits.c). */
void covered_collect(struct attaching *a);

/* --- refused.c --- */

/* SITES of F that have no jump. */
MUST_CHECK struct error *sites_report(struct attaching *a, const struct site_file *f,
				      const code_site_vector *sites);
/* Those of patterns, and who has a function's first instruction. */
void report_refused(struct attaching *a);
/* In mappings that are new: what is refused there alone. */
void renewed_report(struct site_file *f, int pid);
/* No thread waits for the probes of libraries. */
void linker_refuse(const struct injector *i, const char *why);

#endif
