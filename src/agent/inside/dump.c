/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What core dumps get, beyond what they get from the start on (abi/process.h)
 *
 * Each call of madvise() may split a mapping, of which a process has 65,530 at most, and elements
 * are anywhere in a map: 262 MB of places for 64 threads.  So pages are added one by one at first,
 * and then in larger and larger units: the shared memory has at most some thousands of mappings,
 * and the cores of a process with a few keys stay small.
 */
#include <linux/mman.h>

#include "agent/inside/host.h"
#include "runtime/runtime.h"

/* Calls that were made, not elements: a page has some hundred words. */
#define CALLS_EACH 2048 /* for elements, until the unit doubles */
#define UNIT_MOST 256	/* pages */

static unsigned char *mark_of(uint64_t page)
{
	return (unsigned char *)agent_memory + HEAD->dumped + page / 8;
}

static bool pages_are_marked(uint64_t begin, uint64_t end)
{
	bool all = true;
	for (uint64_t page = begin; page < end && all; page++)
		all = __atomic_load_n(mark_of(page), __ATOMIC_RELAXED) >> page % 8 & 1;
	return all;
}

static bool dump_more(uint64_t at, uint64_t size, uint64_t unit)
{
	uint64_t begin = at / PROCESS_DUMP_PAGE;
	uint64_t end = (at + size + PROCESS_DUMP_PAGE - 1) / PROCESS_DUMP_PAGE;
	if (!HEAD->dumped || pages_are_marked(begin, end))
		return false;
	uint64_t last = HEAD->size / PROCESS_DUMP_PAGE;
	begin &= -unit;
	end = (end + unit - 1) & -unit;
	if (end > last)
		end = last;
	if (SYSTEM(SYS_madvise, agent_memory + begin * PROCESS_DUMP_PAGE,
		   (end - begin) * PROCESS_DUMP_PAGE, MADV_DODUMP)) {
		ADD_SHARED(&HEAD->undumped, 1);
		return false;
	}
	for (uint64_t page = begin; page < end; page++)
		__atomic_fetch_or(mark_of(page), (unsigned char)(1 << page % 8), __ATOMIC_RELAXED);
	return true;
}

void dump_range(uint64_t at, uint64_t size)
{
	dump_more(at, size, 1);
}

void dump_recorder(void)
{
	uint64_t n = port_area();
	if (HEAD->dumped && n < HEAD->area_count)
		dump_range(HEAD->flight + n * HEAD->flight_stride, HEAD->flight_stride);
}

void dump_element(const struct process_map *map, const char *element)
{
	if (!element)
		return;
	uint64_t at = (uint64_t)(element - agent_memory), unit = 1;
	uint64_t place = (at - map->elements) / map->stride;
	uint64_t calls = __atomic_load_n(&HEAD->dumps, __ATOMIC_RELAXED);
	for (; calls >= CALLS_EACH && unit < UNIT_MOST; calls -= CALLS_EACH)
		unit *= 2;
	uint64_t made = dump_more(at, map->stride, unit);
	made += dump_more(map->words + place * sizeof(uint64_t), sizeof(uint64_t), unit);
	if (made)
		ADD_SHARED(&HEAD->dumps, made);
}
