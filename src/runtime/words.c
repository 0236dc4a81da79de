/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Words of scratch memory: values that are stacks */
#include "runtime/string/text.h"

long rt_bytes_copy(uint64_t to_at, uint64_t from_at, uint64_t size)
{
	char *to = scratch(to_at);
	const char *from = scratch(from_at);
	if (to && from)
		port_copy(to, at_most(size, NUMBER(rt_slot_size) - 1), from);
	return size;
}

struct words {
	uint64_t a, b; /* each an `at` */
	uint64_t differ;
};

static long words_of_stacks(uint32_t i, void *words)
{
	struct words *w = words;
	const uint64_t *a = scratch(w->a + 8 * i), *b = scratch(w->b + 8 * i);
	w->differ = !a || !b || *a != *b;
	return w->differ;
}

long rt_bytes_equal(uint64_t a_at, uint64_t b_at, uint64_t size)
{
	struct words w = { a_at, b_at, 0 };
	port_loop(at_most(size / 8, 65536), words_of_stacks, &w, 0);
	return !w.differ;
}
