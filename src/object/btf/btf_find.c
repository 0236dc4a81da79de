/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_find - types by their names
 *
 * Names are looked for among the types of one kind, whose list is made at the first search, if
 * btf.c has not made it.  An index costs as much as some four scans (6.18: of 130,000 types 10,000
 * are structs, 60,000 functions): kinds of which a script names few never get one.  A name is
 * scanned for once: a clause of tcp looks for 11 names 98 times.
 */
#include "object/btf/btf_internal.h"

static uint32_t name_hash(const char *name)
{
	uint32_t h = 0x811c9dc5u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 0x01000193u;
	return h ^ h >> 15;
}

/* The number of the type at AT: its group's, and how many are between. */
static uint32_t id_at(const struct btf *b, uint32_t at)
{
	uint32_t low = 0, high = (b->count - 1) / GROUP_TYPES;
	while (low < high) {
		uint32_t middle = high - (high - low) / 2;
		if (b->groups[middle] <= at)
			low = middle;
		else
			high = middle - 1;
	}
	uint32_t id = b->first_id + low * GROUP_TYPES;
	for (size_t i = b->groups[low]; i < at; i = btf_next(b, i))
		id++;
	return id;
}

/* Written without a branch that would be guessed wrong often. */
static void list_kind(const struct btf *b, uint32_t kind, struct of_kind *k)
{
	k->types = mem_alloc((b->count + 1) * sizeof(*k->types));
	for (size_t at = 0; at < b->types.size; at = btf_next(b, at)) {
		k->types[k->count] = (struct named) { (uint32_t)at, u32_at(&b->types, at) };
		k->count += info_kind(u32_at(&b->types, at + 4)) == kind;
	}
	k->types = mem_realloc(k->types, (k->count + 1) * sizeof(*k->types));
}

static bool named_has_name(const struct btf *b, const struct named *n, const char *name)
{
	return string_equal(btf_string_at(b, n->name), name);
}

/* The slot that holds this name, or the free one where it belongs. */
static struct name_slot *find_slot(const struct btf *b, const struct of_kind *k, uint32_t hash,
				   const char *name)
{
	for (size_t i = hash & (k->index_size - 1);; i = (i + 1) & (k->index_size - 1)) {
		struct name_slot *slot = &k->index[i];
		if (!slot->nth)
			return slot;
		if (slot->hash == hash && named_has_name(b, &k->types[slot->nth - 1], name))
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
		const char *name = btf_string_at(b, k->types[i].name);
		uint32_t hash = name_hash(name);
		struct name_slot *slot = *name ? find_slot(b, k, hash, name) : NULL;
		if (slot && !slot->nth)
			*slot = (struct name_slot) { .hash = hash, .nth = i + 1 };
	}
}

static uint32_t scan(const struct btf *b, const struct of_kind *k, const char *name)
{
	for (uint32_t i = 0; i < k->count; i++)
		if (named_has_name(b, &k->types[i], name))
			return id_at(b, k->types[i].at);
	return 0;
}

static uint32_t scan_once(const struct btf *b, struct of_kind *k, const char *name)
{
	if (!k->scanned) {
		k->scanned = hash_new();
		/* Request the memory of all names at once: one after the other they would each be
		 * waited for. */
		for (uint32_t i = 0; i < k->count; i++)
			__builtin_prefetch(btf_string_at(b, k->types[i].name));
	}
	uint32_t *answer = &k->answers[k->scans++];
	*answer = scan(b, k, name);
	hash_put_string(k->scanned, name, answer);
	return *answer;
}

static struct of_kind *btf_types_of_kind(struct btf *b, enum btf_kind kind)
{
	struct of_kind *k = &b->kinds[kind];
	if (!k->types)
		list_kind(b, kind, k);
	return k;
}

uint32_t btf_nth(struct btf *b, enum btf_kind kind, uint32_t n)
{
	const struct of_kind *k = btf_types_of_kind(b, kind);
	return n < k->count ? id_at(b, k->types[n].at) : 0;
}

uint32_t btf_find(struct btf *b, enum btf_kind kind, const char *name)
{
	if (!*name)
		return 0;
	struct of_kind *k = btf_types_of_kind(b, kind);
	const uint32_t *answer = k->scanned ? hash_get_string(k->scanned, name) : NULL;
	if (answer)
		return *answer;
	if (k->scans < SCANS_BEFORE_INDEX)
		return scan_once(b, k, name);
	if (!k->index_size)
		build_index(b, k);
	const struct name_slot *slot = find_slot(b, k, name_hash(name), name);
	return slot->nth ? id_at(b, k->types[slot->nth - 1].at) : 0;
}

void btf_names_free(struct of_kind *k)
{
	free(k->types);
	hash_free(k->scanned);
	free(k->index);
}
