/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tree - call stacks that begin alike, merged
 *
 * Each node is a function, called by its parent; the root is all.  A node's total is the weight of
 * all stacks that pass it.
 */
#ifndef SHOW_TREE_H
#define SHOW_TREE_H

#include "base/base.h"
#include "show/frames.h"
#include "show/place.h"

struct frame {
	enum frame_kind kind;
	const char *name;	   /* of any bytes but NUL; owned by the tree */
	const struct place *place; /* owned, too; NULL: not wanted */
};

struct tree_node {
	const struct frame *frame; /* equal ones have equal pointers */
	struct tree_node *parent;
	struct tree_node *first, *next; /* child, sibling; sorted by tree_sort() */
	uint64_t total;
};

struct tree;

struct tree *tree_new(void);
void tree_free(struct tree *t);

/* The tree's own copy of NAME: equal names have equal pointers. */
const char *tree_name(struct tree *t, const char *name, size_t len);

/* The same of PLACE, whose strings are of tree_name(). */
const struct place *tree_place(struct tree *t, const struct place *place);

/* The tree's own frame of such members; PLACE is of tree_place(), or NULL. */
const struct frame *tree_frame(struct tree *t, enum frame_kind kind, const char *name, size_t len,
			       const struct place *place);

/*
 * Frames are outermost first, each of tree_frame().  Frames beyond 4,096 are counted with the
 * last of these.  A total stops at UINT64_MAX.
 */
void tree_add(struct tree *t, const struct frame *const *frames, size_t count, uint64_t weight);

/* Children by name, so that one input has one picture.  To be called before nodes are read. */
void tree_sort(struct tree *t);

/* The weight of the stacks that end at N. */
uint64_t tree_own(const struct tree_node *n);

const struct tree_node *tree_root(const struct tree *t);
size_t tree_depth(const struct tree *t); /* frames of the longest stack */
uint64_t tree_cut(const struct tree *t); /* stacks with frames beyond the limit */

#endif
