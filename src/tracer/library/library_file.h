/* SPDX-License-Identifier: BSD-2-Clause */
/* library_file - declarations shared by the files about D libraries; the theory is in library.h */
#ifndef TRACER_LIBRARY_LIBRARY_FILE_H
#define TRACER_LIBRARY_LIBRARY_FILE_H

#include "base/base.h"
#include "base/diagnostic.h"
#include "syntax/outline.h"
#include "tracer/beat.h"
#include "tracer/internal.h"

struct library_file {
	struct source source; /* name: the path; text: NULL until it is needed, if there is */
	const struct packed *packed;
	const char *base;
	const struct outline_item *items;
	size_t item_count;
	const char *names;
	bool *fetched; /* by item */
	bool hidden;   /* by a file of the same name */
	bool is_named; /* in a directory of -L: all of it is checked */
	bool used;     /* a definition of it was fetched */
	bool clauses_checked;
	struct outline read; /* the above point into it, unless they are embedded */
	char *text;	     /* NULL: it is ours */
	enum { UNKNOWN, ASKING, MET, MISSING } dependencies;
	const char *missing;		     /* when MISSING: "module x" */
	const struct library_file *asked_by; /* while ASKING: whose dependency it is */
};

/* A definition. */
struct place {
	struct library_file *file;
	size_t item;
	struct place *next; /* of the same name */
};

struct library {
	struct formulas *formulas; /* NULL: not opened yet */
	bool formulas_are_wrong;   /* mistakes of theirs were shown */
	struct beat host;	   /* host.c */
	int64_t boot_wall_ns;	   /* library_boot_wall_ns() */

	/* Those below are of D libraries, and zero until the first look-up of a name. */
	struct tracer *tracer;
	VECTOR(struct library_file *) files;
	struct library_file **embedded; /* ours; all NULL under -x nolibs and syslibdir */
	struct hash *names;		/* of files read at run time: name -> first struct place */
	struct arena *arena;
	bool has_topology;
};

static inline const char *library_item_name(const struct library_file *f, size_t item)
{
	return f->names + f->items[item].name;
}

struct range library_item_range(const struct library_file *f, size_t item);

/* library_files.c: the tracer's libraries, read now if they were not. */
struct library *library_opened(struct tracer *t);
/* Before the first program: open them if the user named directories: their files may set options.
 */
void library_open_named(struct tracer *t);
void library_close(struct library *l);
/* F's text is there from now on. */
void library_file_unpack(struct library *l, struct library_file *f);
/* What the machine has, as one more file: topology_print(). */
void library_add_topology(struct library *l);
/* The number of the first of our own names, which are sorted, that is not before NAME. */
size_t library_embedded_first(const char *name);
/* Is our name number I NAME, and are ours used? Then *RET is its definition. */
bool library_embedded_at(const struct library *l, size_t i, const char *name, struct place *ret);

/* library_depend.c: are F's dependencies met? A circle of files is reported once. */
bool library_dependencies_met(struct library *l, struct library_file *f);
/* For struct sema_env; ARG is the tracer. */
bool library_dependency(void *arg, const char *kind, const char *name);

/* topology.c: a library made from /sys */
bool topology_defines(const char *name);
int64_t topology_boot_wall_ns(void);
void topology_print(struct strbuf *out, const struct request *r, int64_t boot_wall_ns);

/* formulas.c: make the providers that are data known, once */
void formulas_open(struct tracer *t);
/* For struct sema_env and struct formulas_env. */
void formulas_mistakes(void *tracer, struct diagnostics *d);

/* host.c: before clauses run, and until the beat ends */
void host_begin(struct tracer *t);

#endif
