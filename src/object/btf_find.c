/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_find - types by their names
 *
 * Names are looked for among the types of one kind, whose list is made at the first search.  An
 * index costs as much as some four scans (6.18: of 130,000 types 10,000 are structs, 60,000
 * functions): kinds of which a script names few never get one.  A name is scanned for once: a
 * clause of tcp looks for 11 names 98 times.
 */
#include "object/btf_internal.h"

static uint32_t name_hash(const char *name)
{
	uint32_t h = 0x811c9dc5u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x01000193u;
	return h ^ h >> 15;
}

#define PLACES_AT_ONCE 16

/* Is any of so many places of KIND?  Compilers make a few vector instructions of it. */
static bool any_of_kind(const uint32_t *places, uint32_t kind)
{
	uint32_t any = 0;
	for (unsigned i = 0; i < PLACES_AT_ONCE; i++)
		any |= place_kind(places[i]) == kind;
	return any;
}

/* Written with few branches, which would be guessed wrong often. */
static uint32_t *list_kind(const struct btf *b, uint32_t kind)
{
	const uint32_t *places = b->places, all = b->count;
	uint32_t *ret = mem_alloc((b->kinds[kind].count + 1) * sizeof(*ret)), count = 0;
	for (uint32_t i = 0; i < all;) {
		uint32_t end = MIN(i + PLACES_AT_ONCE, all);
		if (end - i == PLACES_AT_ONCE && !any_of_kind(places + i, kind))
			i = end;
		for (; i < end; i++) {
			ret[count] = i;
			count += place_kind(places[i]) == kind;
		}
	}
	return ret;
}

static const char *name_of(const struct btf *b, uint32_t i)
{
	return btf_string(b, u32_at(&b->types, place_offset(b->places[i])));
}

static bool has_name(const struct btf *b, uint32_t i, const char *name)
{
	const char *own = name_of(b, i);
	return *own == *name && string_equal(own, name);
}

/* The slot that holds this name, or the free one where it belongs. */
static struct name_slot *find_slot(const struct btf *b, const struct of_kind *k, uint32_t hash,
				   const char *name)
{
	for (size_t i = hash & (k->index_size - 1);; i = (i + 1) & (k->index_size - 1)) {
		struct name_slot *slot = &k->index[i];
		if (!slot->id)
			return slot;
		if (slot->hash == hash && has_name(b, slot->id - b->first_id, name))
			return slot;
	}
}

static void build_index(const struct btf *b, struct of_kind *k)
{
	k->index_size = 64;
	while (k->index_size < (size_t)k->count * 3 / 2)
		k->index_size *= 2;
	k->index = mem_zalloc(k->index_size * sizeof(*k->index));
	for (uint32_t i = 0; i < k->count; i++) {
		const char *name = name_of(b, k->types[i]);
		uint32_t hash = name_hash(name);
		struct name_slot *slot = *name ? find_slot(b, k, hash, name) : NULL;
		if (slot && !slot->id)
			*slot = (struct name_slot) { .hash = hash,
						     .id = b->first_id + k->types[i] };
	}
}

static uint32_t scan(const struct btf *b, const struct of_kind *k, const char *name)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (has_name(b, k->types[i], name))
			return b->first_id + k->types[i];
	return 0;
}

static uint32_t scan_once(const struct btf *b, struct of_kind *k, const char *name)
{
	uint32_t *answer = &k->answers[k->scans++];
	*answer = scan(b, k, name);
	if (!k->scanned)
		k->scanned = hash_new();
	hash_put_string(k->scanned, name, answer);
	return *answer;
}

static struct of_kind *types_of(struct btf *b, enum btf_kind kind)
{
	struct of_kind *k = &b->kinds[kind];
	if (!k->types)
		k->types = list_kind(b, kind);
	return k;
}

uint32_t btf_nth(struct btf *b, enum btf_kind kind, uint32_t n)
{
	const struct of_kind *k = types_of(b, kind);
	return n < k->count ? b->first_id + k->types[n] : 0;
}

uint32_t btf_find(struct btf *b, enum btf_kind kind, const char *name)
{
	if (!*name)
		return 0;
	struct of_kind *k = types_of(b, kind);
	const uint32_t *answer = k->scanned ? hash_get_string(k->scanned, name) : NULL;
	if (answer)
		return *answer;
	if (k->scans < SCANS_BEFORE_INDEX)
		return scan_once(b, k, name);
	if (!k->index_size)
		build_index(b, k);
	return find_slot(b, k, name_hash(name), name)->id;
}

void btf_names_free(struct of_kind *k)
{
	free(k->types);
	hash_free(k->scanned);
	free(k->index);
}
