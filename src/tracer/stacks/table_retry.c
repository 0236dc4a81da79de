/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "base/time_unit.h"
#include "tracer/stacks/stacks.h"

#define DELAY_FIRST (20 * NS_PER_MS)
#define DELAY_MOST (32 * NS_PER_SECOND)
/* So long nobody has asked for it again. */
#define FORGET_AFTER (60 * NS_PER_SECOND)

static struct table_failure *find(table_failures *f, const struct unwind_key *key)
{
	for (size_t i = 0; i < f->count; i++)
		if (memcmp(&f->items[i].key, key, sizeof(*key)) == 0)
			return &f->items[i];
	return NULL;
}

uint64_t table_failed(table_failures *f, const struct unwind_key *key, uint64_t now)
{
	struct table_failure *known = find(f, key);
	if (!known) {
		vector_push(f, ((struct table_failure) { .key = *key, .due = now, .waits = true }));
		return 0;
	}
	known->delay = known->delay ? MIN(2 * known->delay, DELAY_MOST) : DELAY_FIRST;
	known->due = now + known->delay;
	known->waits = true;
	return known->delay;
}

static void drop(table_failures *f, struct table_failure *known)
{
	*known = f->items[--f->count];
}

void table_made(table_failures *f, const struct unwind_key *key)
{
	struct table_failure *known = find(f, key);
	if (known)
		drop(f, known);
}

bool table_due(table_failures *f, uint64_t now, struct unwind_key *ret)
{
	for (size_t i = f->count; i-- > 0;) {
		struct table_failure *known = &f->items[i];
		if (known->waits && known->due <= now) {
			*ret = known->key;
			known->waits = false;
			return true;
		}
		if (!known->waits && now - known->due > FORGET_AFTER)
			drop(f, known);
	}
	return false;
}
