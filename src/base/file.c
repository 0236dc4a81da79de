/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

#define READ_AT_LEAST 16384 /* room for one read, in bytes: sizes are not always known before */

int fd_read_all(int fd, size_t max, struct strbuf *ret)
{
	for (size_t left = max; left > 0;) {
		char *end = strbuf_room(ret, MIN(left, READ_AT_LEAST));
		ssize_t n = read(fd, end, MIN(left, ret->capacity - ret->len - 1));
		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		left -= (size_t)n;
		ret->len += (size_t)n;
		ret->text[ret->len] = '\0';
	}
	return 0;
}

struct error *file_read(const char *path, size_t max, struct strbuf *ret)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_sys(errno, "cannot open %s", path);
	int errnum = fd_read_all(fd, max, ret);
	return errnum ? error_sys(errnum, "cannot read %s", path) : NULL;
}

struct error *file_read_regular(const char *path, struct strbuf *ret)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0)
		return error_new("%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_new("it is not a regular file");
	int errnum = fd_read_all(fd, (size_t)st.st_size, ret);
	return errnum ? error_new("%s", strerror(errnum)) : NULL;
}

int fd_write_all(int fd, const struct strbuf *text)
{
	for (size_t done = 0; done < text->len;) {
		ssize_t n = write(fd, text->text + done, text->len - done);
		if (n < 0 && errno != EINTR)
			return errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

const char *path_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

char *own_program_path(void)
{
	char path[PATH_MAX] = "";
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	return mem_strndup(path, (size_t)MAX(len, 0));
}

bool stat_is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}
