/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/nodes.c: random binary trees with parents, as std::map has them, lists, and damaged ones
 */
#include "host.h"

#include "runtime/nodes.c"

struct node {
	uint64_t color;
	struct node *parent, *left, *right;
};

#define MOST 200

/* LEFT, as the header of a tree: below PARENT, COUNT nodes of LIST in order. */
static struct node *tree_of(struct node *list, unsigned count, struct node *parent)
{
	if (!count)
		return NULL;
	unsigned at = (unsigned)test_random() % count;
	struct node *n = &list[at];
	n->parent = parent;
	n->left = tree_of(list, at, n);
	n->right = tree_of(list + at + 1, count - at - 1, n);
	return n;
}

TEST(nodes_of_trees_come_in_order)
{
	static struct node list[MOST], header;
	for (unsigned round = 0; round < 2000; round++) {
		unsigned count = 1 + (unsigned)test_random() % MOST;
		header.parent = tree_of(list, count, &header);
		header.left = &list[0];
		for (unsigned i = 0; i < 8 && i < count; i++)
			CHECK_INT(rt_tree_node((uintptr_t)&header, i), (uintptr_t)&list[i]);
	}
}

TEST(damaged_trees_and_lists_end)
{
	static struct node a, b;
	a = (struct node) { 0, &b, &b, &b };
	b = (struct node) { 0, &a, &a, &a };
	rt_tree_node((uintptr_t)&a, 7);
	CHECK_INT(rt_tree_node((uintptr_t)&a, 1000), 0);
	a.left = NULL;
	CHECK_INT(rt_tree_node((uintptr_t)&a, 0), 0);
	uint64_t third = 0, second = (uintptr_t)&third, first = (uintptr_t)&second;
	CHECK_INT(rt_list_node((uintptr_t)&first, 0), (uintptr_t)&second);
	CHECK_INT(rt_list_node((uintptr_t)&first, 1), (uintptr_t)&third);
	CHECK_INT(rt_list_node((uintptr_t)&first, 2), 0);
	CHECK_INT(rt_list_node((uintptr_t)&first, 63), 0);
	CHECK_INT(rt_list_node((uintptr_t)&first, 64), 0);
	CHECK_INT(rt_list_node((uintptr_t)&first, UINT64_MAX), 0);
}

TEST_MAIN
