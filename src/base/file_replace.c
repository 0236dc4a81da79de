/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/file.h"

#define NAMES_TRIED 100 /* of files next to the one that is replaced */

static bool is_standard_stream(const struct stat *st)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat stream;
		if (fstat(fd, &stream) == 0 && stat_is_same_file(&stream, st))
			return true;
	}
	return false;
}

static int write_directly(const char *path, const struct strbuf *text)
{
	auto_close int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return errno;
	int errnum = fd_write_all(fd, text);
	return !errnum && close(take_fd(fd)) < 0 ? errno : errnum;
}

/* A new file in the folder of PATH, with permissions by umask(2); < 0: errno says why not. */
static int create_beside(const char *path, mode_t mode, char **name)
{
	for (unsigned i = 0; i < NAMES_TRIED; i++) {
		auto_free char *beside = mem_printf("%s.%d-%u", path, (int)getpid(), i);
		int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno == EEXIST)
			continue;
		*name = fd < 0 ? NULL : take(beside);
		return fd;
	}
	return -1;
}

/* Permissions and owner of the replaced file; not every user may change an owner. */
static int inherit(int fd, const struct stat *before)
{
	if (fchown(fd, before->st_uid, before->st_gid) < 0 && errno != EPERM)
		return errno;
	return fchmod(fd, before->st_mode & 07777) < 0 ? errno : 0;
}

static int file_replace_by(const char *path, const struct strbuf *text, const struct stat *before,
			   mode_t mode)
{
	auto_free char *beside = NULL;
	auto_close int fd = create_beside(path, mode ? mode : 0666, &beside);
	if (fd < 0)
		return errno;
	int errnum = before && !mode ? inherit(fd, before) : 0;
	if (!errnum)
		errnum = fd_write_all(fd, text);
	if (!errnum && (fsync(fd) < 0 || rename(beside, path) < 0))
		errnum = errno;
	if (errnum)
		unlink(beside);
	return errnum;
}

int file_replace(const char *path, const struct strbuf *text, mode_t mode)
{
	struct stat before;
	if (stat(path, &before) < 0)
		return errno == ENOENT ? file_replace_by(path, text, NULL, mode) : errno;
	if (!S_ISREG(before.st_mode) || is_standard_stream(&before))
		return write_directly(path, text);
	auto_free char *whole = realpath(path, NULL);
	return whole ? file_replace_by(whole, text, &before, mode) : errno;
}
