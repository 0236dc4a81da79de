/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile - a message Profile of pprof's profile.proto, as it grows
 *
 * Strings, functions, locations and mappings are written once and are numbers from then on.  A
 * location is an address with the functions that were inlined there, the innermost first.
 */
#ifndef SHOW_PPROF_PROFILE_H
#define SHOW_PPROF_PROFILE_H

#include "show/tree.h"

struct location;
struct profile;

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The number of TEXT in the table of strings. */
uint64_t profile_string(struct profile *p, const char *text);

/* That of FRAME, which was inlined into that of CALLER if there is one; owned by P. */
struct location *profile_location(struct profile *p, const struct frame *frame,
				  struct location *caller);

/* What the keys of a row say: NAME is the expression. */
struct label {
	const char *name, *text;
};

/* PATH is outermost first. */
void profile_sample(struct profile *p, struct location *const *path, size_t count,
		    const struct label *labels, size_t label_count, uint64_t value);

/* The type of all values: what is counted, and its unit. */
void profile_type(struct profile *p, const char *type, const char *unit);

/* ns since 1970, 0: not known; ns. */
void profile_time(struct profile *p, uint64_t begin, uint64_t duration);
void profile_comment(struct profile *p, const char *text);

/* The message is whole; owned by P. */
const struct strbuf *profile_finish(struct profile *p);

#endif
