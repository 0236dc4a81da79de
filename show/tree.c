/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/tree.h"

#include <string.h>

#include "show/value.h"

#define DEPTH_MOST 4096

#define FIRST_CAPACITY 1024
#define NODES_AT_ONCE 1024

/*
 * Nodes are found by parent and frame: 100,000 stacks are 1.4 million nodes, so a struct hash,
 * whose keys would be larger than they are, takes too much, and so does memory of malloc() for
 * each.
 */
struct spot {
	uint32_t hash, number; /* of the node, from 1; 0: free */
};

struct tree {
	struct arena *arena;
	struct hash *names, *places;	  /* to the copies in the arena */
	struct hash *frames[FRAME_KINDS]; /* name and place to the copy in the arena */
	struct tree_node root;
	VECTOR(struct tree_node *) blocks; /* the others, NODES_AT_ONCE in each */
	struct spot *spots;
	size_t count, capacity; /* of nodes; of `spots`, a power of two */
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
	t->spots = mem_zalloc(t->capacity * sizeof(*t->spots));
	t->root.frame = &frame_all;
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	vector_free(&t->list);
	for (size_t i = 0; i < t->blocks.count; i++)
		free(t->blocks.items[i]);
	vector_free(&t->blocks);
	free(t->spots);
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

static struct tree_node *node_at(const struct tree *t, size_t number)
{
	return &t->blocks.items[(number - 1) / NODES_AT_ONCE][(number - 1) % NODES_AT_ONCE];
}

static uint32_t node_hash(const struct tree_node *parent, const struct frame *frame)
{
	uint64_t h = ((uint64_t)(uintptr_t)parent >> 3) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)(uintptr_t)frame >> 4) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

/* The spot of the child FRAME of PARENT, free if there is none.  There is room. */
static struct spot *node_spot(const struct tree *t, uint32_t hash, const struct tree_node *parent,
			      const struct frame *frame)
{
	for (size_t i = hash;; i++) {
		struct spot *spot = &t->spots[i & (t->capacity - 1)];
		if (!spot->number)
			return spot;
		const struct tree_node *n = spot->hash == hash ? node_at(t, spot->number) : NULL;
		if (n && n->parent == parent && n->frame == frame)
			return spot;
	}
}

static void spots_grow(struct tree *t)
{
	struct spot *old = t->spots;
	size_t count = t->capacity;
	t->capacity *= 2;
	t->spots = mem_zalloc(t->capacity * sizeof(*t->spots));
	for (size_t i = 0; i < count; i++) {
		size_t at = old[i].hash & (t->capacity - 1);
		while (old[i].number && t->spots[at].number)
			at = (at + 1) & (t->capacity - 1);
		if (old[i].number)
			t->spots[at] = old[i];
	}
	free(old);
}

/* Node COUNT, the last one. */
static struct tree_node *node_new(struct tree *t)
{
	if (t->count++ == t->blocks.count * NODES_AT_ONCE)
		vector_push(&t->blocks, mem_alloc(NODES_AT_ONCE * sizeof(struct tree_node)));
	return node_at(t, t->count);
}

static struct tree_node *tree_child(struct tree *t, struct tree_node *parent,
				    const struct frame *frame)
{
	uint32_t hash = node_hash(parent, frame);
	struct spot *spot = node_spot(t, hash, parent, frame);
	if (spot->number)
		return node_at(t, spot->number);
	struct tree_node *ret = node_new(t);
	*ret = (struct tree_node) { .frame = frame, .parent = parent, .next = parent->first };
	*spot = (struct spot) { hash, (uint32_t)t->count };
	if (t->count * 4 > t->capacity * 3)
		spots_grow(t);
	return parent->first = ret;
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
	for (size_t i = 1; i <= t->count; i++)
		children_sort(t, node_at(t, i));
}

uint64_t tree_own(const struct tree_node *n)
{
	uint64_t called = 0;
	for (const struct tree_node *child = n->first; child; child = child->next)
		count_add(&called, child->total);
	return n->total > called ? n->total - called : 0;
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
