/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Control groups that -x target means (abi/state.h)
 *
 * The tracer adds those that are there.  Later ones join here, before a process can be in them: a
 * unit that starts again has a new group with the old name.  The kernel calls us while it makes the
 * group, so no event of its processes is missed.
 *
 * A group leaves when nothing refers to it any more, not when it is removed: until then threads
 * that end may still be in it.
 *
 * Hierarchies of version 1 call the same tracepoints and have ids of their own; they are left
 * out by the number of the hierarchy, which is 0 for version 2.
 */
#include "runtime/string/text.h"

#define ADD(counter) ADD_SHARED(&((struct control *)rt_control)->counter, 1)

static always_inline uint64_t id_of(uint64_t cgroup)
{
	uint64_t node = word_at(cgroup + NUMBER(rt_offset_cgroup_node));
	return node ? word_at(node + NUMBER(rt_offset_node_number)) : 0;
}

static always_inline uint64_t cgroup_parent(uint64_t cgroup)
{
	uint64_t parent = word_at(cgroup + NUMBER(rt_offset_cgroup_parent));
	return parent ? word_at(parent + NUMBER(rt_offset_subsystem_cgroup)) : 0;
}

static always_inline int is_version_2(uint64_t cgroup)
{
	uint64_t root = word_at(cgroup + NUMBER(rt_offset_cgroup_root));
	return root && !half_at(root + NUMBER(rt_offset_hierarchy_number));
}

static always_inline uint64_t *cell_of(uint64_t id)
{
	return (uint64_t *)rt_cgroup_cells + id % CGROUP_CELLS;
}

long rt_cgroup_traced(uint64_t id)
{
	return port_map_lookup(rt_cgroups, &id) != 0;
}

/* As cgroups_add() does in the loader. */
static always_inline void cgroup_add(uint64_t id)
{
	uint32_t traced = 1;
	if (port_map_update(rt_cgroups, &id, &traced, 0)) {
		ADD(cgroups_missed);
		return;
	}
	uint64_t was = __sync_val_compare_and_swap(cell_of(id), 0, id);
	if (was && was != id)
		*cell_of(id) = CGROUP_CELL_SHARED;
}

/* --- rules ------------------------------------------------------------------------------------ */

struct trial {
	uint64_t rule; /* its number */
	uint64_t fits;
};

static always_inline const struct cgroup_rule *rule_at(uint64_t number)
{
	OPAQUE(number);
	return &((const struct cgroup_rules *)rt_cgroup_rules)->rule[number % CGROUP_RULES];
}

static long compare_byte(uint32_t i, struct trial *t)
{
	const struct cgroup_rules *rules = (const struct cgroup_rules *)rt_cgroup_rules;
	const struct cgroup_rule *rule = rule_at(t->rule);
	uint64_t at = i;
	OPAQUE(at);
	char its = rule->kind == CGROUP_PATH ? rules->path[at % CGROUP_PATH_SIZE]
					     : rules->name[at % CGROUP_NAME_SIZE];
	if (i < rule->len)
		return rule->text[at % CGROUP_PATH_SIZE] != its;
	t->fits = rule->kind == CGROUP_PREFIX || !its;
	return 1;
}

static long try_rule(uint32_t i, struct trial *t)
{
	t->rule = i; /* fits is an unknown zero still (runtime/string/text.h) */
	port_loop(CGROUP_PATH_SIZE, compare_byte, t, 0);
	return t->fits != 0;
}

/* At most CGROUP_RULES times CGROUP_PATH_SIZE steps; names mostly differ in their first byte. */
static always_inline int cgroup_is_meant(uint64_t cgroup, uint64_t path)
{
	struct cgroup_rules *rules = (struct cgroup_rules *)rt_cgroup_rules;
	uint64_t node = word_at(cgroup + NUMBER(rt_offset_cgroup_node));
	uint64_t name = word_at(node + NUMBER(rt_offset_node_name));
	struct trial t = { .fits = unknown_zero((uint64_t *)rules->path) };
	if (port_read_kernel_text(rules->path, sizeof(rules->path), (void *)path) < 0 ||
	    port_read_kernel_text(rules->name, sizeof(rules->name), (void *)name) < 0)
		return 0;
	port_loop(rules->count, try_rule, &t, 0);
	return t.fits != 0;
}

/* --- groups begin and end --------------------------------------------------------------------- */

long rt_cgroup_made(uint64_t cgroup, uint64_t path)
{
	uint64_t id = id_of(cgroup), above = id_of(cgroup_parent(cgroup));
	if (!is_version_2(cgroup))
		return 0;
	if (rt_cgroup_traced(above) || cgroup_is_meant(cgroup, path))
		cgroup_add(id);
	return 0;
}

long rt_cgroup_released(uint64_t cgroup, uint64_t unused)
{
	uint64_t id = id_of(cgroup);
	if (is_version_2(cgroup) && !port_map_remove(rt_cgroups, &id))
		__sync_val_compare_and_swap(cell_of(id), id, 0);
	return 0;
}
