/* SPDX-License-Identifier: BSD-2-Clause */
#include "patch/patch.h"

#define PAGE 4096u
#define REACH ((1ull << 31) - PAGE)
#define HEAP_GROWS (1ull << 30)

struct search {
	struct address_range near;
	uint64_t size, lowest, highest; /* of the first byte */
	uint64_t distance, found;	/* of the best one; UINT64_MAX: there is none */
};

static uint64_t distance_of(const struct search *s, uint64_t at)
{
	return at < s->near.begin ? s->near.begin - at : at - s->near.begin;
}

/* The room in the free bytes from BEGIN to END that is nearest. */
static void gap_look(struct search *s, uint64_t begin, uint64_t end)
{
	begin = ALIGN_UP(MAX(begin, s->lowest), (uint64_t)PAGE);
	if (end < s->size || begin > end - s->size || begin > s->highest)
		return;
	uint64_t last = MIN(end - s->size, s->highest) & ~(uint64_t)(PAGE - 1);
	if (last < begin)
		return;
	uint64_t at = last < s->near.begin ? last : begin;
	if (distance_of(s, at) >= s->distance)
		return;
	s->distance = distance_of(s, at);
	s->found = at;
}

static void room_search(struct search *s, const struct patch_space *space, uint64_t heap_grows)
{
	uint64_t at = space->begin, heap = space->heap_end;
	for (size_t i = 0; i <= space->count; i++) {
		uint64_t end = i < space->count ? space->used[i].begin : space->end;
		bool is_heap = heap && heap >= at && heap < end;
		if (is_heap) {
			gap_look(s, at, heap);
			at = heap + heap_grows;
		}
		if (at < end)
			gap_look(s, at, end);
		at = MAX(at, i < space->count ? space->used[i].end : 0);
	}
}

bool patch_room_find(const struct patch_space *space, struct address_range near, uint64_t size,
		     uint64_t *ret)
{
	if (!size || size >= REACH || near.end - near.begin >= REACH - size)
		return false;
	struct search s = { .near = near,
			    .size = size,
			    .lowest = near.end > REACH ? near.end - REACH : 0,
			    .highest = near.begin + REACH - size,
			    .distance = UINT64_MAX };
	room_search(&s, space, HEAP_GROWS);
	if (s.distance == UINT64_MAX)
		room_search(&s, space, 0);
	if (s.distance == UINT64_MAX)
		return false;
	*ret = s.found;
	return true;
}
