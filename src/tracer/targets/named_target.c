/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/targets/named_target.h"

#include <ctype.h>
#include <string.h>

/* --- values of the option --------------------------------------------------------------------- */

/* In the order of the enum. */
static const char *const kinds[] = { "cgroup", "unit", "container", "user", "exec" };

bool named_target_parse(const char *text, struct named_target *ret)
{
	const char *colon = strchr(text, ':');
	for (size_t i = 0; colon && colon[1] && i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i]) == (size_t)(colon - text) &&
		    strncmp(kinds[i], text, (size_t)(colon - text)) == 0) {
			*ret = (struct named_target) { (enum named_target_kind)i, colon + 1 };
			return true;
		}
	return false;
}

bool named_target_is_cgroup(const struct named_target *t)
{
	return t->kind <= NAMED_CONTAINER;
}

/* --- rules ------------------------------------------------------------------------------------ */

static bool add_rule(enum cgroup_rule_kind kind, const char *before, const char *name,
		     const char *after, cgroup_rules *ret)
{
	struct cgroup_rule rule = { .kind = kind };
	size_t most = kind == CGROUP_PATH ? sizeof(rule.text) : CGROUP_NAME_SIZE;
	int len = snprintf(rule.text, most, "%s%s%s", before, name, after);
	if (len < 0 || (size_t)len >= most)
		return false;
	rule.len = (uint32_t)len;
	vector_push(ret, rule);
	return true;
}

/* Paths may be written without the first slash, and with one at the end. */
static bool add_path(const char *name, cgroup_rules *ret)
{
	size_t len = strlen(name);
	while (len && name[len - 1] == '/')
		len--;
	auto_free char *path = mem_strndup(name, len);
	return add_rule(CGROUP_PATH, *path == '/' ? "" : "/", path, "", ret);
}

/* Kinds of units that have processes. */
static const char *const unit_kinds[] = { ".service", ".scope", ".slice",
					  ".socket",  ".mount", ".swap" };

static bool add_unit(const char *name, cgroup_rules *ret)
{
	const char *dot = strrchr(name, '.'), *kind = ".service";
	for (size_t i = 0; dot && i < ARRAY_SIZE(unit_kinds); i++)
		if (string_equal(dot, unit_kinds[i]))
			kind = "";
	return add_rule(CGROUP_NAME, "", name, kind, ret);
}

/* How runtimes call a container's control group, with systemd and without. */
static const struct {
	enum cgroup_rule_kind kind;
	const char *before, *after;
} containers[] = {
	{ CGROUP_PREFIX, "docker-", "" },
	{ CGROUP_PREFIX, "libpod-", "" }, /* Podman */
	{ CGROUP_PREFIX, "cri-containerd-", "" },
	{ CGROUP_PREFIX, "crio-", "" },
	{ CGROUP_NAME, "lxc.payload.", "" },
	{ CGROUP_NAME, "machine-", ".scope" }, /* systemd-nspawn */
	{ CGROUP_NAME, "systemd-nspawn@", ".service" },
	{ CGROUP_NAME, "", "" }, /* /docker/ID, /kubepods/.../ID, /lxc/NAME */
};

/* An id may be abbreviated, as `docker ps` does; names not: web is not web-2. */
static bool is_id(const char *name)
{
	size_t digits = 0;
	while (isxdigit((unsigned char)name[digits]))
		digits++;
	return digits >= 12 && !name[digits];
}

static bool add_container(const char *name, cgroup_rules *ret)
{
	bool fits = true;
	for (size_t i = 0; i < ARRAY_SIZE(containers) && fits; i++)
		fits = add_rule(is_id(name) && !*containers[i].before ? CGROUP_PREFIX
								      : containers[i].kind,
				containers[i].before, name, containers[i].after, ret);
	return fits;
}

bool named_target_rules(const struct named_target *t, cgroup_rules *ret)
{
	switch (t->kind) {
	case NAMED_CGROUP:
		return add_path(t->name, ret);
	case NAMED_UNIT:
		return add_unit(t->name, ret);
	case NAMED_CONTAINER:
		return add_container(t->name, ret);
	case NAMED_USER:
	case NAMED_EXEC:
		return true;
	}
	return true;
}

bool cgroup_rule_fits(const struct cgroup_rule *rule, const char *path)
{
	const char *its = rule->kind == CGROUP_PATH ? path : strrchr(path, '/') + 1;
	size_t len = strlen(its);
	bool whole = rule->kind != CGROUP_PREFIX;
	return (whole ? len == rule->len : len >= rule->len) &&
	       memcmp(its, rule->text, rule->len) == 0;
}
