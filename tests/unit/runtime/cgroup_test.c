/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/cgroup.c: which new control groups join those of -x target, and how cells are
 * shared */
#include "host.h"

#include <errno.h>
#include <stdio.h>

#include "base/base.h"

#define IDS 1024

static char rt_cgroups[1];
static char rt_cgroup_cells[CGROUP_CELLS * sizeof(uint64_t)] __attribute__((aligned(8)));
static char rt_cgroup_rules[sizeof(struct cgroup_rules)] __attribute__((aligned(8)));
static uint64_t ids[IDS];
static unsigned id_count, room = IDS;

static uint64_t *id_place(uint64_t id)
{
	for (unsigned i = 0; i < id_count; i++)
		if (ids[i] == id)
			return &ids[i];
	return NULL;
}

static inline void *port_map_lookup(void *map, const void *key)
{
	return id_place(*(const uint64_t *)key);
}

static inline long port_map_update(void *map, const void *key, const void *value, uint64_t flags)
{
	if (id_place(*(const uint64_t *)key))
		return 0;
	if (id_count == room)
		return -E2BIG;
	ids[id_count++] = *(const uint64_t *)key;
	return 0;
}

static inline long port_map_remove(void *map, const void *key)
{
	uint64_t *id = id_place(*(const uint64_t *)key);
	if (!id)
		return -ENOENT;
	*id = ids[--id_count];
	return 0;
}

#include "runtime/process/cgroup.c"

/* --- a hierarchy ------------------------------------------------------------------------------ */

struct node {
	const char *name;
	uint64_t id;
};

struct root {
	uint32_t number;
};

struct group {
	struct node *kn;
	struct group
		*parent; /* its struct cgroup_subsys_state, whose only member here is the group */
	struct root *root;
	struct group *self;
	struct node node;
	char path[CGROUP_PATH_SIZE];
};

static struct root version_2 = { 0 }, version_1 = { 1 };

static struct group group_of(struct root *root, struct group *parent, const char *path, uint64_t id)
{
	struct group g = { .root = root };
	snprintf(g.path, sizeof(g.path), "%s", path);
	g.node.id = id;
	g.parent = parent;
	return g;
}

/* The kernel makes G. */
static void make(struct group *g)
{
	g->kn = &g->node;
	g->self = g;
	g->node.name = strrchr(g->path, '/') + 1;
	rt_cgroup_made((uint64_t)g, (uint64_t)g->path);
}

static struct cgroup_rules *rules(void)
{
	return (struct cgroup_rules *)rt_cgroup_rules;
}

static void add_rule(enum cgroup_rule_kind kind, const char *text)
{
	struct cgroup_rule *r = &rules()->rule[rules()->count++];
	r->kind = kind;
	r->len = (uint32_t)strlen(text);
	memcpy(r->text, text, r->len);
}

static void set_up(void)
{
	host_rt_offset_cgroup_node = offsetof(struct group, kn);
	host_rt_offset_cgroup_parent = offsetof(struct group, parent);
	host_rt_offset_cgroup_root = offsetof(struct group, root);
	host_rt_offset_subsystem_cgroup = offsetof(struct group, self);
	host_rt_offset_hierarchy_number = offsetof(struct root, number);
	host_rt_offset_node_number = offsetof(struct node, id);
	host_rt_offset_node_name = offsetof(struct node, name);
	memset(rt_cgroup_cells, 0, sizeof(rt_cgroup_cells));
	memset(rt_cgroup_rules, 0, sizeof(rt_cgroup_rules));
	memset(rt_control, 0, sizeof(rt_control));
	id_count = 0;
	room = IDS;
}

static uint64_t cell(uint64_t id)
{
	return ((uint64_t *)rt_cgroup_cells)[id % CGROUP_CELLS];
}

/* As codegen/task_test.c tests it. */
static bool passes(uint64_t id)
{
	return cell(id) == id || (cell(id) == CGROUP_CELL_SHARED && rt_cgroup_traced(id));
}

TEST(groups_that_a_rule_means_join)
{
	static const struct {
		enum cgroup_rule_kind kind;
		const char *text, *path;
		bool wanted;
	} cases[] = {
		{ CGROUP_PATH, "/a/b", "/a/b", true },
		{ CGROUP_PATH, "/a/b", "/a/bc", false },
		{ CGROUP_PATH, "/a/b", "/x/a/b", false },
		{ CGROUP_PATH, "/a/b", "/a", false },
		{ CGROUP_NAME, "x.service", "/system.slice/x.service", true },
		{ CGROUP_NAME, "x.service", "/x.service", true },
		{ CGROUP_NAME, "x.service", "/ax.service", false },
		{ CGROUP_NAME, "x.service", "/x.service.d", false },
		{ CGROUP_PREFIX, "docker-01", "/docker-0123.scope", true },
		{ CGROUP_PREFIX, "docker-01", "/docker-01", true },
		{ CGROUP_PREFIX, "docker-01", "/docker-0", false },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up();
		add_rule(CGROUP_NAME, "other");
		add_rule(cases[i].kind, cases[i].text);
		struct group g = group_of(&version_2, NULL, cases[i].path, 7);
		make(&g);
		CHECK_INT(passes(7), cases[i].wanted);
	}
}

TEST(groups_below_join_and_version_1_does_not)
{
	set_up();
	add_rule(CGROUP_NAME, "a");
	struct group a = group_of(&version_2, NULL, "/a", 1);
	struct group below = group_of(&version_2, &a, "/a/b", 2);
	struct group lower = group_of(&version_2, &below, "/a/b/c", 3);
	struct group other = group_of(&version_2, NULL, "/b", 4);
	struct group old = group_of(&version_1, NULL, "/a", 5);
	struct group *all[] = { &a, &below, &lower, &other, &old };
	for (unsigned i = 0; i < ARRAY_SIZE(all); i++)
		make(all[i]);
	CHECK(passes(1) && passes(2) && passes(3));
	CHECK(!passes(4) && !passes(5));
	rt_cgroup_released((uint64_t)&old, 0);
	rt_cgroup_released((uint64_t)&below, 0);
	CHECK(passes(1) && !passes(2) && passes(3));
	CHECK_INT(cell(2), 0);
}

TEST(groups_that_share_a_cell_are_told_apart)
{
	set_up();
	add_rule(CGROUP_NAME, "a");
	struct group first = group_of(&version_2, NULL, "/a", 9);
	struct group second = group_of(&version_2, NULL, "/x/a", 9 + CGROUP_CELLS);
	make(&first);
	CHECK(!passes(9 + CGROUP_CELLS));
	make(&second);
	CHECK(passes(9) && passes(9 + CGROUP_CELLS) && !passes(9 + 2 * CGROUP_CELLS));
	rt_cgroup_released((uint64_t)&first, 0);
	CHECK(!passes(9) && passes(9 + CGROUP_CELLS));
}

TEST(groups_without_room_are_counted)
{
	set_up();
	add_rule(CGROUP_NAME, "a");
	struct group first = group_of(&version_2, NULL, "/a", 1);
	struct group second = group_of(&version_2, NULL, "/x/a", 2);
	room = 1;
	make(&first);
	make(&second);
	CHECK(passes(1) && !passes(2));
	CHECK_INT(((struct control *)rt_control)->cgroups_missed, 1);
}

TEST_MAIN
