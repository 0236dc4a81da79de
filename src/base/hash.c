/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct hash_entry {
	uint64_t hash;
	void *key; /* NULL: free */
	size_t key_len;
	void *value;
};

struct hash {
	struct hash_entry *entries; /* NULL before the first key: many tables never get one */
	size_t capacity;	    /* a power of two, or 0 */
	size_t count;
	struct arena *keys;
};

#define HASH_FIRST_CAPACITY 16

struct hash *hash_new(void)
{
	struct hash *h = mem_zalloc(sizeof(*h));
	h->keys = arena_new();
	return h;
}

void hash_free(struct hash *h)
{
	if (!h)
		return;
	arena_free(h->keys);
	free(h->entries);
	free(h);
}

uint64_t hash_more(uint64_t h, const void *data, size_t len)
{
	const unsigned char *p = data;
	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

static uint64_t hash_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 32;
}

/* By words of eight bytes: layouts of arguments are keys of 200 bytes, one for each function. */
static uint64_t hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = hash_mix(HASH_OF_NOTHING, len), word;
	for (; len >= sizeof(word); p += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		h = hash_mix(h, word);
	}
	word = 0;
	memcpy(&word, p, len);
	return hash_mix(h, word);
}

/* The entry of KEY, or the free one where it belongs.  There is room. */
static struct hash_entry *hash_find(const struct hash *h, uint64_t hash, const void *key,
				    size_t key_len)
{
	for (size_t i = hash & (h->capacity - 1);; i = (i + 1) & (h->capacity - 1)) {
		struct hash_entry *e = &h->entries[i];
		if (!e->key)
			return e;
		if (e->hash == hash && e->key_len == key_len && memcmp(e->key, key, key_len) == 0)
			return e;
	}
}

static void hash_grow(struct hash *h)
{
	struct hash_entry *old = h->entries;
	size_t old_capacity = h->capacity;
	h->capacity = old_capacity ? old_capacity * 2 : HASH_FIRST_CAPACITY;
	h->entries = mem_zalloc(h->capacity * sizeof(*h->entries));
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].key)
			*hash_find(h, old[i].hash, old[i].key, old[i].key_len) = old[i];
	free(old);
}

void **hash_place(struct hash *h, const void *key, size_t key_len)
{
	if (h->count * 4 >= h->capacity * 3)
		hash_grow(h);
	uint64_t hash = hash_bytes(key, key_len);
	struct hash_entry *e = hash_find(h, hash, key, key_len);
	if (!e->key) {
		e->hash = hash;
		e->key = arena_strndup(h->keys, key, key_len);
		e->key_len = key_len;
		h->count++;
	}
	return &e->value;
}

void *hash_get(const struct hash *h, const void *key, size_t key_len)
{
	if (h->count == 0)
		return NULL;
	return hash_find(h, hash_bytes(key, key_len), key, key_len)->value;
}

void *hash_get_string(const struct hash *h, const char *key)
{
	return hash_get(h, key, strlen(key));
}

void hash_put_string(struct hash *h, const char *key, void *value)
{
	*hash_place(h, key, strlen(key)) = value;
}

void hash_visit(const struct hash *h, hash_visit_fn *visit, void *arg)
{
	for (size_t i = 0; i < h->capacity; i++) {
		const struct hash_entry *e = &h->entries[i];
		if (e->key)
			visit(arg, e->key, e->key_len, e->value);
	}
}

void hash_empty(struct hash *h, hash_visit_fn *visit, void *arg)
{
	if (visit)
		hash_visit(h, visit, arg);
	arena_free(h->keys);
	free(h->entries);
	*h = (struct hash) { .keys = arena_new() };
}
