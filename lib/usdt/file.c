/* SPDX-License-Identifier: BSD-2-Clause */
/* file - bytes to a file that can be mapped as code: in memory, or in a folder */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u /* since Linux 6.3, where vm.memfd_noexec may be set */
#endif

static int memory_file(const char *module)
{
	int fd = memfd_create(module, MFD_CLOEXEC | MFD_EXEC);
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(module, MFD_CLOEXEC);
	if (fd < 0)
		fail(errno, "cannot make a file in memory: %s", strerror(errno));
	return fd;
}

static int folder_file(const char *module, char **path)
{
	const char *folder = secure_getenv("TMPDIR");
	char *name;
	if (asprintf(&name, "%s/%s-XXXXXX.so", folder && *folder ? folder : "/tmp", module) < 0)
		return fail(ENOMEM, "out of memory");
	int fd = mkostemps(name, 3, O_CLOEXEC);
	if (fd < 0) {
		fail(errno, "cannot make the file %s: %s", name, strerror(errno));
		free(name);
		return -1;
	}
	fchmod(fd, 0755); /* tracers of other users read it */
	*path = name;
	return fd;
}

static int write_all(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(n < 0 ? errno : EIO, "cannot write the file of the probes: %s",
				    strerror(n < 0 ? errno : EIO));
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

int file_make(const char *module, const struct image *image, bool in_folder, char **path)
{
	*path = NULL;
	int fd = in_folder ? folder_file(module, path) : memory_file(module);
	if (fd < 0 || write_all(fd, image->bytes, image->size) == 0)
		return fd;
	int error = errno;
	close(fd);
	if (*path)
		unlink(*path);
	free(*path);
	*path = NULL;
	errno = error;
	return -1;
}
