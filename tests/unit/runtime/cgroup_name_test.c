/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/cgroup_name.c: the path of a control group, and the container in it */
#include "host.h"

#include <stdio.h>

#include "base/base.h"
#include "runtime/process/cgroup_name.c"

struct node {
	const char *name;
	const struct node *parent;
};

struct group {
	const struct node *node;
};

struct set {
	const struct group *group;
};

struct task {
	const struct set *set;
};

#define AT 4096

/* The names of a path, the last one first, as nodes; FUNCTION's string for a thread there. */
static const char *named(const char *path, long (*function)(uint64_t at))
{
	static char copy[1024];
	struct node nodes[80] = { { "", NULL } };
	unsigned count = 1;
	char *save;
	host_rt_offset_task_cgroups = host_rt_offset_set_cgroup = 0;
	host_rt_offset_cgroup_node = 0;
	host_rt_offset_node_name = offsetof(struct node, name);
	host_rt_offset_node_parent = offsetof(struct node, parent);
	snprintf(copy, sizeof(copy), "%s", path);
	for (char *name = strtok_r(copy, "/", &save); name; name = strtok_r(NULL, "/", &save)) {
		nodes[count] = (struct node) { name, &nodes[count - 1] };
		count++;
	}
	struct group group = { &nodes[count - 1] };
	struct set set = { &group };
	struct task task = { &set };
	host_task = (uint64_t)&task;
	memset(rt_scratch, 'x', HOST_SLOT);
	memset(rt_scratch, 0, sizeof(struct slot));
	function(AT);
	return ((struct rt_string *)(rt_scratch + AT))->text;
}

static unsigned truncations(void)
{
	return ((struct slot *)rt_scratch)->truncated_strings;
}

TEST(paths_are_whole)
{
	static const char *const paths[] = { "/", "/a", "/a.slice/b.service", "/a/b/c/d/e/f/g/h" };
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		CHECK_STR(named(paths[i], rt_cgroupname), paths[i]);
		CHECK_INT(truncations(), 0);
	}
}

TEST(long_paths_lose_their_first_parts)
{
	host_rt_string_size = 16;
	CHECK_STR(named("/3456/890123456", rt_cgroupname), "/3456/890123456");
	CHECK_INT(truncations(), 0);
	CHECK_STR(named("/a/3456/890123456", rt_cgroupname), "/3456/890123456");
	CHECK_INT(truncations(), 1);
	CHECK_STR(named("/01234567890123456789", rt_cgroupname), "/");
	CHECK_INT(truncations(), 1);
	host_rt_string_size = 256;
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TEST(containers_are_found_in_their_paths)
{
	static const struct {
		const char *path, *wanted;
	} cases[] = {
		{ "/", "" },
		{ "/system.slice/x.service", "" },
		{ "/system.slice/docker-" ID ".scope", ID },
		{ "/libpod-" ID ".scope/container", ID },
		{ "/libpod-conmon-" ID ".scope", "" },
		{ "/crio-conmon-" ID ".scope", "" },
		{ "/cri-containerd-" ID ".scope", ID },
		{ "/crio-" ID, ID },
		{ "/docker/" ID, ID },
		{ "/docker/" ID "0", "" },
		{ "/docker/0123456789ABCDEF" ID, "" },
		{ "/lxc.payload.web", "web" },
		{ "/systemd-nspawn@a.b.service", "a.b" },
		{ "/machine-a.scope", "a" },
		{ "/docker-outer/docker-inner/x", "inner" },
		{ "/docker", "" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(named(cases[i].path, rt_container), cases[i].wanted);
}

TEST_MAIN
