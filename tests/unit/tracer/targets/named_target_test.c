/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/targets/named_target.h"

#include <string.h>

#include "test.h"

TEST(values_are_a_kind_and_a_name)
{
	static const struct {
		const char *text;
		enum named_target_kind kind;
		const char *name;
	} good[] = {
		{ "cgroup:/a/b", NAMED_CGROUP, "/a/b" },
		{ "unit:x.service", NAMED_UNIT, "x.service" },
		{ "container:12", NAMED_CONTAINER, "12" },
		{ "user:0", NAMED_USER, "0" },
		{ "exec:a:b", NAMED_EXEC, "a:b" },
	};
	static const char *const bad[] = { "",	      ":",     "unit",	 "unit:",    ":unit",
					   "unitx:a", "uni:a", "UNIT:a", "user=root" };
	struct named_target t;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CHECK(named_target_parse(good[i].text, &t));
		CHECK_INT(t.kind, good[i].kind);
		CHECK_STR(t.name, good[i].name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(!named_target_parse(bad[i], &t));
}

/* Does the target TEXT mean the group at PATH? */
static bool means(const char *text, const char *path)
{
	struct named_target t;
	cgroup_rules rules = { 0 };
	bool any = false;
	CHECK(named_target_parse(text, &t));
	CHECK(named_target_rules(&t, &rules));
	for (size_t i = 0; i < rules.count; i++)
		any |= cgroup_rule_fits(&rules.items[i], path);
	vector_free(&rules);
	return any;
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

TEST(targets_mean_control_groups)
{
	static const struct {
		const char *target, *path;
		bool wanted;
	} cases[] = {
		{ "cgroup:/", "/", true },
		{ "cgroup:/", "/a", false },
		{ "cgroup:/a/b", "/a/b", true },
		{ "cgroup:a/b/", "/a/b", true },
		{ "cgroup:/a/b", "/a/bc", false },
		{ "cgroup:/a/b", "/x/a/b", false },
		{ "unit:x", "/system.slice/x.service", true },
		{ "unit:x.y", "/system.slice/x.y.service", true },
		{ "unit:x.service", "/user.slice/user@1.service/app.slice/x.service", true },
		{ "unit:x.scope", "/x.scope", true },
		{ "unit:x.scope", "/x.service", false },
		{ "unit:x", "/system.slice/x.service/inner", false },
		{ "unit:x", "/system.slice/ax.service", false },
		{ "unit:x", "/", false },
		{ "container:" ID, "/system.slice/docker-" ID ".scope", true },
		{ "container:0123", "/system.slice/docker-" ID ".scope", true },
		{ "container:0123", "/docker/" ID, false },
		{ "container:0123456789ab", "/docker/" ID, true },
		{ "container:0123456789ac", "/docker/" ID, false },
		{ "container:0123456789ab", "/kubepods/pod1/" ID, true },
		{ "container:0123", "/libpod-conmon-" ID ".scope", false },
		{ "container:web", "/lxc/web", true },
		{ "container:web", "/lxc.payload.web", true },
		{ "container:web", "/lxc.payload.web-2", false },
		{ "container:web", "/machine.slice/machine-web.scope", true },
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_INT(means(cases[i].target, cases[i].path), cases[i].wanted);
}

TEST(names_longer_than_the_kernel_s_are_refused)
{
	char text[CGROUP_PATH_SIZE + 16];
	struct named_target t;
	cgroup_rules rules = { 0 };
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = 0;
	memcpy(text, "cgroup:", 7);
	CHECK(named_target_parse(text, &t));
	CHECK(!named_target_rules(&t, &rules));
	text[7 + CGROUP_PATH_SIZE - 2] = 0; /* with the first slash as many as there may be */
	CHECK(named_target_rules(&t, &rules));
	memcpy(text, "unit:aa", 7);
	CHECK(named_target_parse(text, &t));
	CHECK(!named_target_rules(&t, &rules));
	CHECK_INT(rules.count, 1);
	CHECK_INT(rules.items[0].len, CGROUP_PATH_SIZE - 1);
	vector_free(&rules);
}

TEST_MAIN
