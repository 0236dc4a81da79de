/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seen_path - the file at a path as a process sees it: in its root and mount namespace
 *
 * Links, absolute ones as well, are followed there (openat2(2), RESOLVE_IN_ROOT): a path through
 * /proc/PID/root would leave it at the first absolute link.  Both names are read back from our own
 * descriptors, so they are in the form in which we read the process's mappings, whatever its root.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "process/process.h"

static int root_open(int pid)
{
	auto_free char *path = mem_printf("/proc/%d/root", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_in_root(int root, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

/* The path of what FD is open at; NULL: it has none. */
static char *name_of(int fd)
{
	char name[PATH_MAX];
	auto_free char *link = mem_printf("/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, name, sizeof(name));
	return len > 0 && (size_t)len < sizeof(name) ? mem_strndup(name, (size_t)len) : NULL;
}

struct seen_path process_path(int pid, const char *path)
{
	struct seen_path ret = { 0 };
	auto_close int root = root_open(pid);
	if (root < 0 && process_lost_first_thread(pid, &pid))
		root = root_open(pid);
	if (root < 0) /* it has ended: what it saw was mostly what we see */
		root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	auto_close int file = open_in_root(root, path);
	ret.is_there = file >= 0 && fstat(file, &ret.st) == 0 && S_ISREG(ret.st.st_mode);
	ret.name = ret.is_there ? name_of(file) : NULL;
	const char *base = path_base_name(path);
	auto_free char *folder_path = mem_strndup(path, (size_t)(base - path));
	auto_close int folder = open_in_root(root, folder_path);
	auto_free char *folder_name = folder >= 0 ? name_of(folder) : NULL;
	if (folder_name)
		ret.plain = mem_printf("%s/%s", folder_name[1] ? folder_name : "", base);
	return ret;
}

void seen_path_deinit(struct seen_path *s)
{
	free(s->name);
	free(s->plain);
	*s = (struct seen_path) { 0 };
}

/* Is NAME, or NULL, the first LEN bytes of PATH? */
static bool name_is(const char *name, const char *path, size_t len)
{
	return name && strlen(name) == len && memcmp(name, path, len) == 0;
}

/*
 * Some file systems have other device numbers in mappings than stat() says: there the names
 * decide.  A file that was replaced has no name any more, but had one of these.
 */
bool seen_path_is(const struct seen_path *s, const struct mapping *m)
{
	size_t base_len;
	const char *base = mapping_base_name(m->path, &base_len);
	size_t len = (size_t)(base - m->path) + base_len;
	bool is_named = name_is(s->name, m->path, len) || name_is(s->plain, m->path, len);
	if (m->path[len])
		return is_named;
	return s->is_there && s->st.st_ino == m->inode &&
	       (is_named ||
		(major(s->st.st_dev) == m->dev_major && minor(s->st.st_dev) == m->dev_minor));
}
