/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sort - many items by a number that each of them has, as an address
 *
 * qsort() compares each item some 13 times: for the 8,000 symbols of libc's debug file 7 million
 * instructions.  Here each is moved once for every 11 bits in which the numbers differ: 2 million,
 * half of them to put aliases of one address into order.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/*
 * Sort the COUNT items of SIZE bytes at ITEMS by the uint64_t at the offset KEY of each.  Those
 * with the same number are sorted by COMPARE, as qsort() would; NULL: they stay as they are.
 */
void sort_by_number(void *items, size_t count, size_t size, size_t key,
		    int (*compare)(const void *a, const void *b));

#endif
