/* SPDX-License-Identifier: BSD-2-Clause */
/* What has begun in a thread, and has not ended */
#include "show/timeline/timeline.h"

#define SLICES_MOST 4096 /* open in one thread */

bool firing_is_new(struct track *track, const struct point *p, uint64_t clause)
{
	bool goes_on = track->probe == p->probe && track->clause && track->clause != clause;
	if (goes_on)
		return false;
	track->probe = p->probe;
	track->clause = p->edge == EDGE_NONE ? 0 : clause;
	return true;
}

bool slice_begin(struct track *track, const struct point *p)
{
	if (track->open.count == SLICES_MOST) {
		track->too_deep++;
		return false;
	}
	vector_push(&track->open, mem_strdup(p->pair));
	return true;
}

size_t slices_end(struct track *track, const struct point *p)
{
	size_t count = track->open.count, at = track->too_deep ? 0 : count;
	while (at && !string_equal(track->open.items[at - 1], p->pair))
		at--;
	if (!at)
		return 0;
	for (size_t i = at - 1; i < count; i++)
		free(track->open.items[i]);
	track->open.count = at - 1;
	return count - (at - 1);
}
