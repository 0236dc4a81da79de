/* SPDX-License-Identifier: BSD-2-Clause */
/* elements - maps of the interpreter: a hash with chains, elements in chunks that never move */
#include <string.h>

#include "base/hash.h"
#include "interpreter/internal.h"

#define CHUNK 256 /* elements */
#define BUCKETS_MOST 65536u

void elements_init(struct elements *e, const struct map_layout *layout, struct machine *machine)
{
	*e = (struct elements) { .layout = layout, .machine = machine, .bucket_count = 64 };
	while (e->bucket_count < BUCKETS_MOST && e->bucket_count < layout->max_entries)
		e->bucket_count *= 2;
	e->buckets = mem_zalloc(e->bucket_count * sizeof(*e->buckets));
}

void elements_deinit(struct elements *e)
{
	for (size_t i = 0; i < e->chunks.count; i++)
		free(e->chunks.items[i]);
	vector_free(&e->chunks);
	free(e->buckets);
}

static struct element **bucket_of(const struct elements *e, const void *key)
{
	uint64_t hash = hash_more(HASH_OF_NOTHING, key, e->layout->key_size);
	return &e->buckets[(hash ^ hash >> 32) & (e->bucket_count - 1)];
}

static struct element **element_place(const struct elements *e, const void *key)
{
	struct element **at = bucket_of(e, key);
	while (*at && memcmp((*at)->key, key, e->layout->key_size) != 0)
		at = &(*at)->next;
	return at;
}

char *elements_find(const struct elements *e, const void *key)
{
	const struct element *found = *element_place(e, key);
	return found ? found->value : NULL;
}

static void chunk_add(struct elements *e)
{
	size_t value = ALIGN_UP((size_t)e->layout->value_size, 8);
	size_t key = ALIGN_UP((size_t)e->layout->key_size, 8);
	char *bytes = mem_zalloc(CHUNK * (sizeof(struct element) + value + key));
	struct element *elements = (struct element *)(void *)bytes;
	char *values = bytes + CHUNK * sizeof(*elements), *keys = values + CHUNK * value;
	for (unsigned i = 0; i < CHUNK; i++) {
		elements[i] = (struct element) { e->free, keys + i * key, values + i * value };
		e->free = &elements[i];
	}
	vector_push(&e->chunks, (void *)bytes);
	machine_allow(e->machine, values, CHUNK * value, false);
}

bool elements_put(struct elements *e, const void *key, const void *value)
{
	struct element **at = element_place(e, key);
	if (!*at) {
		if (e->count == e->layout->max_entries)
			return false;
		if (!e->free)
			chunk_add(e);
		*at = e->free;
		e->free = (*at)->next;
		(*at)->next = NULL;
		memcpy((*at)->key, key, e->layout->key_size);
		e->count++;
	}
	memcpy((*at)->value, value, e->layout->value_size);
	return true;
}

bool elements_remove(struct elements *e, const void *key)
{
	struct element **at = element_place(e, key), *gone = *at;
	if (!gone)
		return false;
	*at = gone->next;
	gone->next = e->free;
	e->free = gone;
	e->count--;
	return true;
}

struct error *elements_each(const struct elements *e, element_visit_fn *visit, void *arg)
{
	for (uint32_t i = 0; i < e->bucket_count; i++)
		for (const struct element *at = e->buckets[i]; at; at = at->next) {
			struct error *err = visit(arg, at->key, at->value);
			if (err)
				return err;
		}
	return NULL;
}
