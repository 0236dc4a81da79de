/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/pid_object.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "process/process.h"

static pid_object_vector known;

bool pid_object_alias(const struct pid_object *object, const char *module)
{
	if (object->is_main && string_equal(module, "a.out"))
		return true;
	size_t len = strlen(module);
	return strncmp(object->module, module, len) == 0 &&
	       strncmp(object->module + len, ".so", 3) == 0;
}

struct error *pid_object_open(struct pid_object *object)
{
	if (object->elf)
		return NULL;
	if (object->fd < 0)
		return error_new("cannot open the file of %s that process %d runs", object->module,
				 object->pid);
	return elf_file_open(object->path, &object->elf);
}

/* Open PATH if it is the file with this inode, else -1. */
static int open_inode(const char *path, uint64_t inode)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_ino != inode || !S_ISREG(st.st_mode))
		return -1;
	return take_fd(fd);
}

/*
 * The process may have another root, and its file may be deleted or replaced.
 * The links of map_files always lead to the very file, but only with
 * CAP_CHECKPOINT_RESTORE, so they come last.
 */
static int open_mapping(int pid, const struct mapping *m)
{
	auto_free char *rooted = mem_printf("/proc/%d/root%s", pid, m->path);
	int fd = open_inode(rooted, m->inode);
	if (fd >= 0)
		return fd;
	auto_free char *exe = mem_printf("/proc/%d/exe", pid);
	fd = open_inode(exe, m->inode);
	if (fd >= 0)
		return fd;
	auto_free char *link = mem_printf("/proc/%d/map_files/%llx-%llx", pid,
					  (unsigned long long)m->start, (unsigned long long)m->end);
	return open_inode(link, m->inode);
}

static char *module_of_path(const char *path)
{
	static const char deleted[] = " (deleted)";
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t len = strlen(base), tail = sizeof(deleted) - 1;
	if (len > tail && string_equal(base + len - tail, deleted))
		len -= tail;
	return mem_strndup(base, len);
}

static bool is_object(const struct pid_object *o, int pid, const struct mapping *m)
{
	return o->pid == pid && o->inode == m->inode && o->dev_major == m->dev_major &&
	       o->dev_minor == m->dev_minor;
}

static struct pid_object *object_of_mapping(int pid, const struct mapping *m, uint64_t main_inode)
{
	for (size_t i = 0; i < known.count; i++)
		if (is_object(known.items[i], pid, m))
			return known.items[i];
	struct pid_object *o = mem_zalloc(sizeof(*o));
	o->pid = pid;
	o->dev_major = m->dev_major;
	o->dev_minor = m->dev_minor;
	o->inode = m->inode;
	o->is_main = m->inode == main_inode;
	o->module = module_of_path(m->path);
	o->fd = open_mapping(pid, m);
	o->path = mem_printf("/proc/self/fd/%d", o->fd);
	vector_push(&known, o);
	return o;
}

bool pid_throws(int pid)
{
	for (size_t i = 0; i < known.count; i++)
		if (known.items[i]->pid == pid && (pid_object_alias(known.items[i], "libstdc++") ||
						   pid_object_alias(known.items[i], "libc++abi")))
			return true;
	return false;
}

static bool vector_has(const pid_object_vector *v, const struct pid_object *object)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->items[i] == object)
			return true;
	return false;
}

struct error *pid_objects(int pid, pid_object_vector *ret)
{
	struct mapping *list;
	size_t count;
	struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return err;
	char exe[64];
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	struct stat st;
	uint64_t main_inode = stat(exe, &st) == 0 ? st.st_ino : 0;
	for (size_t i = 0; i < count; i++) {
		const struct mapping *m = &list[i];
		if (!m->executable || !m->inode || m->path[0] != '/')
			continue;
		struct pid_object *o = object_of_mapping(pid, m, main_inode);
		if (!vector_has(ret, o))
			vector_push(ret, o);
	}
	process_mappings_free(list, count);
	return NULL;
}
