/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * region - size of a program's memory, and places of its parts
 *
 * Each executor makes these regions in its own way; the parts are at the same offsets everywhere.
 * The order of the state's parts: state.h.
 */
#ifndef ABI_REGION_H
#define ABI_REGION_H

#include <string.h>

#include "abi/program.h"

#define REGION_ALIGN 64

static inline uint64_t region_align(uint64_t size)
{
	return (size + REGION_ALIGN - 1) & ~(uint64_t)(REGION_ALIGN - 1);
}

/* --- the state: offsets of its parts, and its size ------------------------------------------ */

struct regions {
	uint64_t counters, globals, keyless, clause_drops, size;
};

static inline struct regions state_regions(const struct program *p)
{
	uint64_t areas = p->area_count;
	struct regions r;
	r.counters = sizeof(struct control);
	r.globals = r.counters + areas * sizeof(struct area_counters);
	r.keyless = region_align(r.globals + p->globals_size);
	r.clause_drops = r.keyless + areas * p->keyless_size;
	r.size = r.clause_drops;
	if (p->drops_by_clause)
		r.size += areas * p->clause_count * sizeof(struct clause_drops);
	return r;
}

/* --- values that entries save: tags, then cells (abi/call.h) --------------------------------- */

static inline uint64_t call_cells(const struct program *p)
{
	uint64_t cells = CALL_CELLS;
	while (cells > CALL_CELLS_LEAST && cells * p->call_size > CALL_BYTES)
		cells /= 2;
	return cells;
}

static inline uint64_t calls_size(const struct program *p)
{
	return call_cells(p) * (sizeof(uint64_t) + p->call_size);
}

/* --- scratch memory -------------------------------------------------------------------------- */

static inline uint64_t scratch_slots_size(const struct program *p)
{
	return (uint64_t)p->area_count * SLOTS_PER_AREA * p->slot_size;
}

/* The slots, and one more, which whatever begins in the last slot may run into (runtime.h). */
static inline uint64_t scratch_size(const struct program *p)
{
	return scratch_slots_size(p) + p->slot_size;
}

/* The value of RELOCATE_SLOTS_LAST. */
static inline uint64_t scratch_last_slot(const struct program *p)
{
	return scratch_slots_size(p) - p->slot_size;
}

/* --- constants: the program's, then the probe table of each group ---------------------------- */

static inline uint64_t probe_table_size(const struct group_code *group)
{
	return (uint64_t)group->table_entries * group->table_entry_size;
}

/* The end of the tables of so many groups. */
static inline uint64_t constants_tables_end(const struct program *p, unsigned groups)
{
	uint64_t offset = region_align(p->constants_size);
	for (unsigned i = 0; i < groups; i++)
		if (!p->groups[i].part)
			offset += region_align(probe_table_size(&p->groups[i]));
	return offset;
}

/* Where the table of this group is. */
static inline uint64_t constants_table(const struct program *p, unsigned group)
{
	return constants_tables_end(p, group - p->groups[group].part);
}

static inline uint64_t constants_region_size(const struct program *p)
{
	return constants_tables_end(p, p->group_count);
}

/* Into constants_region_size() zero bytes. */
static inline void constants_fill(const struct program *p, char *to)
{
	if (p->constants_size)
		memcpy(to, p->constants, p->constants_size);
	to += constants_tables_end(p, 0);
	for (unsigned i = 0; i < p->group_count; i++) {
		if (p->groups[i].part)
			continue;
		uint64_t size = probe_table_size(&p->groups[i]);
		if (size)
			memcpy(to, p->groups[i].probe_table, size);
		to += region_align(size);
	}
}

/* The value of RELOCATE_CONSTANTS_END: a string that begins here still ends inside. */
static inline uint64_t constants_last_string(const struct program *p)
{
	return p->constants_size - p->string_size - sizeof(struct rt_string);
}

/* Can programs share state and maps? */
static inline bool regions_agree(const struct program *a, const struct program *b)
{
	bool same = a->globals_size == b->globals_size && a->keyless_size == b->keyless_size &&
		    a->self_size == b->self_size && a->call_size == b->call_size &&
		    a->clause_count == b->clause_count && a->string_size == b->string_size &&
		    a->map_count == b->map_count;
	for (unsigned i = 0; same && i < a->map_count; i++)
		same = a->maps[i].key_size == b->maps[i].key_size &&
		       a->maps[i].value_size == b->maps[i].value_size;
	return same;
}

#endif
