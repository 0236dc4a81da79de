/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracefs - the kernel's list of events, and what their records look like
 *
 * Where no program has mounted it (small systems, containers), we mount it where only we see it,
 * and debugfs, too: a mount without a place in the tree, which ends with our descriptor
 * (Linux 5.2).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#include "kernel/kernel.h"

static int folder_mounted(void)
{
	static const char *const paths[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int folder = open(paths[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (folder >= 0 && faccessat(folder, "events", F_OK, 0) == 0)
			return folder;
		if (folder >= 0)
			close(folder);
	}
	return -1;
}

static int folder_of_ours(const char *type)
{
	auto_close int fs = fsopen(type, FSOPEN_CLOEXEC);
	if (fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -1;
	return fsmount(fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
}

int tracefs_folder(void)
{
	static bool opened;
	static int ret;
	if (!opened)
		ret = folder_mounted();
	if (!opened && ret < 0)
		ret = folder_of_ours("tracefs");
	opened = true;
	return ret;
}

/* FD as a file; NULL: it is negative. */
static FILE *descriptor_file(int fd)
{
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f && fd >= 0)
		close(fd);
	return f;
}

FILE *tracefs_open(const char *path)
{
	return descriptor_file(openat(tracefs_folder(), path, O_RDONLY | O_CLOEXEC));
}

FILE *debugfs_open(const char *path)
{
	auto_close int mounted = open("/sys/kernel/debug", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = openat(mounted, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return descriptor_file(fd);
	auto_close int ours = folder_of_ours("debugfs");
	return descriptor_file(openat(ours, path, O_RDONLY | O_CLOEXEC));
}
