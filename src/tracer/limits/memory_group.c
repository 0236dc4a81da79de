/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/limits/limits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tracer/targets/cgroups.h"

#define FILE_MOST (64u << 10) /* bytes of a file of a group */
#define NO_LIMIT (1ull << 62) /* version 1 writes a number for "none" */

/* The files of a group's folder. */
struct memory_files {
	const char *limits[2], *used;
	const char *caches[2]; /* in memory.stat: of this group and those below */
};

static const struct memory_files versions[] = {
	{ { "memory.limit_in_bytes", NULL },
	  "memory.usage_in_bytes",
	  { "\ntotal_inactive_file ", "\ntotal_active_file " } },
	{ { "memory.max", "memory.high" },
	  "memory.current",
	  { "\ninactive_file ", "\nactive_file " } },
};

/* --- one group -------------------------------------------------------------------------------- */

static bool read_file(const char *folder, const char *name, struct strbuf *text)
{
	auto_free char *path = mem_printf("%s/%s", folder, name);
	auto_error struct error *err = file_read(path, FILE_MOST, text);
	return !err;
}

/* False: the file is not there, or has a word ("max"). */
static bool read_number(const char *folder, const char *name, uint64_t *ret)
{
	auto_strbuf struct strbuf text = { 0 };
	return read_file(folder, name, &text) && sscanf(strbuf_text(&text), "%" SCNu64, ret) == 1;
}

static uint64_t caches(const char *folder, const struct memory_files *files)
{
	auto_strbuf struct strbuf text = { 0 };
	uint64_t sum = 0, size;
	strbuf_putc(&text, '\n');
	if (!read_file(folder, "memory.stat", &text))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(files->caches); i++) {
		const char *line = strstr(strbuf_text(&text), files->caches[i]);
		if (line && sscanf(line + strlen(files->caches[i]), "%" SCNu64, &size) == 1)
			sum += size;
	}
	return sum;
}

/* PATH is the group in FOLDER. */
static void look_at(const char *folder, const char *path, const struct memory_files *files,
		    struct memory_group *least)
{
	uint64_t limit = NO_LIMIT, other, used;
	for (size_t i = 0; i < ARRAY_SIZE(files->limits); i++)
		if (files->limits[i] && read_number(folder, files->limits[i], &other))
			limit = MIN(limit, other);
	if (limit == NO_LIMIT || !read_number(folder, files->used, &used))
		return;
	used -= MIN(used, caches(folder, files));
	uint64_t left = limit - MIN(limit, used);
	if (least->path && least->left <= left)
		return;
	free(least->path);
	*least = (struct memory_group) { mem_strdup(*path ? path : "/"), limit, left };
}

/* --- the groups above ------------------------------------------------------------------------- */

/* The group PATH of the hierarchy in MOUNT, and all above that the mount shows. */
static void look_up(const struct mount *mount, const char *path, const struct memory_files *files,
		    struct memory_group *least)
{
	const char *root = string_equal(mount->root, "/") ? "" : mount->root;
	bool is_below = path_is_in(path, root);
	auto_free char *group = mem_strdup(is_below ? path + strlen(root) : "");
	for (;;) {
		size_t len = strlen(group);
		while (len && group[len - 1] == '/')
			group[--len] = 0;
		auto_free char *folder = mem_printf("%s%s", mount->point, group);
		auto_free char *whole = mem_printf("%s%s", root, group);
		look_at(folder, whole, files, least);
		if (!len)
			return;
		*strrchr(group, '/') = 0;
	}
}

/* LINE: "NUMBER:CONTROLLERS:PATH"; the list of controllers is empty in version 2. */
static void look_by_line(char *line, const char *mounts, struct memory_group *least)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path || path[1] != '/')
		return;
	*path++ = 0;
	bool is_new = !*++controllers; /* version 2 */
	if (!is_new && !list_has_word(controllers, "memory"))
		return;
	auto_strbuf struct strbuf text = { 0 };
	struct mount mount;
	strbuf_puts(&text, mounts);
	const struct mount_wanted hierarchies[] = { { .type = "cgroup", .option = "memory" },
						    { .type = "cgroup2" } };
	if (mount_find(&text, hierarchies[is_new], &mount))
		look_up(&mount, path, &versions[is_new], least);
}

bool memory_group_of(const char *lines, const char *mounts, struct memory_group *ret)
{
	auto_free char *copy = mem_strdup(lines);
	struct memory_group least = { 0 };
	char *save;
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		look_by_line(line, mounts, &least);
	if (!least.path)
		return false;
	*ret = least;
	return true;
}

bool memory_group_find(struct memory_group *ret)
{
	auto_strbuf struct strbuf lines = { 0 }, mounts = { 0 };
	auto_error struct error *err = file_read("/proc/self/cgroup", MOUNTS_MOST, &lines);
	if (!err)
		err = file_read("/proc/self/mountinfo", MOUNTS_MOST, &mounts);
	return !err && memory_group_of(strbuf_text(&lines), strbuf_text(&mounts), ret);
}
