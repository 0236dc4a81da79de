/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector - a growable array of any type
 *
 *	VECTOR(int) v = { 0 };
 *	vector_push(&v, 7);
 *	for (size_t i = 0; i < v.count; i++) use(v.items[i]);
 *	vector_free(&v);
 */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

#define VECTOR(type)                                                                               \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t count, capacity;                                                            \
	}

static inline void *vector_grown(void *items, size_t *capacity, size_t item_size)
{
	*capacity = *capacity ? *capacity * 2 : 8;
	return mem_realloc(items, *capacity * item_size);
}

/* Memory for one more item, which is not initialized. */
#define vector_extend(v)                                                                           \
	({                                                                                         \
		if ((v)->count == (v)->capacity)                                                   \
			(v)->items =                                                               \
				vector_grown((v)->items, &(v)->capacity, sizeof(*(v)->items));     \
		&(v)->items[(v)->count++];                                                         \
	})

#define vector_push(v, ...) (*vector_extend(v) = (__VA_ARGS__))

#define vector_free(v)                                                                             \
	do {                                                                                       \
		free((v)->items);                                                                  \
		(v)->items = NULL;                                                                 \
		(v)->count = (v)->capacity = 0;                                                    \
	} while (0)

#endif
