/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table - a map of the shared memory (abi/process.h), for both sides
 *
 * MAP is a process's struct process_map in the memory, or the tracer's own copy of it, and COUNT is
 * the word in the memory.  Whatever the memory contains, no function touches more than MAP's places
 * and elements, and each looks at PLACE_PROBES places at most.
 *
 * A key's words are loaded as halves: it was just stored in pieces of 4 or 8 bytes, and a load of 8
 * bytes over two stores of 4 waits for both (6 ns); a load of 4 out of a store of 8 does not.
 */
#ifndef AGENT_TABLE_H
#define AGENT_TABLE_H

#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#include "abi/process.h"

#define TABLE_TRIES 16 /* of an insertion that others prevent */
#define TABLE_FACTOR 0x9e3779b97f4a7c15ull

struct table {
	char *memory;
	const struct process_map *map;
	uint64_t *count;
};

static inline uint64_t *place_word(const struct table *t, uint32_t place)
{
	return (uint64_t *)(void *)(t->memory + t->map->words) + place;
}

static inline char *table_element(const struct table *t, uint32_t place)
{
	return t->memory + t->map->elements + (uint64_t)place * t->map->stride;
}

static inline uint64_t table_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline bool table_change(uint64_t *word, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

static inline uint64_t table_with(uint64_t word, enum place_state state)
{
	return (word & ~PLACE_STATE) | state;
}

/* --- keys ------------------------------------------------------------------------------------- */

static inline uint64_t key_word(const char *key, uint32_t at)
{
	uint32_t low, high;
	__builtin_memcpy(&low, key + at, sizeof(low));
	__builtin_memcpy(&high, key + at + sizeof(low), sizeof(high));
	asm("" : "+r"(low)); /* else clang makes one load of both: 14 ns instead of 6 */
	return (uint64_t)high << 32 | low;
}

/* The bytes from AT on, fewer than a word. */
static inline uint64_t key_rest(const char *key, uint32_t at, uint32_t size)
{
	uint64_t word = 0;
	uint32_t half;
	if (size - at == sizeof(half)) {
		__builtin_memcpy(&half, key + at, sizeof(half));
		return half;
	}
	for (uint32_t i = at; i < size; i++)
		word |= (uint64_t)(unsigned char)key[i] << (i - at) * 8;
	return word;
}

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	return (hash ^ hash >> 32 ^ word) * TABLE_FACTOR;
}

/* Of a key: the word of a READY element that was never taken before. */
static inline uint64_t table_ready(uint64_t hash)
{
	return (hash & 0xffffffff00000000ull) | PLACE_READY;
}

/* Its highest bits are the first place to look at. */
static inline uint64_t table_hash(const struct process_map *map, const char *key)
{
	uint32_t at = 0, size = map->key_size;
	uint64_t hash = 0, other = 1;
	for (; at + 32 <= size; at += 32) { /* strings are mostly zeros, which are only looked at */
		uint64_t first = key_word(key, at), second = key_word(key, at + 8);
		uint64_t third = key_word(key, at + 16), fourth = key_word(key, at + 24);
		if (!(first | second | third | fourth))
			continue;
		hash = hash_word(hash_word(hash ^ at, first), second);
		other = hash_word(hash_word(other, third), fourth);
	}
	for (; at + 16 <= size; at += 16) { /* two chains of multiplications at once */
		hash = hash_word(hash, key_word(key, at));
		other = hash_word(other, key_word(key, at + 8));
	}
	if (at)
		hash = hash_word(hash, other);
	if (at + 8 <= size) {
		hash = hash_word(hash, key_word(key, at));
		at += 8;
	}
	return at < size ? hash_word(hash, key_rest(key, at, size)) : hash;
}

static inline uint32_t table_first(const struct process_map *map, uint64_t hash)
{
	return (uint32_t)(hash >> map->shift) & map->mask;
}

static inline uint64_t element_word(const char *element, uint32_t at)
{
	uint64_t word;
	__builtin_memcpy(&word, element + at, sizeof(word));
	return word;
}

#define KEY_LONG 64 /* bytes: they have reached the cache while they were hashed */

static inline bool table_equal(const struct process_map *map, const char *element, const char *key)
{
	uint32_t at = 0, size = map->key_size;
	for (; size >= KEY_LONG && at + 8 <= size; at += 8)
		if (element_word(element, at) != element_word(key, at))
			return false;
	for (; at + 8 <= size; at += 8)
		if (element_word(element, at) != key_word(key, at))
			return false;
	return at == size || key_rest(element, at, size) == key_rest(key, at, size);
}

static inline void table_copy(char *to, const char *from, uint32_t size)
{
	uint32_t at = 0;
	for (; at + 8 <= size; at += 8) {
		uint64_t word = key_word(from, at);
		__builtin_memcpy(to + at, &word, sizeof(word));
	}
	for (; at < size; at++)
		to[at] = from[at];
}

/* --- searches --------------------------------------------------------------------------------- */

/* The place of the READY element with this KEY and HASH; -1: none. */
static inline int64_t table_search(const struct table *t, uint64_t hash, const char *key)
{
	uint32_t place = table_first(t->map, hash);
	uint64_t ready = table_ready(hash);
	for (unsigned i = 0; i < PLACE_PROBES; i++, place++) {
		place &= t->map->mask;
		uint64_t word = table_load(place_word(t, place));
		if ((word & ~PLACE_TIMES) == ready &&
		    table_equal(t->map, table_element(t, place), key))
			return place;
		if (!word)
			return -1;
	}
	return -1;
}

/* The element in the first place of HASH, if its key begins with FIRST. */
static inline char *table_at_first(const struct table *t, uint64_t hash, uint64_t first)
{
	uint32_t place = table_first(t->map, hash);
	char *element = table_element(t, place);
	uint64_t word = table_load(place_word(t, place));
	bool is_it =
		(word & ~PLACE_TIMES) == table_ready(hash) && element_word(element, 0) == first;
	return is_it ? element : NULL;
}

/*
 * Keys of one and two words, the usual ones, where they are in their first place.  (A look-aside of
 * 256 elements for each area in front of this: 3.6 ns where it has the key, else 9; this 3.0.)
 */
static inline char *table_find_short(const struct table *t, const char *key)
{
	uint64_t first = key_word(key, 0);
	if (t->map->key_size == sizeof(first))
		return table_at_first(t, hash_word(0, first), first);
	if (t->map->key_size != 2 * sizeof(first))
		return NULL;
	uint64_t second = key_word(key, sizeof(first));
	uint64_t hash = hash_word(hash_word(0, first), hash_word(1, second));
	char *element = table_at_first(t, hash, first);
	return element && element_word(element, sizeof(first)) == second ? element : NULL;
}

/* The element with this KEY; NULL: none. */
static inline char *table_find(const struct table *t, const char *key)
{
	int64_t place = table_search(t, table_hash(t->map, key), key);
	return place < 0 ? NULL : table_element(t, (uint32_t)place);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* A place that is BUSY now, with the word *TAKEN; -1: all are in use. */
static inline int64_t table_take(const struct table *t, uint64_t hash, uint64_t *taken)
{
	uint32_t place = table_first(t->map, hash);
	for (unsigned i = 0; i < PLACE_PROBES; i++, place++) {
		place &= t->map->mask;
		uint64_t *at = place_word(t, place), word = table_load(at);
		enum place_state state = word & PLACE_STATE;
		if (state != PLACE_FREE && state != PLACE_GONE)
			continue;
		*taken = table_with(table_ready(hash) | ((word + PLACE_TAKEN) & PLACE_TIMES),
				    PLACE_BUSY);
		if (table_change(at, word, *taken))
			return place;
	}
	return -1;
}

/* Does another place than OWN have the key, READY?  NEW ones become GONE. */
static inline bool table_rival(const struct table *t, uint64_t hash, const char *key, int64_t own)
{
	uint32_t place = table_first(t->map, hash);
	for (unsigned i = 0; i < PLACE_PROBES; i++, place++) {
		place &= t->map->mask;
		uint64_t *at = place_word(t, place), word = table_load(at);
		if (!word)
			return false;
		if (place == own ||
		    table_with(word & ~PLACE_TIMES, PLACE_READY) != table_ready(hash))
			continue;
		enum place_state state = word & PLACE_STATE;
		if ((state != PLACE_NEW && state != PLACE_READY) ||
		    !table_equal(t->map, table_element(t, place), key))
			continue;
		if (state == PLACE_NEW && table_change(at, word, table_with(word, PLACE_GONE)))
			continue;
		if (table_load(at) == table_with(word, PLACE_READY))
			return true;
	}
	return false;
}

/* 1: the element is READY; 0: another insertion has prevented it; or an error. */
static inline int table_try(const struct table *t, uint64_t hash, const char *key,
			    const char *value)
{
	uint64_t taken;
	int64_t place = table_take(t, hash, &taken);
	if (place < 0)
		return -E2BIG;
	uint64_t *at = place_word(t, (uint32_t)place);
	char *element = table_element(t, (uint32_t)place);
	table_copy(element, key, t->map->key_size);
	table_copy(element + t->map->value_at, value, t->map->value_size);
	uint64_t published = table_with(taken, PLACE_NEW);
	__atomic_exchange_n(at, published, __ATOMIC_SEQ_CST);
	if (table_rival(t, hash, key, place)) {
		table_change(at, published, table_with(taken, PLACE_GONE));
		return -EEXIST;
	}
	return table_change(at, published, table_with(taken, PLACE_READY));
}

static inline int table_insert(const struct table *t, uint64_t hash, const char *key,
			       const char *value)
{
	int made = -E2BIG;
	if (__atomic_fetch_add(t->count, 1, __ATOMIC_RELAXED) < t->map->max_entries) {
		made = -EBUSY;
		for (unsigned i = 0; i < TABLE_TRIES && (made == -EBUSY || !made); i++)
			made = table_try(t, hash, key, value);
	}
	if (made == 1)
		return 0;
	__atomic_fetch_sub(t->count, 1, __ATOMIC_RELAXED);
	return made ? made : -EBUSY;
}

/* FLAGS as the kernel's: BPF_ANY, BPF_NOEXIST, BPF_EXIST. */
static inline int table_update(const struct table *t, const char *key, const char *value,
			       uint64_t flags)
{
	uint64_t hash = table_hash(t->map, key);
	int64_t place = table_search(t, hash, key);
	if (place < 0 && flags == BPF_EXIST)
		return -ENOENT;
	if (place < 0) {
		int made = table_insert(t, hash, key, value);
		if (made != -EEXIST || flags == BPF_NOEXIST)
			return made;
		place = table_search(t, hash, key);
		if (place < 0)
			return -EBUSY;
	} else if (flags == BPF_NOEXIST) {
		return -EEXIST;
	}
	table_copy(table_element(t, (uint32_t)place) + t->map->value_at, value, t->map->value_size);
	return 0;
}

static inline int table_remove(const struct table *t, const char *key)
{
	int64_t place = table_search(t, table_hash(t->map, key), key);
	if (place < 0)
		return -ENOENT;
	uint64_t *at = place_word(t, (uint32_t)place), word = table_load(at);
	if ((word & PLACE_STATE) != PLACE_READY ||
	    !table_change(at, word, table_with(word, PLACE_GONE)))
		return -ENOENT;
	__atomic_fetch_sub(t->count, 1, __ATOMIC_RELAXED);
	return 0;
}

#endif
