/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program's own maps: aggregations and arrays, hash tables that begin empty
 *
 * NO_PREALLOC, except those that a timer fills (plan/plan.c): their size is a limit, and elements
 * are allocated as needed; only the buckets exist from the start, 16 bytes for each possible
 * element, rounded up to a power of two.  The kernel writes to each of them: 60 to 75 us for a MB
 * (6.18, a virtual machine), so that tables of 2 GB, the largest possible, take 6 to 12 s.  Hence
 * buckets get a small part of the machine's memory at most; a table that needs more is lowered at
 * once.
 */
#include <unistd.h>

#include "kernel/kernel.h"
#include "loader/internal.h"

#define BUCKET 16	/* bytes */
#define MEMORY_SHARE 64 /* buckets may have the MEMORY_SHAREth part of all memory */

/*
 * The smallest map, in bytes of a shard, counted as codegen counted.  With one element more than
 * it holds the size is at least the one requested, halved as often.
 */
static void note_lowered(uint64_t *least, const struct map_request *r,
			 const struct map_layout *layout)
{
	uint64_t elements = r->max_entries / layout->shards + 1;
	uint64_t size = elements * (r->key_size + r->value_size + MAP_ELEMENT);
	*least = *least ? MIN(*least, size) : size;
}

static void request_halve(struct map_request *r, const struct map_layout *layout)
{
	r->max_entries = MAX(r->max_entries / layout->shards / 2, 1u) * layout->shards;
}

static uint64_t memory_size(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Would the empty table take more memory, and so more time, than it is worth? */
static bool is_vast(const struct map_request *r)
{
	uint64_t buckets = 1;
	while (buckets < r->max_entries)
		buckets *= 2;
	return buckets * BUCKET > memory_size() / MEMORY_SHARE;
}

struct error *make_program_map(struct maps *m, const struct map_layout *layout, int *ret)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = layout->name,
		.key_size = layout->key_size,
		.value_size = layout->value_size,
		.max_entries = layout->max_entries,
		.flags = layout->is_preallocated ? 0 : BPF_F_NO_PREALLOC,
	};
	bool aggregation = layout->kind == MAP_AGGREGATION;
	bool may_halve = m->options->halve;
	while (may_halve && is_vast(&request))
		request_halve(&request, layout);
	struct error *err = map_make(m, &request, ret);
	while (err && is_too_much(err) && may_halve && request.max_entries > layout->shards) {
		error_free(err);
		request_halve(&request, layout);
		err = map_make(m, &request, ret);
	}
	if (err && !is_too_much(err))
		return err;
	if (err)
		return error_wrap(err, "%s is too large for this kernel",
				  aggregation ? "aggsize" : "dynvarsize");
	if (request.max_entries < layout->max_entries)
		note_lowered(aggregation ? &m->loaded->aggregation_lowered
					 : &m->loaded->dynamic_lowered,
			     &request, layout);
	return NULL;
}
