/* SPDX-License-Identifier: BSD-2-Clause */
/* Elements of a map, of which many come and go (internal.h) */
#include <stdlib.h>

#include "remote/internal.h"

#define REMOVED_MOST 1024 /* or as many as are left */

void store_init(struct store *t)
{
	*t = (struct store) { .items = hash_new() };
}

static void value_release(void *arg, const void *key, size_t key_len, void *value)
{
	void (*const *release)(void *) = arg;
	if (value)
		(*release)(value);
}

void store_deinit(struct store *t, void (*release)(void *value))
{
	if (release)
		hash_visit(t->items, value_release, &release);
	hash_free(t->items);
}

void **store_place(struct store *t, const void *key, size_t key_size)
{
	void **place = hash_place(t->items, key, key_size);
	t->count += *place == NULL;
	return place;
}

static void value_move(void *arg, const void *key, size_t key_len, void *value)
{
	if (value)
		*hash_place(arg, key, key_len) = value;
}

void *store_remove(struct store *t, const void *key, size_t key_size)
{
	void *value = hash_get(t->items, key, key_size);
	if (!value)
		return NULL;
	*hash_place(t->items, key, key_size) = NULL;
	t->count--;
	if (++t->removed < MAX((size_t)REMOVED_MOST, t->count))
		return value;
	struct hash *items = hash_new();
	hash_visit(t->items, value_move, items);
	hash_free(t->items);
	t->items = items;
	t->removed = 0;
	return value;
}
