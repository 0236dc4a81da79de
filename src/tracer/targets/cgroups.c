/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/targets/cgroups.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* The first mount of TYPE, of those with the path PATH in them if it is not NULL; in TEXT. */
static bool find_mount(struct strbuf *text, const char *type, const char *path, struct mount *ret)
{
	strbuf_clear(text);
	auto_error struct error *err = file_read("/proc/self/mountinfo", MOUNTS_MOST, text);
	return !err && mount_find(text, (struct mount_wanted) { type, path, NULL }, ret);
}

struct error *hierarchy_find(struct hierarchy *ret)
{
	auto_strbuf struct strbuf text = { 0 };
	struct mount m;
	if (find_mount(&text, "cgroup2", NULL, &m)) {
		ret->mount = mem_strdup(m.point);
		ret->prefix = mem_strdup(string_equal(m.root, "/") ? "" : m.root);
		return NULL;
	}
	if (find_mount(&text, "cgroup", NULL, &m))
		return error_new("control groups of version 1 (%s) are not supported, and none of "
				 "version 2 (cgroup2) are mounted",
				 m.point);
	return error_new("no control groups of version 2 (cgroup2) are mounted");
}

void hierarchy_deinit(struct hierarchy *h)
{
	free(h->mount);
	free(h->prefix);
	*h = (struct hierarchy) { 0 };
}

/* Is NAME, which is outside of the hierarchy's mount, a folder, and not the path of a group? */
static bool is_other_folder(const struct hierarchy *h, const char *name)
{
	struct stat st;
	auto_free char *group = mem_printf("%s%s", h->mount, name);
	return name[0] == '/' && stat(name, &st) == 0 && S_ISDIR(st.st_mode) &&
	       stat(group, &st) != 0;
}

struct error *hierarchy_path(const struct hierarchy *h, const char *name, char **ret)
{
	auto_strbuf struct strbuf text = { 0 };
	struct mount old;
	if (path_is_in(name, h->mount)) {
		*ret = mem_printf("%s%s", h->prefix, name + strlen(h->mount));
		return NULL;
	}
	if (find_mount(&text, "cgroup", name, &old))
		return error_new("%s is of version 1 of control groups, which is not supported; "
				 "those of version 2 are in %s",
				 name, h->mount);
	if (is_other_folder(h, name))
		return error_new("the folder %s is not a control group: those are in %s", name,
				 h->mount);
	*ret = mem_strdup(name);
	return NULL;
}

bool hierarchy_is_in_namespace(void)
{
	static const char first[] = "cgroup:[4026531835]"; /* the kernel's PROC_CGROUP_INIT_INO */
	char name[64];
	ssize_t len = readlink("/proc/self/ns/cgroup", name, sizeof(name) - 1);
	if (len < 0)
		return false;
	name[len] = 0;
	return !string_equal(name, first);
}

/* --- the walk --------------------------------------------------------------------------------- */

struct walk {
	cgroup_visit_fn *visit;
	void *arg;
	struct strbuf path; /* from the mount on */
	const char *prefix;
};

static void walk_group(struct walk *w, int fd, bool is_below);

static void walk_into(struct walk *w, int above, const char *name, bool is_below)
{
	size_t len = w->path.len;
	auto_close int fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	strbuf_printf(&w->path, "/%s", name);
	if (fd >= 0)
		walk_group(w, fd, is_below);
	w->path.len = len;
}

/*
 * A group is visited before its folder is read: one that is made after that has a traced group
 * above.  FD is read by the stream of a copy, which is closed with it.
 */
static void walk_group(struct walk *w, int fd, bool is_below)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return;
	auto_free char *path = mem_printf("%s%s", w->prefix, strbuf_text(&w->path));
	is_below = w->visit(w->arg, st.st_ino, *path ? path : "/", is_below);
	DIR *dir = fdopendir(dup(fd));
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			walk_into(w, fd, e->d_name, is_below);
	if (dir)
		closedir(dir);
}

void hierarchy_walk(const struct hierarchy *h, cgroup_visit_fn *visit, void *arg)
{
	struct walk w = { .visit = visit, .arg = arg, .prefix = h->prefix };
	auto_close int fd = open(h->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		walk_group(&w, fd, false);
	strbuf_deinit(&w.path);
}
