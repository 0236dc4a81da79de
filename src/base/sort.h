/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sort - many items by a number that each of them has, as an address; searching what is sorted
 *
 * qsort() compares each item some 13 times: for the 8,000 symbols of libc's debug file 7 million
 * instructions.  Here each is moved once for every 11 bits in which the numbers differ: 2 million,
 * half of them to put aliases of one address into order.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sort the COUNT items of SIZE bytes at ITEMS by the uint64_t at the offset KEY of each.  Those
 * with the same number are sorted by COMPARE, as qsort() would; NULL: they stay as they are.
 */
void sort_by_number(void *items, size_t count, size_t size, size_t key,
		    int (*compare)(const void *a, const void *b));

/* How many of such items, sorted by that number, have at most NUMBER: they are the first ones. */
size_t sorted_until(const void *items, size_t count, size_t size, size_t key, uint64_t number);

/* The same of a VECTOR whose items have the number in FIELD. */
#define vector_until(v, field, number)                                                             \
	({                                                                                         \
		_Static_assert(sizeof((v)->items->field) == 8, "a number of 64 bits");             \
		sorted_until((v)->items, (v)->count, sizeof(*(v)->items),                          \
			     offsetof(__typeof__(*(v)->items), field), number);                    \
	})

#endif
