/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pin - kernel objects that outlive us: names for them in a BPF file system
 *
 * A pinned map, program or link stays without any descriptor, so attached programs continue.  A
 * perf event cannot be pinned, but its link can, and holds the event (6.18, also under
 * lockdown=integrity).  Unlike descriptors, pins survive kill -9: code that makes them documents
 * their removal.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/uapi.h"

#define BPF_FILE_SYSTEM 0xcafe4a11 /* linux/magic.h */

static char *folder_parent(const char *dir)
{
	const char *slash = strrchr(dir, '/');
	return slash && slash > dir ? mem_strndup(dir, (size_t)(slash - dir)) : mem_strdup("/");
}

/* The file system is determined by the nearest existing folder. */
static struct error *check_file_system(const char *path)
{
	struct statfs fs = { 0 };
	if (statfs(path, &fs) < 0 && errno == ENOENT) {
		auto_free char *above = folder_parent(path);
		return string_equal(above, path) ? error_sys(ENOENT, "cannot find %s", path)
						 : check_file_system(above);
	}
	if (fs.f_type == BPF_FILE_SYSTEM)
		return NULL;
	return error_new("no BPF file system is mounted at %s: mount -t bpf bpf /sys/fs/bpf", path);
}

/* In the mount's root everybody may make folders: one of another user is not ours to trust. */
static struct error *check_owner(int fd, const char *path)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return error_sys(errno, "cannot look at %s", path);
	if (st.st_uid && st.st_uid != geteuid())
		return error_new("%s belongs to user %u", path, st.st_uid);
	if (st.st_mode & S_IWOTH && !(st.st_mode & S_ISVTX))
		return error_new("%s can be changed by everybody", path);
	return NULL;
}

static struct error *lock(const char *parent, int fd)
{
	struct error *err = check_owner(fd, parent);
	while (!err && flock(fd, LOCK_EX) < 0)
		if (errno != EINTR)
			err = error_sys(errno, "cannot lock %s", parent);
	return err;
}

/* DIR itself, if it is there: in the mount's root anybody may have made it. */
static struct error *check_owner_of(const char *dir)
{
	auto_close int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno == ENOENT ? NULL : error_sys(errno, "cannot open %s", dir);
	return check_owner(fd, dir);
}

/* The previous holder of the lock may have removed the folder. */
static bool is_removed(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

struct error *pins_lock(const char *dir, bool make, int *ret)
{
	auto_free char *parent = folder_parent(dir);
	struct error *err = make ? check_file_system(parent) : NULL;
	if (err)
		return err;
	for (;;) {
		if (make && mkdir(parent, 0700) < 0 && errno != EEXIST)
			return error_sys(errno, "cannot make %s", parent);
		auto_close int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0)
			return error_sys(errno, "cannot open %s", parent);
		err = lock(parent, fd);
		if (err)
			return err;
		if (is_removed(fd))
			continue;
		err = check_owner_of(dir);
		if (!err)
			*ret = take_fd(fd);
		return err;
	}
}

void pins_unlock(const char *dir, int fd)
{
	if (fd < 0)
		return;
	auto_free char *parent = folder_parent(dir);
	rmdir(parent); /* unless there is something in it, or it is a mount's root */
	close(fd);
}

bool pins_exist(const char *dir)
{
	return access(dir, F_OK) == 0;
}

struct error *pins_make(const char *dir)
{
	return mkdir(dir, 0700) < 0 ? error_sys(errno, "cannot make %s", dir) : NULL;
}

struct error *pins_rename(const char *from, const char *to)
{
	return rename(from, to) < 0 ? error_sys(errno, "cannot rename %s", from) : NULL;
}

/* KIND-NUMBER, as pin_make() calls them. */
static bool is_pin(const char *name)
{
	size_t kind = strspn(name, "abcdefghijklmnopqrstuvwxyz");
	const char *number = name + kind + 1;
	return kind && name[kind] == '-' && *number && !number[strspn(number, "0123456789")];
}

/* The root of a mount is not our folder, nor is anything mounted on one. */
static struct error *check_place(const char *dir)
{
	auto_free char *parent = folder_parent(dir);
	struct error *err = check_file_system(parent);
	return err ? err : check_file_system(dir);
}

struct error *pins_remove(const char *dir)
{
	struct error *err = pins_exist(dir) ? check_place(dir) : NULL;
	DIR *d = err ? NULL : opendir(dir);
	if (!d)
		return err || errno == ENOENT ? err : error_sys(errno, "cannot open %s", dir);
	for (struct dirent *e; (e = readdir(d));)
		if (is_pin(e->d_name))
			unlinkat(dirfd(d), e->d_name, 0); /* rmdir() fails if something remains */
	closedir(d);
	return rmdir(dir) < 0 ? error_sys(errno, "cannot remove %s", dir) : NULL;
}

/* --- objects ------------------------------------------------------------------------------- */

static int object_call(enum bpf_cmd command, const char *path, int fd)
{
	union bpf_attr attr = { .pathname = pointer_number(path), .bpf_fd = (uint32_t)fd };
	return bpf_call(command, &attr, sizeof(attr));
}

struct error *pin_make(const struct pin_name *name, int fd)
{
	auto_free char *path = mem_printf("%s/%s-%zu", name->dir, name->kind, name->number);
	if (object_call(BPF_OBJ_PIN, path, fd) < 0)
		return bpf_error(errno, "cannot pin %s", path);
	return NULL;
}

struct error *pin_open(const struct pin_name *name, int *ret)
{
	auto_free char *path = mem_printf("%s/%s-%zu", name->dir, name->kind, name->number);
	int fd = object_call(BPF_OBJ_GET, path, 0);
	if (fd < 0)
		return bpf_error(errno, "cannot open %s", path);
	*ret = fd;
	return NULL;
}

struct error *pin_bytes(const struct pin_name *name, const void *data, uint32_t size)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_ARRAY,
		.name = name->kind,
		.key_size = 4,
		.value_size = size,
		.max_entries = 1,
	};
	auto_close int map = -1;
	uint32_t key = 0;
	struct error *err = map_create(&request, &map);
	if (!err)
		err = map_update(map, &key, data, BPF_ANY);
	return err ? err : pin_make(name, map);
}

struct error *pin_read_bytes(const struct pin_name *name, void **ret, uint32_t *size)
{
	auto_close int map = -1;
	struct error *err = pin_open(name, &map);
	if (err)
		return err;
	struct bpf_map_info info = { 0 };
	union bpf_attr attr = { .info = { .bpf_fd = (uint32_t)map,
					  .info_len = sizeof(info),
					  .info = pointer_number(&info) } };
	if (bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) < 0 ||
	    info.type != BPF_MAP_TYPE_ARRAY)
		return error_new("%s in %s is not what dtrace pins there", name->kind, name->dir);
	auto_free void *value = try_alloc(ALIGN_UP((size_t)info.value_size, 8));
	uint32_t key = 0;
	if (!value || !map_lookup(map, &key, value))
		return error_new("cannot read the object pinned as %s in %s", name->kind,
				 name->dir);
	*size = info.value_size;
	*ret = take(value);
	return NULL;
}
