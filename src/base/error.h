/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * error - a failure, as a sentence that each caller may extend
 *
 * The place that fails names the failed action; a caller with more knowledge
 * wraps it: error_wrap(e, "looking for probes in %s", path) prints as
 * "looking for probes in /bin/x: <the inner text>".
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

struct error;

/* Before a function that can fail: the compiler warns of an unused result. */
#define MUST_CHECK __attribute__((warn_unused_result))

MUST_CHECK struct error *error_new(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* As error_new(), followed by ": " and the system's text for ERRNUM. */
MUST_CHECK struct error *error_sys(int errnum, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Put a sentence in front.  Takes ERR, returns it. */
MUST_CHECK struct error *error_wrap(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Does IT hold, and is *FIRST NULL?  Else *FIRST becomes the error, unless there is one: verifying
 * ends with the first thing that is wrong.  LINE begins the text unless it is 0.
 */
bool error_unless(struct error **first, bool it, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

const char *error_text(const struct error *err);

/*
 * For an error that becomes a diagnostic: its tag (enum diagnostic_tag).  Takes ERR, returns it;
 * wrapping keeps the tag.  error_tag_of() is D_UNKNOWN without a tag.
 */
MUST_CHECK struct error *error_tag(struct error *err, int tag);
int error_tag_of(const struct error *err);

/* The errno that began it, or 0. */
int error_errno(const struct error *err);

void error_free(struct error *err); /* NULL is fine */

static inline void cleanup_error(struct error **err)
{
	error_free(*err);
}
#define auto_error __attribute__((cleanup(cleanup_error)))

#endif
