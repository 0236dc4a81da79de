/* SPDX-License-Identifier: BSD-2-Clause */
/* library_file - what the files share that know D libraries; library.h tells the whole */
#ifndef TRACER_LIBRARY_FILE_H
#define TRACER_LIBRARY_FILE_H

#include "base/base.h"
#include "base/diagnostic.h"
#include "syntax/outline.h"

struct library_file {
	struct source source; /* name: the path */
	const char *base;
	const struct outline_item *items;
	size_t item_count;
	const char *names;
	bool *fetched; /* by item */
	bool hidden;   /* by a file of the same name */
	bool used;     /* something of it was fetched */
	bool clauses_checked;
	struct outline read; /* what the above point into, unless they are embedded */
	char *text;
	enum { UNKNOWN, ASKING, MET, MISSING } dependencies;
	const char *missing;		     /* when MISSING: "module x" */
	const struct library_file *asked_by; /* while ASKING: whose dependency it is */
};

struct library {
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

/* library_depend.c: is all there that F depends on?  Told once when files do in a circle. */
bool library_dependencies_met(struct library *l, struct library_file *f);

#endif
