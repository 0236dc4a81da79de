/* SPDX-License-Identifier: BSD-2-Clause */
/* nearest - the name most similar to a wrong one, for "did you mean" */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *wanted;
	const char *best;  /* NULL: none is near */
	unsigned distance; /* the best one's; at first, a distance that is too far */
};

/*
 * Long names may have two wrong letters, short ones one.  A swap of two letters is one,
 * and so is a name that differs only in capitals.
 */
struct nearest nearest_to(const char *wanted);

/* NAME may be NULL; it must live as long as the result. */
void nearest_try(struct nearest *n, const char *name);
void nearest_try_all(struct nearest *n, const char *const *names, size_t count);

#endif
