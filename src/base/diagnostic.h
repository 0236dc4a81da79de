/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diagnostic - mistakes in a D script, collected for its author
 *
 * Parser, sema and codegen add to one list and continue, so that one run shows
 * all mistakes of a program.  The command prints them (diagnostics_print):
 *
 *   dtrace: failed to compile script x.d: [D_OP_LVAL] line 3: the left side of = must be a variable
 *       3 |   4 = x;
 *         |   ^
 *
 * Tags are the classic ones; base/diagnostic.def
 * lists those in use.
 */
#ifndef BASE_DIAGNOSTIC_H
#define BASE_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/vector.h"

/* One text for the compiler.  Owned by its maker; outlives all pointers into it. */
struct source {
	const char *name; /* the script's path, or the command line's specifier */
	const char *text;
	size_t len;
	enum source_kind {
		SOURCE_FILE,	  /* -s: "failed to compile script NAME" */
		SOURCE_SPECIFIER, /* -n and friends: "invalid probe specifier NAME" */
		SOURCE_LIBRARY,
		SOURCE_NOTE, /* of a traced file, in its notes: NAME is the file's */
	} kind;
	bool is_ours;	  /* one of our libraries, or a replacement of one */
	bool is_formulas; /* a file of providers as data */
};

/* A piece of a source.  `file` and `line` are the author's (#line respected). */
struct range {
	const struct source *source;
	uint32_t begin, end; /* byte offsets, end exclusive */
	uint32_t line;	     /* from 1; 0: about the whole, no place is shown */
	const char *file;    /* NULL: the source itself */
};

static inline struct range range_join(struct range a, struct range b)
{
	if (a.source == b.source && b.end > a.end)
		a.end = b.end;
	return a;
}

enum diagnostic_tag {
#define DIAGNOSTIC(tag, meaning) tag,
#include "base/diagnostic.def"
#undef DIAGNOSTIC
};

const char *diagnostic_tag_name(enum diagnostic_tag tag);

struct diagnostic {
	enum diagnostic_tag tag;
	struct range range;
	const char *where; /* "in predicate", "in action list" for specifiers, or NULL */
	char *text;
};

struct diagnostics {
	VECTOR(struct diagnostic) list;
	const char *where;	      /* given to diagnostics added from now on */
	const struct source *program; /* the program being compiled, if the mistake is in a
				       * library */
	bool gave_up;		      /* too many: not all of the text was read */
};

#define DIAGNOSTICS_SHOWN 10 /* a screen of them: what the command prints */

void diagnose(struct diagnostics *d, struct range range, enum diagnostic_tag tag, const char *fmt,
	      ...) __attribute__((format(printf, 4, 5)));

/* Sort them, source by source in the order of their places, each once, and print them to F. ERRTAGS
 * prints the tags.  MOST are printed; the rest is counted. */
void diagnostics_print(struct diagnostics *d, FILE *f, const char *program, bool errtags,
		       size_t most);

/*
 * What to do, where the text says it: "did you mean timestamp?", "use printa()".  The caller frees
 * it; NULL: the text does not say it.
 */
char *diagnostic_remedy(const struct diagnostic *m);

/* Those of FROM, from its FIRST on, are TO's from now on. */
void diagnostics_move(struct diagnostics *from, size_t first, struct diagnostics *to);

void diagnostics_deinit(struct diagnostics *d);

#endif
