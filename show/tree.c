/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/tree.h"

#include <string.h>

#include "show/value.h"

#define DEPTH_MOST 4096

#define FIRST_CAPACITY 1024

/*
 * Nodes are found by parent and frame in a table of pointers: 100,000 stacks are 2 million nodes,
 * whose keys would be larger than they are.
 */
struct tree {
	struct arena *arena;
	struct hash *names, *places;	  /* to the copies in the arena */
	struct hash *frames[FRAME_KINDS]; /* name and place to the copy in the arena */
	struct tree_node root, **nodes;
	size_t count, capacity; /* of `nodes`; a power of two */
	size_t depth;
	uint64_t cut;
	VECTOR(struct tree_node *) list; /* children that are sorted */
};

static const struct frame frame_all = { FRAME_ALL, "all", NULL };

struct tree *tree_new(void)
{
	struct tree *t = mem_zalloc(sizeof(*t));
	t->arena = arena_new();
	t->names = hash_new();
	t->places = hash_new();
	for (int i = 0; i < FRAME_KINDS; i++)
		t->frames[i] = hash_new();
	t->capacity = FIRST_CAPACITY;
	t->nodes = mem_zalloc(t->capacity * sizeof(*t->nodes));
	t->root.frame = &frame_all;
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	vector_free(&t->list);
	free(t->nodes);
	for (int i = 0; i < FRAME_KINDS; i++)
		hash_free(t->frames[i]);
	hash_free(t->names);
	hash_free(t->places);
	arena_free(t->arena);
	free(t);
}

/* --- frames ---------------------------------------------------------------------------------- */

const char *tree_name(struct tree *t, const char *name, size_t len)
{
	void **copy = hash_place(t->names, name, len);
	if (!*copy)
		*copy = arena_strndup(t->arena, name, len);
	return *copy;
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

const struct frame *tree_frame(struct tree *t, enum frame_kind kind, const char *name, size_t len,
			       const struct place *place)
{
	const void *key[] = { place ? tree_name(t, name, len) : NULL, place };
	void **copy = place ? hash_place(t->frames[kind], key, sizeof(key))
			    : hash_place(t->frames[kind], name, len);
	if (!*copy) {
		struct frame *ret = ARENA_NEW(t->arena, struct frame);
		*ret = (struct frame) { kind, arena_strndup(t->arena, name, len), place };
		*copy = ret;
	}
	return *copy;
}

/* --- nodes ----------------------------------------------------------------------------------- */

static size_t node_hash(const struct tree_node *parent, const struct frame *frame)
{
	uint64_t h = ((uint64_t)(uintptr_t)parent >> 4) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)(uintptr_t)frame >> 4) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* The place of the child FRAME of PARENT, NULL inside if there is none.  There is room. */
static struct tree_node **node_place(const struct tree *t, const struct tree_node *parent,
				     const struct frame *frame)
{
	for (size_t i = node_hash(parent, frame);; i++) {
		struct tree_node **n = &t->nodes[i & (t->capacity - 1)];
		if (!*n || ((*n)->parent == parent && (*n)->frame == frame))
			return n;
	}
}

static void nodes_grow(struct tree *t)
{
	struct tree_node **old = t->nodes;
	size_t count = t->capacity;
	t->capacity *= 2;
	t->nodes = mem_zalloc(t->capacity * sizeof(*t->nodes));
	for (size_t i = 0; i < count; i++)
		if (old[i])
			*node_place(t, old[i]->parent, old[i]->frame) = old[i];
	free(old);
}

static struct tree_node *tree_child(struct tree *t, struct tree_node *parent,
				    const struct frame *frame)
{
	struct tree_node **place = node_place(t, parent, frame);
	if (*place)
		return *place;
	if (++t->count * 4 > t->capacity * 3) {
		nodes_grow(t);
		place = node_place(t, parent, frame);
	}
	struct tree_node *ret = ARENA_NEW(t->arena, struct tree_node);
	*ret = (struct tree_node) { .frame = frame, .parent = parent, .next = parent->first };
	return parent->first = *place = ret;
}

void tree_add(struct tree *t, const struct frame *const *frames, size_t count, uint64_t weight)
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

/* --- order ----------------------------------------------------------------------------------- */

static int nodes_compare(const void *a, const void *b)
{
	const struct frame *x = (*(struct tree_node *const *)a)->frame,
			   *y = (*(struct tree_node *const *)b)->frame;
	int names = strcmp(x->name, y->name);
	if (names || x->kind != y->kind)
		return names ? names : (int)x->kind - (int)y->kind;
	return x->place ? place_compare(x->place, y->place) : 0;
}

static void children_sort(struct tree *t, struct tree_node *parent)
{
	t->list.count = 0;
	for (struct tree_node *n = parent->first; n; n = n->next)
		vector_push(&t->list, n);
	if (t->list.count < 2)
		return;
	qsort(t->list.items, t->list.count, sizeof(*t->list.items), nodes_compare);
	for (size_t i = 0; i < t->list.count; i++)
		t->list.items[i]->next = i + 1 < t->list.count ? t->list.items[i + 1] : NULL;
	parent->first = t->list.items[0];
}

void tree_sort(struct tree *t)
{
	children_sort(t, &t->root);
	for (size_t i = 0; i < t->capacity; i++)
		if (t->nodes[i])
			children_sort(t, t->nodes[i]);
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
