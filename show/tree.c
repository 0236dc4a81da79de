/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/tree.h"

#include <string.h>

#include "show/value.h"

#define DEPTH_MOST 4096

struct tree {
	struct arena *arena;
	struct hash *names, *places; /* to the copies in the arena */
	struct hash *children;	     /* struct child_key to struct tree_node */
	struct tree_node root;
	size_t depth;
	uint64_t cut;
	VECTOR(struct tree_node *) nodes;
};

struct child_key {
	const struct tree_node *parent;
	const char *name;
	const struct place *place;
	uint64_t kind; /* no padding, which would be part of the key */
};

struct tree *tree_new(void)
{
	struct tree *t = mem_zalloc(sizeof(*t));
	t->arena = arena_new();
	t->names = hash_new();
	t->places = hash_new();
	t->children = hash_new();
	t->root.frame = (struct frame) { FRAME_ALL, "all", NULL };
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	vector_free(&t->nodes);
	hash_free(t->children);
	hash_free(t->names);
	hash_free(t->places);
	arena_free(t->arena);
	free(t);
}

const char *tree_name(struct tree *t, const char *name, size_t len)
{
	void **place = hash_place(t->names, name, len);
	if (!*place)
		*place = arena_strndup(t->arena, name, len);
	return *place;
}

const struct place *tree_place(struct tree *t, const struct place *place)
{
	void **copy = hash_place(t->places, place, sizeof(*place));
	if (!*copy) {
		struct place *ret = ARENA_NEW(t->arena, struct place);
		*ret = *place;
		*copy = ret;
	}
	return *copy;
}

static struct tree_node *tree_child(struct tree *t, struct tree_node *parent, struct frame frame)
{
	struct child_key key = { parent, frame.name, frame.place, frame.kind };
	void **place = hash_place(t->children, &key, sizeof(key));
	if (*place)
		return *place;
	struct tree_node *ret = ARENA_NEW(t->arena, struct tree_node);
	*ret = (struct tree_node) { .frame = frame, .next = parent->first };
	parent->first = ret;
	vector_push(&t->nodes, ret);
	return *place = ret;
}

void tree_add(struct tree *t, const struct frame *frames, size_t count, uint64_t weight)
{
	if (count > DEPTH_MOST) {
		t->cut++;
		count = DEPTH_MOST;
	}
	struct tree_node *node = &t->root;
	count_add(&node->total, weight);
	for (size_t i = 0; i < count; i++) {
		node = tree_child(t, node, frames[i]);
		count_add(&node->total, weight);
	}
	count_add(&node->own, weight);
	t->depth = MAX(t->depth, count);
}

static int nodes_compare(const void *a, const void *b)
{
	const struct tree_node *x = *(struct tree_node *const *)a,
			       *y = *(struct tree_node *const *)b;
	int names = strcmp(x->frame.name, y->frame.name);
	if (names || x->frame.kind != y->frame.kind)
		return names ? names : (int)x->frame.kind - (int)y->frame.kind;
	return x->frame.place ? place_compare(x->frame.place, y->frame.place) : 0;
}

static void children_sort(struct tree_node *parent)
{
	VECTOR(struct tree_node *) list = { 0 };
	for (struct tree_node *n = parent->first; n; n = n->next)
		vector_push(&list, n);
	if (list.count > 1) {
		qsort(list.items, list.count, sizeof(*list.items), nodes_compare);
		for (size_t i = 0; i < list.count; i++)
			list.items[i]->next = i + 1 < list.count ? list.items[i + 1] : NULL;
		parent->first = list.items[0];
	}
	vector_free(&list);
}

void tree_sort(struct tree *t)
{
	children_sort(&t->root);
	for (size_t i = 0; i < t->nodes.count; i++)
		children_sort(t->nodes.items[i]);
}

const struct tree_node *tree_root(const struct tree *t)
{
	return &t->root;
}

size_t tree_depth(const struct tree *t)
{
	return t->depth;
}

uint64_t tree_cut(const struct tree *t)
{
	return t->cut;
}
