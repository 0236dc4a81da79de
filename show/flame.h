/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flame - call stacks as boxes: each above its caller, as wide as its share of all stacks
 *
 * A click zooms, Escape goes back, the search takes a regular expression; without the script the
 * picture is whole, too.
 */
#ifndef SHOW_FLAME_H
#define SHOW_FLAME_H

#include "show/stacks.h"

struct flame {
	const struct stack_set *set;
	double narrowest; /* pixels of the narrowest box */
	uint64_t boxes;
	uint64_t narrow; /* functions that are narrower: they, and what they call, have no box */
	bool used[FRAME_KINDS]; /* by the boxes */
};

/* What a picture of SET will have: about MOST boxes, or fewer. */
void flame_plan(struct flame *ret, const struct stack_set *set, uint64_t most);

double flame_height(const struct flame *f); /* pixels, from the top of the picture */

/* "@a = count(), 12 in all", and the sentence about what has no box, NULL: all has one.  The caller
 * frees them. */
char *flame_title(const struct flame *f);
char *flame_missing(const struct flame *f);

/* The boxes, and what their script works with. */
void flame_write(FILE *out, const struct flame *f);

/* Once in a document with such pictures, each an <svg class="flamegraph">. */
extern const char flame_style[], flame_script[];

#endif
