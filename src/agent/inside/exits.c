/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Returns that follow jumps: the library's functions, for all groups of a program at once
 *
 * In the kernel each group has the library's functions for itself, with its numbers.  Here they
 * have the group's from what is before each firing.
 */
#include "agent/inside/host.h"

#include "abi/exit.h"

/* On the stack of the group's code (inject/exits.c). */
struct firing_of_exit {
	const struct process_exits *group;
	struct exit_firing firing;
};

static inline const struct process_exits *exits_group_of(const struct exit_firing *f)
{
	return ((const struct firing_of_exit *)(const void *)((const char *)f -
							      offsetof(struct firing_of_exit,
								       firing)))
		->group;
}

void *rt_map_lookup(struct process_map *map, const void *key);
uint64_t rt_map_update(struct process_map *map, const void *key, const void *value, uint64_t flags);
uint64_t rt_map_delete(struct process_map *map, const void *key);

/* A count of a process's places is for its end, at which they go anyway. */
static inline void *exits_lookup(struct process_map *map, const void *key)
{
	uint64_t *none = &HEAD->exit_count;
	return map ? rt_map_lookup(map, key) : none;
}

#define rt_exit_places ((struct process_map *)(void *)(agent_memory + HEAD->exits))
#define rt_exit_counts ((struct process_map *)NULL)
#define port_map_lookup exits_lookup
#define port_map_update(map, key, value, flags) ((long)rt_map_update(map, key, value, flags))
#define port_map_remove(map, key) ((long)rt_map_delete(map, key))
#define host_rt_exit_group (exits_group_of(f)->group)
#define host_rt_table_entries (exits_group_of(f)->entries)
#define host_rt_table_entry_size (exits_group_of(f)->entry_size)
#define rt_table (exits_group_of(f)->table)
#define host_rt_has_link 0

/* The context is on the stack, and is ours. */
#undef port_read_kernel
#define port_read_kernel(to, size, from) memcpy(to, from, size)

static inline int exits_are_covered(const struct exit_firing *f, uint64_t to)
{
	const struct process_exits *g = exits_group_of(f);
	uint32_t low = 0, high = g->covered_count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (g->covered[middle] == to)
			return 1;
		if (g->covered[middle] < to)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}
#define port_is_covered(f, s, j, to)                                                               \
	(((j)->file != EXIT_NO_FILE || (j)->pid != EXIT_NO_PROCESS) && exits_are_covered(f, to))

#include "runtime/process/exit.c"

/* Words of struct pt_regs */
#define WORD_PC 16
#define WORD_FLAGS 18
#define WORD_STACK_POINTER 19

/* How many probes fire; F is ready for the first.  rt_exit_next() is called for the others. */
uint64_t agent_exits(struct firing_of_exit *f, const uint64_t *context, uint64_t cookie,
		     const struct process_exits *group)
{
	f->group = group;
	f->firing = (struct exit_firing) { .context = (uintptr_t)context,
					   .stack_pointer = context[WORD_STACK_POINTER] };
	return (uint64_t)rt_exits(&f->firing, cookie, context[WORD_PC], context[WORD_FLAGS]);
}
