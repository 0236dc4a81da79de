/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

struct keyed {
	uint64_t number;
	uint32_t index;
};

static unsigned digit_of(uint64_t number, unsigned shift)
{
	return number >> shift & (DIGITS - 1);
}

/* Those of FROM to TO in the order of one digit; the same digits stay in order. */
static void sort_digit(const struct keyed *from, struct keyed *to, size_t count, unsigned shift)
{
	uint32_t places[DIGITS] = { 0 }, place = 0;
	for (size_t i = 0; i < count; i++)
		places[digit_of(from[i].number, shift)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		uint32_t of_digit = places[d];
		places[d] = place;
		place += of_digit;
	}
	for (size_t i = 0; i < count; i++)
		to[places[digit_of(from[i].number, shift)]++] = from[i];
}

/* ALL has room for twice COUNT.  Where the sorted ones are; DIFFER: the bits that do. */
static struct keyed *sort_keyed(struct keyed *all, size_t count, uint64_t differ)
{
	struct keyed *from = all, *to = all + count;
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (!digit_of(differ, shift))
			continue;
		sort_digit(from, to, count, shift);
		struct keyed *sorted = to;
		to = from;
		from = sorted;
	}
	return from;
}

static void sort_same(char *items, const struct keyed *sorted, size_t count, size_t size,
		      int (*compare)(const void *, const void *))
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && sorted[end].number == sorted[i].number;)
			end++;
		if (end - i > 1)
			qsort(items + i * size, end - i, size, compare);
	}
}

/* Each item to its place, along the cycles of the permutation; the numbers' order stays. */
static void move_items(char *items, struct keyed *sorted, size_t count, size_t size, char *spare)
{
	for (size_t i = 0; i < count; i++) {
		size_t to = i, from = sorted[i].index;
		if (from == i)
			continue;
		memcpy(spare, items + i * size, size);
		for (; from != i; to = from, from = sorted[to].index) {
			memcpy(items + to * size, items + from * size, size);
			sorted[to].index = (uint32_t)to;
		}
		memcpy(items + to * size, spare, size);
		sorted[to].index = (uint32_t)to;
	}
}

void sort_by_number(void *items, size_t count, size_t size, size_t key,
		    int (*compare)(const void *, const void *))
{
	if (count < 2)
		return;
	assert(count <= UINT32_MAX && key + sizeof(uint64_t) <= size);
	auto_free struct keyed *all = mem_alloc(2 * count * sizeof(*all));
	auto_free char *spare = mem_alloc(size);
	uint64_t differ = 0;
	for (size_t i = 0; i < count; i++) {
		memcpy(&all[i].number, (char *)items + i * size + key, sizeof(all[i].number));
		all[i].index = (uint32_t)i;
		differ |= all[i].number ^ all[0].number;
	}
	struct keyed *sorted = sort_keyed(all, count, differ);
	move_items(items, sorted, count, size, spare);
	if (compare)
		sort_same(items, sorted, count, size, compare);
}

size_t sorted_until(const void *items, size_t count, size_t size, size_t key, uint64_t number)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t its;
		memcpy(&its, (const char *)items + middle * size + key, sizeof(its));
		if (its <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
