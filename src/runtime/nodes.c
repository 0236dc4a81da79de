/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* nodes - elements of lists, and of trees of libstdc++ (bits/stl_tree.h), in a process */
#include "runtime/runtime.h"

/* Where a node has the addresses of others, after its color.  The header is the parent of the root,
 * and has the first node of all on its left. */
enum tree_edge { TREE_PARENT = 8, TREE_LEFT = 16, TREE_RIGHT = 24 };

/*
 * The verifier must not know the numbers that a step begins with: Linux 6.1 follows the first one
 * alone, and removes what later ones reach (runtime/string/text.h).  They get what an address has
 * above these bits: nothing.
 */
#define USER_BITS 57

#define TREE_STEPS 96 /* edges to the eighth element, and a step for each */

struct tree_walk {
	uint64_t at;   /* a node, */
	uint64_t left; /* so many elements before the wanted one */
	uint64_t from; /* TREE_...: what was done to come to AT */
};

enum { TREE_ARRIVED, TREE_DOWN, TREE_UP };

static always_inline uint64_t node_word(uint64_t at)
{
	uint64_t ret = 0;
	port_read_user(&ret, sizeof(ret), (void *)at);
	return ret;
}

static always_inline uint64_t tree_next(uint64_t node, enum tree_edge edge)
{
	return node_word(node + edge);
}

/* One edge, or one element fewer.  1: AT is the wanted node, or 0. */
static long tree_step(uint32_t i, struct tree_walk *w)
{
	uint64_t next;
	if (w->from == TREE_ARRIVED) {
		if (!w->left || !w->at)
			return 1;
		w->left--;
		next = tree_next(w->at, TREE_RIGHT);
		w->from = next ? TREE_DOWN : TREE_UP;
		w->at = next ? next : w->at;
	} else if (w->from == TREE_DOWN) {
		next = tree_next(w->at, TREE_LEFT);
		w->from = next ? TREE_DOWN : TREE_ARRIVED;
		w->at = next ? next : w->at;
	} else {
		next = tree_next(w->at, TREE_PARENT);
		if (tree_next(next, TREE_RIGHT) != w->at || !next)
			w->from = TREE_ARRIVED;
		w->at = next;
	}
	return 0;
}

long rt_tree_node(uint64_t header, uint64_t n)
{
	uint64_t first = tree_next(header, TREE_LEFT), blur = first >> USER_BITS;
	struct tree_walk w = { first, n + blur, TREE_ARRIVED + blur };
	port_loop(TREE_STEPS, tree_step, &w, 0);
	return w.from == TREE_ARRIVED && !w.left ? w.at : 0;
}

#define LIST_STEPS 64 /* the most nodes that are followed */

static long list_step(uint32_t i, uint64_t *at)
{
	*at = *at ? node_word(*at) : 0;
	return 0;
}

long rt_list_node(uint64_t before, uint64_t n)
{
	uint64_t at = before, steps = n < LIST_STEPS ? n + 1 : 0;
	port_loop(steps, list_step, &at, 0);
	return steps ? at : 0;
}
