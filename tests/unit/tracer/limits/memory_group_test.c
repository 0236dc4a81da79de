/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/limits/limits.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "test.h"
#include "tracer/targets/cgroups.h"

static char root[] = "/tmp/memory-group-XXXXXX";

static void put(const char *name, const char *content)
{
	auto_free char *path = mem_printf("%s/%s", root, name);
	auto_strbuf struct strbuf text = { 0 };
	strbuf_puts(&text, content);
	CHECK_INT(file_replace(path, &text, 0644), 0);
}

static void folder(const char *name)
{
	auto_free char *path = mem_printf("%s/%s", root, name);
	CHECK_INT(mkdir(path, 0755), 0);
}

static char *mounts(const char *mounted, const char *type, const char *options)
{
	return mem_printf("1 0 0:1 / / rw - ext4 /dev/sda rw\n"
			  "2 1 0:2 %s %s rw shared:1 - %s cgroup rw%s\n",
			  mounted, root, type, options);
}

static void make_groups(void)
{
	CHECK(mkdtemp(root));
	folder("a");
	folder("a/b");
	put("a/memory.max", "1000000\n");
	put("a/memory.current", "900000\n");
	put("a/memory.stat", "anon 5\ninactive_file 100000\nactive_file 50000\n");
	put("a/b/memory.max", "max\n");
	put("a/b/memory.high", "500000\n");
	put("a/b/memory.current", "200000\n");
	put("a/memory.limit_in_bytes", "800000\n");
	put("a/memory.usage_in_bytes", "900000\n");
	put("a/b/memory.limit_in_bytes", "9223372036854771712\n");
	put("a/b/memory.usage_in_bytes", "0\n");
}

TEST(the_group_that_leaves_least_counts_also_if_it_is_above)
{
	struct memory_group g;
	make_groups();
	auto_free char *all = mounts("/", "cgroup2", "");
	CHECK(memory_group_of("0::/a/b\n", all, &g));
	CHECK_STR(g.path, "/a");
	CHECK_INT(g.limit, 1000000);
	CHECK_INT(g.left, 250000); /* caches of files are dropped when memory is needed */
	free(g.path);

	put("a/b/memory.current", "400000\n");
	CHECK(memory_group_of("0::/a/b\n", all, &g));
	CHECK_STR(g.path, "/a/b");
	CHECK_INT(g.limit, 500000);
	CHECK_INT(g.left, 100000);
	free(g.path);
}

TEST(groups_of_version_1_are_those_of_the_memory_controller)
{
	struct memory_group g;
	auto_free char *cpu = mounts("/", "cgroup", ",cpu");
	auto_free char *memory = mounts("/", "cgroup", ",hugetlb,memory");
	CHECK(!memory_group_of("4:memory:/a/b\n3:cpu:/a\n", cpu, &g));
	CHECK(!memory_group_of("4:memoryless:/a/b\n3:cpu:/a\n", memory, &g));
	CHECK(memory_group_of("4:hugetlb,memory:/a/b\n3:cpu:/a\n", memory, &g));
	CHECK_STR(g.path, "/a");
	CHECK_INT(g.left, 0);
	free(g.path);
}

TEST(in_a_container_the_mount_shows_its_group_alone)
{
	struct memory_group g;
	auto_free char *part = mounts("/pods/x", "cgroup2", "");
	CHECK(memory_group_of("0::/pods/x/a\n", part, &g));
	CHECK_STR(g.path, "/pods/x/a");
	free(g.path);
	CHECK(!memory_group_of("0::/../y/a\n", part, &g)); /* outside: the mounted group has none */
	CHECK(!memory_group_of("0::/a\n", "", &g));
	CHECK(!memory_group_of("no group", part, &g));
}

static void remove_groups(void)
{
	static const char *const names[] = {
		"a/b/memory.max",
		"a/b/memory.high",
		"a/b/memory.current",
		"a/b/memory.limit_in_bytes",
		"a/b/memory.usage_in_bytes",
		"a/b",
		"a/memory.max",
		"a/memory.current",
		"a/memory.stat",
		"a/memory.limit_in_bytes",
		"a/memory.usage_in_bytes",
		"a",
		"",
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *path = mem_printf("%s/%s", root, names[i]);
		CHECK_INT(remove(path), 0);
	}
}

TEST(the_folder_of_the_test_is_removed)
{
	remove_groups();
}

TEST(words_of_a_list)
{
	CHECK(list_has_word("rw,memory", "memory"));
	CHECK(list_has_word("memory,rw", "memory"));
	CHECK(!list_has_word("memory_x,rw", "memory"));
	CHECK(!list_has_word("", "memory"));
}

TEST_MAIN
